"""The queue of uploads: leases, names, quotas, and what becomes of an upload whose process dies. Nothing is run."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, insert, select, text, update

from polemos.ladder import bots, groups, ladders
from polemos.ladder.clock import now, writing
from polemos.ladder.files import Bundles
from polemos.server.authors import desk, files, notices, queue, quotas, tokens
from polemos.server.authors import reception as takes
from polemos.server.authors.progress import Progress
from polemos.server.authors.queue import Held
from polemos.server.authors.quotas import MOST, OverQuota
from polemos.server.authors.reception import Reception
from polemos.server.store import authors, schema
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from polemos.uploads.reception import Change, Rules
from polemos.uploads.refusals import Refusal, Refused
from polemos.wire.authors import RenameBot

HERE, ELSEWHERE = "a" * 32, "b" * 32
of = authors.receptions


class Yard:
    """Authors and their uploads, straight in the database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def author(self, name: str) -> int:
        with writing(self.engine) as connection:
            row = {"name": name, "folded": name, "looks": name, "password": "", "created": 0.0}
            made = insert(schema.accounts).values(row).returning(schema.accounts.c.id)
            return int(connection.execute(made).scalar_one())

    def send(self, account: int, place: str = HERE, bot: int | None = None, **most: int) -> int:
        with writing(self.engine) as connection:
            upload = queue.announce(connection, account, place, "bot.py", "skerries", bot, {**MOST, **most})
            queue.arrived(connection, upload, 100)
        return upload

    def claim(self, place: str = HERE) -> Held | None:
        with writing(self.engine) as connection:
            return queue.claim(connection, place)

    def held(self) -> Held:
        found = self.claim()
        assert found is not None
        return found

    def do(self, work: Callable[..., object], *given: object) -> object:
        with writing(self.engine) as connection:
            return work(connection, *given)

    def settle(self, held: Held, name: str = "Falcon", digest: str = "1" * 64, **most: int) -> queue.Settled | None:
        held.progress.hear(Change("recognised", "done", "Python", digest, "skerries", name, "python"))
        with writing(self.engine) as connection:
            return queue.settle(connection, held, held.progress, {**MOST, **most})

    def play(self, account: int, name: str = "Falcon", digest: str = "1" * 64) -> queue.Settled:
        """An upload that is accepted."""
        self.send(account)
        held = self.held()
        settled = self.settle(held, name, digest)
        assert settled is not None
        assert self.do(queue.accept, held, held.progress, "2" * 32, 1000, None)
        return settled

    def expire(self) -> None:
        with writing(self.engine) as connection:
            connection.execute(update(of).values(expires=now() - 1))

    def state(self, upload: int) -> tuple[str, str]:
        with self.engine.connect() as connection:
            row = connection.execute(select(of.c.state, of.c.end).where(of.c.id == upload)).one()
        return row.state, row.end


@pytest.fixture
def yard(engine: Engine) -> Yard:
    return Yard(engine)


def test_an_upload_of_a_dead_process_is_taken_up_by_another(yard: Yard) -> None:
    ada = yard.author("ada")
    upload = yard.send(ada)
    first = yard.held()
    assert yard.claim() is None, "it is leased"
    assert yard.claim(ELSEWHERE) is None
    first.progress.hear(Change("unpacked", "done", "9 files", "1" * 64))
    assert yard.do(queue.write, first, first.progress)
    yard.expire()
    assert yard.claim(ELSEWHERE) is None, "only those who have the file can take it up"
    second = yard.held()
    assert second.id == upload
    assert second.progress.again
    assert second.progress.steps["unpacked"] == ("done", "9 files"), "what was known is kept"
    # The first comes back from the dead: nothing that it says counts.
    assert not yard.do(queue.write, first, first.progress)
    assert yard.settle(first) is None
    assert not yard.do(queue.refuse, first, first.progress)
    assert yard.state(upload) == ("leased", "")
    assert yard.settle(second) is not None
    assert yard.do(queue.accept, second, second.progress, "2" * 32, 1000, 7)
    assert not yard.do(queue.accept, second, second.progress, "2" * 32, 1000, 7), "it counts once"
    assert yard.state(upload) == ("done", "accepted")


def test_a_folder_is_taken_over_at_once(yard: Yard) -> None:
    """A server that was killed and started again does not wait for its own leases."""
    ada, ben = yard.author("ada"), yard.author("ben")
    upload, elsewhere = yard.send(ada), yard.send(ben, ELSEWHERE)
    first = yard.held()
    assert yard.claim(ELSEWHERE) is not None
    with writing(yard.engine) as connection:
        arriving = queue.announce(connection, ada, HERE, "bot.py", None, None, MOST)
        queue.take_over(connection, HERE)
        assert connection.execute(select(of.c.id).where(of.c.id == arriving)).scalar() is None
    assert yard.state(elsewhere) == ("leased", ""), "others keep theirs"
    assert not yard.do(queue.write, first, first.progress)
    again = yard.held()
    assert again.id == upload
    assert again.progress.again


def test_an_upload_that_is_begun_again_is_the_same_version(yard: Yard) -> None:
    yard.send(yard.author("ada"))
    first = yard.settle(yard.held())
    yard.expire()
    assert yard.settle(yard.held()) == first


def test_authors_take_turns(yard: Yard) -> None:
    """Two uploads of one author are taken in one after the other; the other author does not wait for both."""
    ada, ben = yard.author("ada"), yard.author("ben")
    one, two, three = yard.send(ada), yard.send(ada), yard.send(ben)
    first, second = yard.held(), yard.held()
    assert (first.id, second.id) == (one, three)
    assert yard.claim() is None
    yard.do(queue.refuse, first, first.progress)
    assert yard.held().id == two


def test_an_accepted_version_plays_and_a_refused_one_changes_nothing(yard: Yard) -> None:
    ada = yard.author("ada")
    with writing(yard.engine) as connection:
        ladder = ladders.open_ladder(connection, "skerries")
    settled = yard.play(ada)
    with yard.engine.connect() as connection:
        bot = connection.execute(select(db.bots).where(db.bots.c.id == settled.bot)).one()
        version = connection.execute(select(db.bot_versions).where(db.bot_versions.c.id == settled.version)).one()
        entered = connection.execute(select(db.entries.c.ladder_id).where(db.entries.c.bot_id == settled.bot)).scalars()
        assert list(entered) == [ladder]
    assert (bot.name, bot.game, bot.version_id, bot.state) == ("Falcon", "skerries", settled.version, "active")
    assert (version.number, version.state, version.language) == (1, "passed", "python")
    assert (version.digest, version.source, version.size) == ("2" * 32, "1" * 64, 1000)
    upload = yard.send(ada)
    held = yard.held()
    again = yard.settle(held, digest="3" * 64)
    assert again is not None
    assert again.bot == settled.bot
    held.progress.refuse("trial", "trial/crash", "Falcon stopped on turn 3.")
    assert yard.do(queue.refuse, held, held.progress)
    with yard.engine.connect() as connection:
        card = queue.card(connection, ada, upload)
        plays = connection.execute(select(db.bots.c.version_id).where(db.bots.c.id == settled.bot)).scalar()
    assert plays == settled.version
    assert (card.state, card.version, card.playing, card.words) == ("refused", 2, 1, "Falcon stopped on turn 3.")
    assert card.refused is not None
    assert [step.state for step in card.steps if step.step == "trial"] == ["failed"]
    of_ada = select(db.notices.c.kind, db.notices.c.text, db.notices.c.bot_id).where(db.notices.c.account_id == ada)
    with yard.engine.connect() as connection:
        told = [tuple(row) for row in connection.execute(of_ada)]
    assert told == [("refused", "Falcon v2 was refused. Falcon stopped on turn 3.", settled.bot)]


def test_the_same_files_are_not_another_version(yard: Yard) -> None:
    ada = yard.author("ada")
    yard.play(ada)
    yard.send(ada)
    with pytest.raises(Refused, match="version 1 of Falcon"):
        yard.settle(yard.held())
    yard.expire()
    assert yard.settle(yard.held(), name="Other") is not None, "but another bot can have them"


def test_names_are_unique_for_each_author(yard: Yard) -> None:
    ada, ben = yard.author("ada"), yard.author("ben")
    first = yard.play(ada, "Falcon", "1" * 64)
    assert yard.play(ben, "Falcon", "1" * 64).bot != first.bot
    assert yard.play(ada, "FALCON", "3" * 64).bot == first.bot, "case does not matter"
    yard.send(ada)
    held = yard.held()
    held.progress.hear(Change("recognised", "done", "", "4" * 64, "chess", "falcon", "python"))
    with pytest.raises(Refused, match="another game"), writing(yard.engine) as connection:
        queue.settle(connection, held, held.progress, MOST)
    held.progress.hear(Change("recognised", "done", "", "4" * 64, "skerries", "the Umpire", "python"))
    with pytest.raises(Refused, match="reserved"), writing(yard.engine) as connection:
        queue.settle(connection, held, held.progress, MOST)


@pytest.mark.parametrize("name", ["settler", "Settler", "SETT1ER", "rand\u043em"])
def test_no_bot_is_called_like_one_of_ours(yard: Yard, name: str) -> None:
    """On the ladder it would stand beside the bot whose rating is fixed, or be the `random` of somebody's trial."""
    ada = yard.author("ada")
    yard.send(ada)
    held = yard.held()
    held.progress.hear(Change("recognised", "done", "Python", "1" * 64, "skerries", name, "python"))
    with pytest.raises(Refused, match="can't be called"), writing(yard.engine) as connection:
        queue.settle(connection, held, held.progress, MOST)
    yard.expire()
    other = yard.play(ada)
    with pytest.raises(desk.BadName, match="can't be called"), writing(yard.engine) as connection:
        desk._do(connection, ada, other.bot, RenameBot(name))


def test_a_bot_that_was_called_like_ours_goes_on(yard: Yard) -> None:
    """Before, that was allowed."""
    ada = yard.author("ada")
    bot = yard.play(ada).bot
    yard.do(bots.rename, bot, "settler")
    assert yard.play(ada, "settler", "3" * 64).bot == bot


def test_a_deleted_bot_lets_go_of_its_name(yard: Yard) -> None:
    ada = yard.author("ada")
    first = yard.play(ada)
    second = yard.play(ada, "Heron", "3" * 64)
    with pytest.raises(bots.NameTaken), writing(yard.engine) as connection:
        bots.rename(connection, second.bot, "Falcon")
    yard.do(bots.delete, first.bot)
    yard.do(bots.delete, first.bot)
    yard.do(bots.rename, second.bot, "Falcon")
    with yard.engine.connect() as connection:
        names = connection.execute(select(db.bots.c.name).order_by(db.bots.c.id)).scalars()
        assert list(names) == [f"Falcon (deleted {first.bot})", "Falcon"]
        assert quotas.count_bots(connection, ada) == 1


def test_a_bot_is_not_renamed_to_what_the_next_upload_could_mean(yard: Yard) -> None:
    ada = yard.author("ada")
    first, second = yard.play(ada), yard.play(ada, "Heron", "3" * 64)
    with pytest.raises(bots.NameTaken, match="Falcon"), writing(yard.engine) as connection:
        desk._do(connection, ada, second.bot, RenameBot("FALCON"))
    yard.do(desk._do, ada, first.bot, RenameBot("FALCON"))
    assert yard.play(ada, "falcon", "4" * 64).bot == first.bot


def test_files_that_another_bot_plays_with_stay(yard: Yard, tmp_path: Path) -> None:
    """Two sources that differ only in a comment can give the same files once they are built."""
    bundles = Bundles(tmp_path / "bots")
    reception = Reception(yard.engine, tmp_path, bundles, lambda account: MOST, Rules())
    first, second = yard.play(yard.author("ada"), digest="1" * 64), yard.play(yard.author("ben"), digest="3" * 64)
    file = bundles.folder / f"{'2' * 32}.bot"  # as `play` says
    file.parent.mkdir()
    file.write_bytes(b"")
    yard.do(bots.delete, first.bot)
    reception.tidy()
    assert file.exists()
    yard.do(bots.delete, second.bot)
    reception.tidy()
    assert not file.exists()


def test_refused_files_count_for_a_week_and_are_gone_then(yard: Yard, tmp_path: Path) -> None:
    reception = Reception(yard.engine, tmp_path, Bundles(tmp_path / "bots"), lambda account: MOST, Rules())
    ada, ben = yard.author("ada"), yard.author("ben")

    def unpacked(digest: str, age: float) -> Path:
        folder = reception.versions.source(digest)
        folder.mkdir()
        (folder / "bot.py").write_bytes(bytes(600))
        os.utime(folder, (time.time() - age,) * 2)
        return folder

    def refuse(account: int, digest: str) -> None:
        yard.send(account)
        held = yard.held()
        held.progress.hear(Change("recognised", "done", "Python", digest, "skerries", "Falcon", "python"))
        assert reception._settle(held, held.progress)
        reception._ended(held, held.progress, Refusal("trial", "trial/crash", "It crashed."))

    def stored(account: int) -> int:
        with yard.engine.connect() as connection:
            return {quota.what: quota.used for quota in quotas.used(connection, account, MOST)}["storage"]

    plays, nobodys, fresh = unpacked("1" * 64, 1e6), unpacked("2" * 64, 7200), unpacked("3" * 64, 60)
    bad, shared = unpacked("4" * 64, 1e6), unpacked("5" * 64, 1e6)
    yard.play(ada, digest="1" * 64)
    yard.play(ben, digest="5" * 64)
    refuse(ada, "4" * 64)
    refuse(ada, "5" * 64)
    reception.tidy()
    assert [folder.exists() for folder in (plays, nobodys, fresh, bad, shared)] == [True, False, True, True, True]
    assert stored(ada) == 1000 + 2 * 600
    with pytest.raises(OverQuota, match="refused"):
        yard.send(ada, storage=2000)
    of = db.bot_versions
    with writing(yard.engine) as connection:
        connection.execute(update(of).values(created=of.c.created - 8 * quotas.DAY))
    reception.tidy()
    assert [folder.exists() for folder in (plays, fresh, bad, shared)] == [True, True, False, True]
    with yard.engine.connect() as connection:
        sources = connection.execute(select(of.c.source).where(of.c.state == "refused")).scalars()
        assert set(sources) == {""}, "what isn't here can't be downloaded"
    assert stored(ada) == 1000


def test_nobody_touches_another_authors_uploads_and_bots(yard: Yard) -> None:
    ada, ben = yard.author("ada"), yard.author("ben")
    settled = yard.play(ada)
    upload = yard.send(ada)
    with writing(yard.engine) as connection:
        for attempt in (
            lambda: queue.card(connection, ben, upload),
            lambda: queue.progress_of(connection, ben, upload),
            lambda: queue.cancel(connection, ben, upload),
        ):
            with pytest.raises(queue.NoSuchUpload):
                attempt()
        with pytest.raises(queue.NoSuchBot):
            queue.own(connection, ben, settled.bot)
        with pytest.raises(queue.NoSuchBot):
            queue.announce(connection, ben, HERE, "bot.py", None, settled.bot, MOST)
    assert yard.state(upload) == ("waiting", "")


def test_an_upload_is_cancelled(yard: Yard) -> None:
    ada = yard.author("ada")
    upload = yard.send(ada)
    held = yard.held()
    yard.settle(held)
    yard.do(queue.cancel, ada, upload)
    assert not yard.do(queue.write, held, held.progress), "whoever takes it in finds out"
    assert yard.state(upload) == ("done", "cancelled")
    with pytest.raises(queue.NoSuchUpload), writing(yard.engine) as connection:
        queue.cancel(connection, ada, upload)


def test_uploads_of_a_deleted_bot_end_with_it(yard: Yard) -> None:
    """They would be begun again every half minute, and never end."""
    ada = yard.author("ada")
    falcon, heron = yard.play(ada), yard.play(ada, "Heron", "3" * 64)
    uploads = [yard.send(ada, bot=falcon.bot), yard.send(ada, bot=falcon.bot), yard.send(ada, bot=heron.bot)]
    held = yard.held()
    yard.do(desk._delete, ada, falcon.bot)
    assert [yard.state(upload)[1] for upload in uploads] == ["cancelled", "cancelled", ""]
    assert not yard.do(queue.write, held, held.progress), "whoever takes it in finds out"
    last = yard.held()
    yard.do(bots.delete, heron.bot)  # whoever deletes it, say with its account
    with pytest.raises(Refused, match="deleted"):
        yard.settle(last, "Heron", "4" * 64)


def test_a_bot_is_deleted_while_its_upload_is_just_accepted(yard: Yard, kind: str) -> None:
    """With PostgreSQL the upload is seen as unfinished, and has ended by the time that it could be cancelled."""
    ada = yard.author("ada")
    falcon = yard.play(ada)
    upload = yard.send(ada, bot=falcon.bot)
    held = yard.held()
    assert yard.settle(held, digest="5" * 64) is not None
    if kind == "sqlite":  # one writer at a time
        assert yard.do(queue.accept, held, held.progress, "6" * 32, 1000, None)
        yard.do(desk._delete, ada, falcon.bot)
    else:
        waits = text("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        with ThreadPoolExecutor(1) as thread, yard.engine.connect() as looks:
            with writing(yard.engine) as connection:
                assert queue.accept(connection, held, held.progress, "6" * 32, 1000, None)
                deleting = thread.submit(yard.do, desk._delete, ada, falcon.bot)
                while looks.execute(waits).first() is None:
                    looks.rollback()
            deleting.result()
    assert yard.state(upload) == ("done", "accepted")
    with yard.engine.connect() as connection:
        assert connection.execute(select(db.bots.c.state).where(db.bots.c.id == falcon.bot)).scalar() == "deleted"


def test_a_machine_that_fails_blames_nobody(yard: Yard) -> None:
    ada = yard.author("ada")
    upload = yard.send(ada)
    for _ in range(queue.MAX_FAILED):
        held = yard.held()
        yard.do(queue.fail, held, held.progress, "no box")
        assert yard.claim() is None, "not at once"
        yard.expire()
    assert yard.state(upload) == ("done", "failed")
    with yard.engine.connect() as connection:
        card = queue.card(connection, ada, upload)
        used = {quota.what: quota.used for quota in quotas.used(connection, ada, MOST)}
    assert "not your bot's fault: no box" in card.words
    assert used["uploads"] == 0


def test_an_error_of_ours_is_not_tried_forever(yard: Yard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One upload that can't be taken in must not keep all others waiting."""
    reception = Reception(yard.engine, tmp_path, Bundles(tmp_path / "bots"), lambda account: MOST, Rules())
    monkeypatch.setattr(reception, "_take_in", lambda held: {}[held.id])
    upload = yard.send(yard.author("ada"))
    for _ in range(queue.MAX_FAILED):
        reception._take_in_or_fail(yard.held())
        yard.expire()
    assert yard.state(upload) == ("done", "failed")


def test_an_upload_that_is_never_unpacked_is_refused(
    yard: Yard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a stranger finds to keep it busy with, others get their turn."""

    class Busy:
        process = 0

        def __init__(self, job: object) -> None:
            self._stopped = threading.Event()

        def news(self) -> Iterator[Change]:
            yield Change("unpacked", "began")
            self._stopped.wait(60)

        def stop(self) -> None:
            pass  # it does not notice

        def kill(self) -> None:
            self._stopped.set()

    monkeypatch.setattr(takes, "Running", Busy)
    monkeypatch.setattr(takes, "OPENING", 0.0)
    monkeypatch.setattr(takes, "MERCY", 0.1)
    reception = Reception(yard.engine, tmp_path, Bundles(tmp_path / "bots"), lambda account: MOST, Rules())
    ada = yard.author("ada")
    upload = yard.send(ada)
    reception.file_of(upload).write_bytes(b"x")
    reception._take_in_or_fail(yard.held())
    assert yard.state(upload) == ("done", "refused")
    with yard.engine.connect() as connection:
        assert "too long to unpack" in queue.card(connection, ada, upload).words


def test_notices_are_new_until_their_author_has_looked(yard: Yard) -> None:
    ada, ben = yard.author("ada"), yard.author("ben")
    for account in (ada, ada, ben):
        yard.send(account)
        held = yard.held()
        yard.settle(held, "Falcon", "1" * 64)
        yard.do(queue.refuse, held, held.progress)
    with yard.engine.connect() as connection:
        (first, *_) = connection.execute(select(db.notices.c.id).order_by(db.notices.c.id)).scalars().all()
        assert [notices.unseen(connection, account) for account in (ada, ben)] == [2, 1]
    yard.do(notices.look_at, ada, first)
    yard.do(notices.look_at, ben, first)
    with yard.engine.connect() as connection:
        assert [notices.unseen(connection, account) for account in (ada, ben)] == [1, 1]


# ---- quotas


def test_quotas(yard: Yard) -> None:
    ada = yard.author("ada")
    first = yard.play(ada)
    yard.send(ada)
    with pytest.raises(Refused, match="as many as you can have"):
        yard.settle(yard.held(), "Heron", "3" * 64, bots=1)
    yard.expire()
    held = yard.held()
    assert yard.settle(held, "Falcon", "3" * 64, bots=1) is not None, "a version of a bot is not another bot"
    yard.do(queue.refuse, held, held.progress)
    with pytest.raises(OverQuota, match="all 2 uploads of the last 24 hours") as over:
        yard.send(ada, uploads=2)
    with yard.engine.connect() as connection:
        began: float = connection.execute(select(of.c.created).order_by(of.c.id)).scalars().all()[0]
        assert over.value.frees == began + quotas.DAY, "when the first of them is a day old"
    with pytest.raises(OverQuota, match="Delete a bot"):
        yard.send(ada, storage=1000)
    yard.do(bots.delete, first.bot)
    assert yard.send(ada, storage=1000)
    with writing(yard.engine) as connection:
        connection.execute(update(of).values(created=of.c.created - quotas.DAY))
    assert yard.send(ada, uploads=1)


def test_too_many_at_once(yard: Yard) -> None:
    """Eight requests at the same moment: as many get in as may."""
    ada = yard.author("ada")
    refused: list[str] = []

    def send() -> None:
        try:
            yard.send(ada)
        except OverQuota as error:
            refused.append(error.what)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["unfinished"] * (8 - quotas.MAX_UNFINISHED)


def test_operators_can_change_quotas() -> None:
    assert quotas.most_of(1.0, {}) == MOST
    found = quotas.most_of(2.0, {"own bots": 3, "megabytes": 1})
    assert found == {"bots": 3, "uploads": 40, "storage": 1 << 20, "games": 2 * MOST["games"]}
    assert quotas.most_of(1.0, {"games": 7})["games"] == 7


# ---- tokens


def test_tokens(yard: Yard) -> None:
    ada, ben = yard.author("ada"), yard.author("ben")

    def whose(connection: Connection, token: str) -> int:
        return tokens.account_of(connection, token).id

    with writing(yard.engine) as connection:
        made = tokens.create(connection, ada, "my\x1b laptop")
        assert made.row.name == "my laptop"
        stored = connection.execute(select(authors.tokens)).mappings().one()
        assert made.token not in map(str, stored.values())
        assert whose(connection, made.token) == ada
        assert tokens.listed(connection, ada)[0].used is not None
        assert tokens.listed(connection, ben) == ()
        with pytest.raises(tokens.NoToken):
            tokens.revoke(connection, ben, made.row.id)
        assert whose(connection, made.token) == ada
        tokens.revoke(connection, ada, made.row.id)
        for wrong in (made.token, made.token[:-1], "", "polemos_", "polemos_" + "a" * 43, "x" * 10_000):
            with pytest.raises(tokens.NoToken):
                whose(connection, wrong)
        for _ in range(tokens.MAX_TOKENS):
            tokens.create(connection, ada, "another")
        with pytest.raises(tokens.TooManyTokens):
            tokens.create(connection, ada, "one more")


def test_uploads_that_never_arrive_are_forgotten(yard: Yard) -> None:
    ada = yard.author("ada")
    with writing(yard.engine) as connection:
        upload = queue.announce(connection, ada, HERE, "bot.py", None, None, MOST)
        connection.execute(update(of).values(created=of.c.created - 3600, expires=now() + 1))
        queue.tidy(connection)
        assert connection.execute(select(of.c.id)).scalars().all() == [upload], "a slow one, of which more arrives"
        queue.arriving(connection, upload)
        connection.execute(update(of).values(expires=now() - 1))
        queue.tidy(connection)
        assert connection.execute(select(of.c.id)).scalars().all() == []
        with pytest.raises(queue.NoSuchUpload):
            queue.arrived(connection, upload, 1)


def test_uploads_that_fell_silent_hold_up_nobody(yard: Yard) -> None:
    """Whoever took them in is dead, and nothing has been tidied up yet."""
    ada = yard.author("ada")
    with writing(yard.engine) as connection:
        for _ in range(quotas.MAX_UNFINISHED):
            queue.announce(connection, ada, HERE, "bot.py", None, None, MOST)
        with pytest.raises(OverQuota):
            queue.announce(connection, ada, HERE, "bot.py", None, None, MOST)
    yard.expire()
    assert yard.send(ada)


@pytest.mark.parametrize("alive", [True, False])
def test_an_upload_that_falls_silent_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alive: bool) -> None:
    """However long it takes as a whole, as long as something arrives."""
    monkeypatch.setattr(files, "SILENCE", 0.4)
    told: list[float] = []

    async def still() -> None:
        told.append(time.monotonic())

    async def slowly() -> AsyncIterator[bytes]:
        for _ in range(8):
            yield b"x"
            await asyncio.sleep(0.1)
        if not alive:
            await asyncio.sleep(600)

    path = tmp_path / "7"
    if alive:
        assert asyncio.run(files.arrive(slowly(), path, 100, still)) == 8
        assert len(told) >= 2
    else:
        with pytest.raises(files.TooSlow):
            asyncio.run(files.arrive(slowly(), path, 100, still))
    assert [file.name for file in tmp_path.iterdir()] == (["7"] if alive else [])


def test_a_deleted_bot_keeps_its_files_until_its_tournament_is_over(yard: Yard, tmp_path: Path) -> None:
    """Also before its first game is paired."""
    ada = yard.author("ada")
    falcon = yard.play(ada)
    with writing(yard.engine) as connection:
        ladder = ladders.open_ladder(connection, "skerries")
        group = groups.create(connection, ada, "Algorithms II", "class", ladder)
        row = {"group_id": group, "ladder_id": ladder, "state": "playing", "plan": b"{}", "maps": b"[]", "begun": now()}
        connection.execute(insert(store.tournaments).values({**row, "versions": b"[%d]" % falcon.version}))
        bots.delete(connection, falcon.bot)
    reception = Reception(yard.engine, tmp_path, Bundles(tmp_path / "bots"), lambda account: MOST, Rules())
    assert reception._unused() == []
    with writing(yard.engine) as connection:
        connection.execute(update(store.tournaments).values(state="over"))
    assert reception._unused() == [("1" * 64, "2" * 32)]


def test_progress_is_small_however_much_a_bot_writes() -> None:
    from polemos.server.authors.progress import MAX_LOG, pack, tail, unpack
    from polemos.uploads.reception import Logged

    progress = Progress()
    for _ in range(100):
        progress.hear(Logged("built", "x" * 999 + "\n"))
        progress.hear(Logged("built", "y\n" * 4000))
    assert len(progress.build) <= MAX_LOG
    assert len(tail(progress.build).lines) == 40
    assert unpack(pack(progress)).build == progress.build
