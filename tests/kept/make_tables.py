"""Makes the kept database: tables of all games in all states, as a server of the version in README.md wrote them."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import connect

from kept.seen import TABLES, keep, kept
from kept.visits import bot_address, copied, hello, visit
from polemos import registry
from polemos.cli.common import prepare
from unit.server.serving import Person, Server, Web

LONG: Final = {"kind": "turn", "seconds": 30 * 86400.0}
BANK: Final = {"kind": "bank", "seconds": 20 * 86400.0, "increment": 60.0}

Seated = dict[str, Any]


class Maker:
    """Opens tables and plays at them. `tables` has the address of each, and the tokens by the names of people."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.server, self._stack = server, stack
        self.web = stack.enter_context(Web(server.address))
        self.tables: dict[str, dict[str, Any]] = {}

    def open(self, title: str, game: str, **wish: Any) -> Seated:
        web: Web = wish.pop("web", self.web)
        seated = web.open(game, **{"name": "Ann", "clock": LONG, "title": title, **wish})
        self.tables[title] = {"id": seated["table"], "game": game, "tokens": {}}
        return self.seat(title, "Ann", seated) if seated["token"] else seated

    def take(self, title: str, seat: str, name: str) -> Seated:
        return self.seat(title, name, self.web.take(self.tables[title]["id"], seat, name))

    def seat(self, title: str, name: str, seated: Seated) -> Seated:
        self.tables[title]["tokens"][name] = seated["token"]
        return seated

    def sit(self, seated: Seated) -> Person:
        return self._stack.enter_context(Person(self.server.address, seated["table"], seated["token"]))

    def pair(self, title: str, game: str, seats: tuple[str, str], **wish: Any) -> tuple[Person, Person]:
        ann = self.sit(self.open(title, game, people=[seats[0]], **wish))
        return ann, self.sit(self.take(title, seats[1], "Bob"))


def ready(person: Person, step: int) -> None:
    person.until(lambda: person.sheet["step"] == step and person.sheet["state"] != "locked")


def orders(person: Person, most: int = 3) -> list[Any]:
    """Some that are lawful, in two forms."""
    found: list[Any] = []
    for option in person.sheet["options"][:: max(1, len(person.sheet["options"]) // most)][:most]:
        free = option.get("least") is not None
        found.append({**option["order"], "number": option["least"]} if free else option["text"])
    return found


def together(step: int, *people: Person) -> None:
    """All file something for this step, one of them with a line that makes no sense."""
    for person in people:
        ready(person, step)
        person.file([*orders(person), "dance"] if person is people[0] else orders(person))
    for person in people:
        person.wait_for_step(step + 1)


# ---- tables, one after the other


def demons(maker: Maker) -> None:
    maker.open("demons open", "demons", people=["red"])

    alone = {"people": ["red"], "bots": {"blue": "random"}, "options": {"turns": 4}}
    ann = maker.sit(maker.open("demons over by play", "demons", **alone))
    for step in range(4):
        together(step, ann)
    ann.until(lambda: ann.status == "over")
    again = maker.web.post(f"/api/tables/{ann.table}/rematch", token=ann.token).json()
    maker.tables["demons rematch"] = {"id": again["table"], "game": "demons", "tokens": {"Ann": again["token"]}}
    together(0, maker.sit(again))

    ann, bob = maker.pair("demons over by the bank", "demons", ("red", "blue"), clock={"kind": "bank", "seconds": 1.0})
    bob.file(orders(bob))
    bob.until(lambda: bob.status == "over")

    turn = {"kind": "turn", "seconds": 1.0}
    ann, bob = maker.pair("demons over too late", "demons", ("red", "blue"), clock=turn, options={"turns": 2})
    together(0, ann, bob)
    bob.until(lambda: bob.status == "over")

    finals = {"rules": "finals-2025", "map": "gauntlet"}
    ann, bob = maker.pair("demons playing", "demons", ("red", "blue"), clock=BANK, options=finals, take_back=True)
    for step in range(3):
        together(step, ann, bob)
    ann.act("offer take back")
    bob.until(lambda: bob.state["offers"])
    bob.ask("answer", what="take back", yes=True)
    together(2, ann, bob)
    bob.file(orders(bob))
    ann.ask("draft", lines=[*orders(ann), "dance"])
    bob.ask("say", text="What a gauntlet!")


def programs(maker: Maker) -> None:
    program = {"seats": {"red": {"kind": "program"}}}
    maker.open("demons over by strikes", "demons", bots={"blue": "random"}, **program)
    taken = maker.take("demons over by strikes", "red", "mumbler")
    with connect(bot_address(maker.server, taken["table"], taken["token"]), max_size=1 << 24) as socket:
        socket.recv()
        socket.send('{"type": "ready"}')
        for _ in range(3):
            socket.recv()
            socket.send("what?")
        socket.recv()

    ann = maker.sit(maker.open("demons with a program", "demons", people=["blue"], **program))
    taken = maker.take("demons with a program", "red", "first")
    with connect(bot_address(maker.server, taken["table"], taken["token"]), max_size=1 << 24) as socket:
        socket.recv()
        socket.send('{"type": "ready", "options": true}')
        for step in range(2):
            said = json.loads(socket.recv())
            socket.send(json.dumps({"type": "orders", "orders": [said["options"][0]["order"], "dance"]}))
            together(step, ann)
        socket.recv()


def monarchs(maker: Maker) -> None:
    title = "monarchs playing"
    ann, bob = maker.pair(title, "monarchs", ("red", "green"), bots={"blue": "holder"}, clock=BANK)
    for step in range(2):
        together(step, ann, bob)
    ready(ann, 2)
    ready(bob, 2)
    ann.file([*orders(ann), "dance"])
    bob.ask("draft", lines=[*orders(bob), "dance"])
    ann.ask("say", text="Peace?")
    bob.ask("say", text="We shall see.")
    ann.ask("say", text="Never trust green.", to="side")
    ann.ask("note", place="H4", text="hold it")
    ann.ask("note", place="G5", text="")
    bob.ask("note", place="G9", text="weak")

    title = "monarchs with one who will go"
    ann, bob = maker.pair(title, "monarchs", ("red", "green"), options={"mode": "party"})
    cid = maker.sit(maker.take(title, "blue", "Cid"))
    together(0, ann, bob, cid)
    cid.act("resign")
    bob.act("offer draw")

    title = "monarchs over by resigning"
    ann, bob = maker.pair(title, "monarchs", ("red", "green"), bots={"blue": "steady"}, options={"turns": 2})
    bob.act("resign")
    together(0, ann)
    together(1, ann)
    ann.until(lambda: ann.status == "over")


def monad(maker: Maker) -> None:
    small = {"map": "duel", "units": 9, "turns": 20}
    ann, bob = maker.pair("monad with offers", "monad", ("red", "blue"), options=small, take_back=True)
    for step in range(2):
        together(step, ann, bob)
    ann.act("offer draw")
    bob.until(lambda: bob.state["offers"])
    bob.act("offer take back")

    ann = maker.sit(maker.open("monad paused", "monad", people=["red"], bots={"blue": "waiter"}, options=small))
    together(0, ann)
    ready(ann, 1)
    ann.ask("draft", lines=orders(ann))
    ann.act("pause")

    ann, bob = maker.pair("monad over by agreement", "monad", ("red", "blue"), options=small, listed=False)
    together(0, ann, bob)
    bob.act("offer draw")
    ann.until(lambda: ann.state["offers"])
    ann.ask("answer", what="draw", yes=True)
    ann.until(lambda: ann.status == "over")


def minions(maker: Maker) -> None:
    seats = ("yellow", "blue")
    ann, bob = maker.pair("minions sealed", "minions", seats, options={"boards": 1}, sealed=True)
    ann.ask("bid", bid=5)

    ann, bob = maker.pair("minions playing after bids", "minions", seats, options={"boards": 1}, sealed=True)
    ann.ask("bid", bid=5)
    bob.ask("bid", bid=8)
    ann.until(lambda: ann.status == "playing" and ann.state["you"] == "blue")
    together(0, bob)
    ready(ann, 1)
    ann.ask("draft", lines=orders(ann, 1))

    wish = {"people": ["yellow"], "bots": {"blue": "greedy"}, "options": {"boards": 2}}
    ann = maker.sit(maker.open("minions of a crew", "minions", **wish))
    ann.until(lambda: ann.sheet["state"] == "empty")
    crew = [ann]
    for name in ("Bob", "Cid"):
        joined = maker.web.post(f"/api/tables/{ann.table}/crew", {"link": ann.state["crew_link"], "name": name})
        crew.append(maker.sit(maker.seat("minions of a crew", name, joined.json())))
    roles = ("general", "captain 1", "captain 2")
    for person, role in zip(crew, roles, strict=True):
        person.ask("role", role=role)
    for person, role in zip(crew, roles, strict=True):
        person.ask("done", role=role)
    for person in crew:
        ready(person, 2)
    crew[1].ask("draft", lines=[_on_board(crew[1], 1)])
    crew[1].ask("done", role="captain 1")
    crew[2].ask("draft", lines=[_on_board(crew[2], 2)])
    crew[0].ask("say", text="Wait for me.", to="side")

    bots = {"yellow": "random", "blue": "random"}
    maker.open("minions over by play", "minions", bots=bots, options={"boards": 1, "turns": 2})
    ann, bob = maker.pair("minions over by resigning", "minions", seats, options={"boards": 1})
    together(0, ann)
    ann.act("resign")  # counts when it is the next time to order
    together(1, bob)
    bob.until(lambda: bob.status == "over")


def _on_board(person: Person, board: int) -> str:
    texts = (option["text"] for option in person.sheet["options"] if option.get("least") is None)
    return str(next(text for text in texts if text.startswith(f"{board} ")))


def accounts(maker: Maker) -> None:
    with Web(maker.server.address, browser=True) as web:
        web.sign_in("Rosalind", "correct horse")
        maker.open("demons of an account", "demons", web=web, people=["red"], bots={"blue": "random"})


PARTS: Final[tuple[Callable[[Maker], None], ...]] = (demons, programs, monarchs, monad, minions, accounts)


# ---- the database


def make() -> None:
    for game in registry.names():
        prepare(registry.load(game))
    shutil.rmtree(TABLES, ignore_errors=True)
    TABLES.mkdir()
    with tempfile.TemporaryDirectory() as name:
        with ExitStack() as stack:
            maker = Maker(stack.enter_context(Server(Path(name))), stack)
            for part in PARTS:
                part(maker)
            time.sleep(1.5)  # drafts are written soon, and bots answer
        with sqlite3.connect(Path(name) / "polemos.db") as database:
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute("VACUUM")
        for file in ("polemos.db", "secret"):
            shutil.copy(Path(name) / file, TABLES)
    tell(maker.tables)
    print([(path.name, path.stat().st_size) for path in TABLES.iterdir()])


def tell(tables: dict[str, dict[str, Any]]) -> None:
    """Keeps what a server that goes on with the database tells everybody who comes."""
    with copied() as folder, Server(folder) as server, Web(server.address) as web:
        for title, table in tables.items():
            everybody = (*table["tokens"].items(), ("", None))
            table["told"] = {who: visit(server, web, table["id"], token) for who, token in everybody}
            card = table["told"][""]["card"]
            print(title, card["status"], [(seat["kind"], seat["why"]) for seat in card["seats"]], card["outcome"])
        program = tables["demons with a program"]
        program["hello"] = hello(server, program["id"], program["tokens"]["first"])
    keep(TABLES / "told.json.gz", tables)


def replays_into(folder: Path) -> None:
    """The replays of some finished tables."""
    with copied() as copy, Server(copy) as server, Web(server.address) as web:
        for title, table in kept(TABLES / "told.json.gz").items():
            if table["told"][""]["card"]["status"] == "over":
                answer = web.get(f"/api/tables/{table['id']}/replay.jsonl.gz")
                (folder / f"{title.replace(' ', '-')}.jsonl.gz").write_bytes(answer.content)
