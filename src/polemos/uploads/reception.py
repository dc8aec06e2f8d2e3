"""Taking in one upload, from the file that was sent to a version that can play.

Every change is told at once. Whatever is finished is kept by digest, so a reception that was killed can simply be run
again: it does what is missing, and nothing twice. Two receptions of the same files at once build them once.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from polemos import registry
from polemos.hosts.names import MANIFEST
from polemos.hosts.workshop import Allowed
from polemos.uploads import building
from polemos.uploads.archives import Contents, unpack
from polemos.uploads.building import Built, FailedBuild
from polemos.uploads.limits import Limits
from polemos.uploads.manifest import TITLES
from polemos.uploads.paths import is_file, quoted
from polemos.uploads.recognising import Recipe, missing, recognise
from polemos.uploads.refusals import Refusal, Refused, Step, Unavailable, counted, listed, size
from polemos.uploads.trial import FailedTrial, Trial, Turn, summary
from polemos.uploads.versions import Match, Passed, Version, Versions, inside
from polemos.wire.bot import Budget


class Change(Struct, frozen=True, tag_field="type", tag="step"):
    """A step begins or is done."""

    step: Step
    state: Literal["began", "done"]
    words: str = ""  # what the page says: `9 files, nothing skipped`
    digest: str = ""  # as soon as it is known
    game: str = ""  # of a trial; of a bot, once it is recognised
    name: str = ""  # of the bot, once it is recognised
    language: str = ""


class Logged(Struct, frozen=True, tag_field="type", tag="log"):
    """More of a log."""

    step: Literal["built", "trial"]
    text: str


class Accepted(Struct, frozen=True, tag_field="type", tag="accepted"):
    """The bot can play."""

    version: Version
    recipe: Recipe
    trials: tuple[Passed, ...]
    words: str


News = Change | Logged | Turn | Accepted | Refusal
Tell = Callable[[News], None]


class Upload(Struct, frozen=True):
    """What somebody sent."""

    path: str  # of the file, on this machine
    called: str  # the name of the file, as the sender's
    game: str | None = None  # which game it was sent in for; None: those of its manifest
    name: str = ""  # the bot's, if it is settled; otherwise that of its manifest
    options: dict[str, Any] = {}  # of the trial
    one_game: bool = False  # a bot on a ladder plays one game


class Rules(Struct, frozen=True):
    """All limits of a reception."""

    limits: Limits = Limits()
    build: Allowed = Allowed()
    play: Budget = Budget()
    toolchains: tuple[str, ...] = ()  # folders with compilers besides /usr


class Reception:
    """Takes in uploads, one at a time."""

    def __init__(self, versions: Versions, tell: Tell, rules: Rules | None = None) -> None:
        self._versions, self._tell = versions, tell
        self._rules = rules or Rules()
        self._toolchains = tuple(map(Path, self._rules.toolchains))

    def receive(self, upload: Upload) -> Accepted | Refusal:
        """Takes in an upload and tells every change, the end included.

        Raises Unavailable if this machine cannot do it: nobody is to blame, and it can be tried again. If `tell`
        raises, the reception ends there, leaves no process behind, and can be run again.
        """
        step: Step = "received"
        try:
            self._done("received", f"{quoted(upload.called)[1:-1]}, {size(Path(upload.path).stat().st_size)}")
            step = "unpacked"
            contents = self._unpack(upload)
            step = "recognised"
            recipe = self._recognise(upload, contents)
            step = "built"
            version = self._build(contents, recipe)
            step = "trial"
            trials = tuple(self._try(version, recipe, game, upload) for game in recipe.games)
        except Refused as refused:
            end: Accepted | Refusal = self._refusal(step, refused)
        else:
            words = "; ".join(map(summary, trials))
            end = Accepted(version, recipe, trials, words[:1].upper() + words[1:])
            self._done("accepted", end.words, contents.digest)
        self._tell(end)
        return end

    # ---- the steps

    def _began(self, step: Step, words: str = "", digest: str = "", game: str = "") -> None:
        self._tell(Change(step, "began", words, digest, game))

    def _done(self, step: Step, words: str, digest: str = "", game: str = "") -> None:
        self._tell(Change(step, "done", words, digest, game))

    def _unpack(self, upload: Upload) -> Contents:
        self._began("unpacked")
        with self._versions.making() as folder:
            contents = unpack(Path(upload.path), upload.called, folder / "files", self._rules.limits)
            self._versions.keep_source(folder / "files", contents)
        self._done("unpacked", contents.words(), contents.digest)
        return contents

    def _recognise(self, upload: Upload, contents: Contents) -> Recipe:
        self._began("recognised", digest=contents.digest)
        recipe = recognise(self._versions.source(contents.digest), upload.called, upload.game)
        lacking = missing(recipe, self._toolchains)
        if lacking is not None:
            raise Refused(
                "recognised/missing",
                f"Bots in {TITLES[recipe.language]} can't be built here: {lacking} is not installed.",
            )
        if upload.one_game and len(recipe.games) > 1:
            raise Refused(
                "recognised/games",
                f"{MANIFEST} names {len(recipe.games)} games, {listed(recipe.games)}, and a bot on a ladder plays"
                " one. Say which when you upload it.",
            )
        self._tell(
            Change(
                "recognised",
                "done",
                recipe.words(),
                contents.digest,
                recipe.games[0],
                upload.name or recipe.name,
                recipe.language,
            )
        )
        return recipe

    def _build(self, contents: Contents, recipe: Recipe) -> Version:
        digest, allowed = contents.digest, self._rules.build
        self._began("built", digest=digest)
        with self._versions.lock(digest):
            version = self._versions.version(digest)
            if version is None:
                version = self._built(contents, recipe)
        if not version.build:
            words = "nothing to build"
        else:
            warned = f", {counted(version.warnings, 'warning')}" if version.warnings else ""
            words = f"{version.seconds:g} s of {allowed.seconds:g} s{warned}"
        self._done("built", words, digest)
        return version

    def _built(self, contents: Contents, recipe: Recipe) -> Version:
        source = self._versions.source(contents.digest)
        with self._versions.making() as folder:
            if recipe.build:
                built = building.build(
                    source,
                    recipe.build,
                    folder / "files",
                    limits=self._rules.limits,
                    allowed=self._rules.build,
                    toolchains=self._toolchains,
                    tell=lambda text: self._tell(Logged("built", text)),
                )
            else:
                shutil.copytree(source, folder / "files")
                built = Built(contents, 0.0, 0, "")
            _check_start(folder / "files", recipe, built)
            left = built.contents
            version = Version(
                digest=contents.digest,
                language=recipe.language,
                build=recipe.build,
                start=recipe.start,
                files=left.files,
                size=left.size,
                content=left.digest,
                seconds=built.seconds,
                warnings=built.warnings,
            )
            return self._versions.keep(folder, version, built.log)

    def _try(self, version: Version, recipe: Recipe, game: str, upload: Upload) -> Passed:
        digest, edition, match = version.digest, registry.load(game).edition, Match(game, upload.options)
        self._began("trial", game=game, digest=digest)
        with self._versions.lock(digest):
            passed = self._versions.passed(digest, match, edition)
            if passed is None:
                log, record = (self._versions.trial(digest, match, kind) for kind in ("log", "jsonl.gz"))
                trial = Trial(
                    self._versions.bundle(version),
                    game,
                    name=upload.name or recipe.name,
                    log=log,
                    record=record,
                    budget=self._rules.play,
                    options=upload.options,
                    on_turn=self._tell,
                    on_log=lambda text: self._tell(Logged("trial", text)),
                )
                passed = trial.play()
                self._versions.keep_trial(digest, match, passed)
        self._done("trial", summary(passed), digest, game)
        return passed

    def _refusal(self, step: Step, refused: Refused) -> Refusal:
        if isinstance(refused, FailedBuild):
            return Refusal(step, refused.word, refused.why, refused.line, refused.lines, refused.log)
        if isinstance(refused, FailedTrial):
            return Refusal(
                step,
                refused.word,
                refused.why,
                refused.line,
                refused.lines,
                refused.log,
                refused.turn,
                refused.game,
                refused.replay,
            )
        return Refusal(step, refused.word, refused.why)


def _check_start(folder: Path, recipe: Recipe, built: Built) -> None:
    """Whether the program to start is there: a missing one would only show as a crash on the first turn."""
    program = inside(recipe.start)[0]
    if "/" not in program or program.startswith(("/usr/", "/bin/")):
        found = shutil.which(program, path="/usr/local/bin:/usr/bin:/bin") is not None
        where = "on this machine"
    else:
        path = (folder / program).resolve()
        found = folder.resolve() in path.parents and is_file(path)
        where = "in the bot's folder" + (" after the build" if recipe.build else "")
    if not found:
        hint = "" if recipe.build else f" Add a line build to {recipe.origin} if it has to be built first."
        raise FailedBuild("build/start", f"There is no program {quoted(program)} {where}.{hint}", built.log)


__all__ = ["Accepted", "Change", "Logged", "News", "Reception", "Refusal", "Rules", "Unavailable", "Upload"]
