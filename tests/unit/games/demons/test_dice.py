"""2.6 Dice: each is thrown once, says what for, and can be fixed by name."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.games.demons.game import GAME
from polemos.games.demons.rules import events
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.errors import NotationError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match

# Three mercenaries with the same count on their lanes, in range of one crossbow (11.7).
ROWS = "rrrrrr.....bbbbbb/rrooooooooooooobb/rrorrr.....bbbobb/rrRoooooooooooBbb"
MIRRORED = "rrorrr.....bbbobb/rrooooooooooooobb/rrrrrr.....bbbbbb"
THREE = f"""symmetry mirror-x; rules finals-2025; rows {ROWS}/{MIRRORED}
tower crossbow red 4,2 cd 0; merc blue 6,1; merc blue 8,3; merc blue 6,5"""


def thrown(dice: dict[str, Any]) -> AnyMatch:
    match = Match(GAME, position=THREE, seed=1)
    GAME.fix_dice(match.state, match.chance, dice)
    match.run()
    return match


@pytest.mark.parametrize("highest", ["5,1", "7,3", "5,5"])
def test_three_equal_targets_throw_one_die_each_and_the_highest_is_shot(highest: str) -> None:
    dice = {place: "0.75" if place == highest else "0.25" for place in ("5,1", "7,3", "5,5")}
    match = thrown({"tower 4,2": dice})
    told = match.told(UMPIRE)
    found = GAME.chronicle.those(events.rolled, told)
    assert {(f"{die.to[0]},{die.to[1]}", die.die) for die in found} == set(dice.items())
    assert len(found) == 3
    assert {(die.side, die.at, die.foe, die.rule) for die in found} == {("red", (4, 2), "blue mercenary", "11.7")}
    (shot,) = GAME.chronicle.those(events.shot, told)
    assert f"{shot.to[0]},{shot.to[1]}" == highest
    assert told.index(shot) > max(told.index(die) for die in found)


@pytest.mark.parametrize(
    "dice",
    [
        [],
        {"tower 4,2": 0.5},
        {"tower 4,2": {"5,1": "1.5"}},
        {"tower 4,2": {"5,1": ["0.5", "0.6"]}},
        {"tower 40,2": {"5,1": "0.5"}},
        {"tower 4,2": {"five": "0.5"}},
        {"tower": {"5,1": "0.5"}},
        {"coin": {"green": "0.5"}},
        {"luck": {"red": "0.5"}},
    ],
)
def test_dice_that_do_not_exist_are_refused(dice: Any) -> None:
    with pytest.raises(NotationError):
        GAME.fix_dice(GAME.read_position(THREE), chance_of(derive(1)), dice)
