"""`polemos doctor`"""

from __future__ import annotations

import sys

import click
import msgspec


@click.command()
@click.option("--json", "as_json", is_flag=True, help="The findings as one JSON list.")
def command(as_json: bool) -> None:
    """Try what holds on this machine: the box for strangers' bots, layer by layer.

    Every layer is tried by a program inside the box that does what it must not. Whatever is missing is told with the
    command that repairs it. Exit code 1 when programs that nobody has read cannot be run here.
    """
    if not sys.platform.startswith("linux"):
        raise click.ClickException("The box needs Linux. Bots of ours play everywhere; others with --trust.")
    from polemos.hosts import doctor

    found = doctor.findings()
    sound = all(finding.holds or not finding.needed for finding in found)
    if as_json:
        click.echo(msgspec.json.encode(found))
        sys.exit(not sound)
    width = max(len(finding.name) for finding in found)
    for finding in found:
        mark = "holds" if finding.holds else "LACKS" if finding.needed else "none "
        click.echo(f"{mark}  {finding.name:{width}}  {finding.detail}")
        if not finding.holds and finding.repair:
            click.echo(f"{'':7}{'':{width}}  repair: {finding.repair}")
    if sound:
        click.echo("The box stands: bots that nobody has read may play here.")
        return
    click.echo("There is no box here: bots that are not ours are refused, unless you say --trust.")
    sys.exit(1)
