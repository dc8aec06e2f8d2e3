"""A party for tests: its host, its people, and every byte that they are sent."""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from typing import Any

from websockets.exceptions import ConnectionClosed

from unit.server.serving import PATIENT, Refused, Server, Web, dial

NATIONS = ("red", "green", "blue")


def a_wish(courtiers: int = 3, **more: Any) -> dict[str, Any]:
    options = {"rounds": 1, "holding_seconds": 0, "summons_seconds": 60, **more.pop("options", {})}
    courts = {
        nation: {"monarch": f"Queen of {nation}", "courtiers": [f"{nation} {n + 1}" for n in range(courtiers)]}
        for nation in NATIONS
    }
    return {"title": "The Long Winter", "courts": courts, "options": options, "is_led": False, **more}


class Phone:
    """Somebody at a party, by its socket."""

    def __init__(self, address: str, party: str, token: str) -> None:
        self.raw: list[bytes] = []
        self.heard: list[dict[str, Any]] = []
        self._id = 0
        self._open = ExitStack()
        url = f"ws{address[4:]}/api/parties/{party}/live"
        self.socket = self._open.enter_context(dial(url, max_size=1 << 24, max_queue=None))
        self.socket.send(json.dumps({"type": "join", "token": token}))
        self._hear()
        if self.heard[0]["type"] == "here":
            self._hear()

    def _hear(self, timeout: float = PATIENT) -> None:
        raw = self.socket.recv(timeout=timeout, decode=False)
        self.raw.append(raw)
        self.heard.append(json.loads(raw))

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        self._id += 1
        self.socket.send(json.dumps({"type": kind, "id": self._id, **fields}))
        while self.heard[-1].get("re") != self._id:
            self._hear()
        if self.heard[-1]["type"] == "refused":
            raise Refused(self.heard[-1])
        return self.heard[-1]

    def do(self, act: str, **fields: Any) -> None:
        self.ask("do", act={"act": act, **fields})

    def listen(self) -> list[dict[str, Any]]:
        """Everything that has been sent to this phone by now, however slow the machine is: messages keep their order.

        So the answer to a question that is always refused comes after them. It is not among what was heard.
        """
        self._id += 1
        with suppress(ConnectionClosed):  # then what came before the end is still there to be read
            self.socket.send(json.dumps({"type": "join", "token": "", "id": self._id}))
        with suppress(ConnectionClosed):
            while not self.heard or self.heard[-1].get("re") != self._id:
                self._hear()
            del self.raw[-1], self.heard[-1]
        return self.heard

    @property
    def sight(self) -> dict[str, Any]:
        found: dict[str, Any] = next(said["sight"] for said in reversed(self.heard) if said["type"] == "sight")
        return found

    @property
    def talk(self) -> list[str]:
        return [said["text"] for said in self.heard if said["type"] == "heard"]

    def close(self) -> None:
        self._open.close()


class Party:
    """A party on a server. Everybody gets a phone when it is asked for."""

    def __init__(self, server: Server, wish: dict[str, Any]) -> None:
        self.address = server.address
        self.web = Web(self.address)
        answer = self.web.post("/api/parties", {"game": "monarchs", "wish": wish})
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        self.id: str = opened["id"]
        self.tokens: dict[str, str] = {"gamerunner": opened["token"]}
        self.phones: dict[str, Phone] = {}

    def links(self) -> dict[str, dict[str, Any]]:
        rows = self.web.get(f"/api/parties/{self.id}/links", self.tokens["gamerunner"]).json()
        return {row["role"]: row for row in rows}

    def token(self, role: str) -> str:
        if role not in self.tokens:
            code = self.links()[role]["code"]
            if role in ("clock", "screen", "spectator"):
                self.tokens[role] = code
            else:
                self.tokens[role] = self.web.post(f"/api/parties/{self.id}/claim", {"code": code}).json()["token"]
        return self.tokens[role]

    def phone(self, role: str) -> Phone:
        if role not in self.phones:
            self.phones[role] = Phone(self.address, self.id, self.token(role))
        return self.phones[role]

    def __getitem__(self, role: str) -> Phone:
        return self.phone(role)

    def runner(self, act: str, **fields: Any) -> None:
        self.phone("gamerunner").do(act, **fields)

    def close(self) -> None:
        for phone in self.phones.values():
            phone.close()
        self.web.close()
