"""`polemos doctor`"""

from __future__ import annotations

import sys

import click
import msgspec


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as one JSON list.")
def command(as_json: bool) -> None:
    """Check this machine: the box for untrusted bots, layer by layer, and the languages that you can write bots in.

    A program inside the box tests every layer by trying to break out. The starter bot of every language is built and
    started in the box. If something is missing, you see how to get it. The exit code is 1 if untrusted programs cannot
    run here; a missing language does not matter.
    """
    if not sys.platform.startswith("linux"):
        raise click.ClickException("The box needs Linux. Our own bots play everywhere; other programs need --trust.")
    from polemos.cli import languages
    from polemos.hosts import doctor

    found = doctor.findings()
    sound = all(finding.holds or not finding.needed for finding in found)
    found += languages.findings(boxed=sound)
    if as_json:
        click.echo(msgspec.json.encode(found))
        sys.exit(not sound)
    width = max(len(finding.name) for finding in found)
    for finding in found:
        mark = "ok     " if finding.holds else "MISSING" if finding.needed else "none   "
        click.echo(f"{mark}  {finding.name:{width}}  {finding.detail}")
        if not finding.holds and finding.repair:
            click.echo(f"{'':9}{'':{width}}  to fix: {finding.repair}")
    if sound:
        click.echo("The box works: untrusted bots can play here.")
        return
    click.echo("The box does not work here, so only our own bots can play unless you add --trust.")
    sys.exit(1)
