"""The rule book as the browser gets it: what comes before the paragraphs, and its pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from polemos.server.app import make_app
from polemos.server.settings import Settings

pytestmark = pytest.mark.needs("demons")

AT = "/api/games/demons/book"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    with TestClient(
        make_app(Settings(folder=tmp_path_factory.mktemp("server"), exhibition=False, ladder=False))
    ) as made:
        yield made


def test_a_book_has_an_opening_with_pictures(client: TestClient[Litestar]) -> None:
    found = client.get(AT).json()
    assert found["opening"].startswith("Red and blue are at war")
    assert "](pictures/see.svg)" in found["opening"]
    assert found["paragraphs"][0]["number"] == "1"


def test_a_picture_comes_in_both_themes_and_cannot_run_anything(client: TestClient[Litestar]) -> None:
    light, dark = (client.get(f"{AT}/pictures/see.svg", params={"theme": theme}) for theme in ("light", "dark"))
    assert light.status_code == dark.status_code == 200
    assert light.text.startswith("<svg ")
    assert dark.text.startswith("<svg ")
    assert light.text != dark.text
    assert light.headers["content-type"].startswith("image/svg+xml")
    assert light.headers["content-security-policy"] == "default-src 'none'"
    assert client.get(f"{AT}/pictures/see.svg").text == light.text


@pytest.mark.parametrize("name", ["nothing.svg", "..%2Frules.md", "..%2F..%2Fgame.py", "pictures.toml", "see"])
def test_nothing_but_pictures_is_given_out(client: TestClient[Litestar], name: str) -> None:
    assert client.get(f"{AT}/pictures/{name}").status_code == 404
