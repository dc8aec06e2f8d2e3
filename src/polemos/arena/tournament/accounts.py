"""The account of every entrant, and the table made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from polemos.arena.times import Used
from polemos.arena.tournament.plan import Played, Row

_DIGITS = 6  # of points: three thirds must add up to a whole


class Account(Struct):
    """One entrant."""

    points: float = 0.0
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    walkovers: int = 0
    void_lines: int = 0
    strikes: int = 0
    forfeits: int = 0
    used: Used = Used()  # the time it took
    gone: int = 0  # games in which it was gone before the end and passed
    paused: bool = False
    sat: list[int] = field(default_factory=list)  # number of games in each seat
    taken: dict[int, float] = field(default_factory=dict)  # points from games against each other entrant
    drops: list[tuple[int, str]] = field(default_factory=list)  # consecutive games it dropped out of, and why
    voids: list[frozenset[int]] = field(default_factory=list)  # who took part in consecutive void games


def count(accounts: Sequence[Account], game: Played) -> None:
    """Records a game in the accounts."""
    drawn = game.ranks.count(1) > 1
    for seat, entrant in enumerate(game.seating):
        account = accounts[entrant]
        account.played += 1
        account.points += game.points[seat]
        account.wins += game.ranks[seat] == 1 and not drawn
        account.draws += game.ranks[seat] == 1 and drawn
        account.losses += game.ranks[seat] > 1
        account.void_lines += game.void_lines[seat]
        account.strikes += game.strikes[seat] if game.strikes else 0
        account.used = account.used.plus(game.used[seat]) if game.used else account.used
        account.gone += seat in game.gone
        account.sat[seat] += 1
        account.voids.clear()
        if seat in game.forfeits:
            account.forfeits += 1
            account.drops.append((game.number, game.forfeits[seat]))
        else:
            account.drops.clear()
        for other in game.seating:
            if other != entrant:
                account.taken[other] = account.taken.get(other, 0.0) + game.points[seat]


# ---- tie-breaks


def opposition(accounts: Sequence[Account], met: Mapping[int, int]) -> float:
    """The opponents' points, counted once for each meeting (Buchholz)."""
    return sum(accounts[other].points * times for other, times in met.items())


def quality(accounts: Sequence[Account], entrant: int) -> float:
    """Its points, each weighted by the points per game of the opponent it was taken from (Sonneborn-Berger)."""
    return sum(_score(accounts[other]) * points for other, points in accounts[entrant].taken.items())


def _score(account: Account) -> float:
    return account.points / max(1, account.played + account.walkovers)


# ---- the table

Key = tuple[float, ...]


def rows(accounts: Sequence[Account], tie_break: Callable[[int], float], key: Callable[[int], Key]) -> list[Row]:
    """The table from first to last; entrants with the same key share a place."""
    found: list[Row] = []
    keys = {entrant: tuple(round(part, _DIGITS) for part in key(entrant)) for entrant in range(len(accounts))}
    order = sorted(keys, key=lambda entrant: keys[entrant], reverse=True)
    for i, entrant in enumerate(order):
        shares = i > 0 and keys[entrant] == keys[order[i - 1]]
        found.append(_row(accounts[entrant], entrant, found[-1].place if shares else i + 1, tie_break(entrant)))
    return found


def _row(account: Account, entrant: int, place: int, tie_break: float) -> Row:
    return Row(
        entrant=entrant,
        place=place,
        points=round(account.points, _DIGITS),
        played=account.played,
        wins=account.wins,
        draws=account.draws,
        losses=account.losses,
        tie_break=round(tie_break, _DIGITS),
        byes=account.byes,
        walkovers=account.walkovers,
        void_lines=account.void_lines,
        forfeits=account.forfeits,
        paused=account.paused,
        strikes=account.strikes,
        gone=account.gone,
    )
