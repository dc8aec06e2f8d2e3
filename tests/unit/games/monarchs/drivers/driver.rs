//! Answers questions with the helper for Monarchs in Rust.

mod driving;
mod json;
mod monarchs;

use driving::{answer_all, listed, or_null, quoted, Asked};
use monarchs::*;

fn answer(board: &Board, asked: &Asked) -> String {
    let (at, to) = (asked.text(1), asked.text(2));
    let hexes = |found: Vec<&str>| listed(found.into_iter().map(quoted));
    match asked.name() {
        "hexes" => hexes(board.hexes()),
        "neighbours" => hexes(board.neighbours(at)),
        "base" => quoted(board.base(at)),
        "centre" => quoted(&board.centre),
        "distance" => board.distance(at, to).to_string(),
        "towards" => hexes(board.towards(at, to)),
        "seen" => board.seen(at).to_string(),
        "owner" => or_null(board.owner(at).map(quoted)),
        "regiments" => board.regiments(at).to_string(),
        "land" => hexes(board.land(at)),
        "armies" => hexes(board.armies(at)),
        "march_order" => quoted(march_order(at, to, asked.number(3))),
        "bless_order" => quoted(bless_order(at)),
        other => panic!("{}", other),
    }
}

fn begin(setting: &str, seat: &str, view: &str) -> Board {
    let mut board = Board::new(setting, seat);
    board.update(view);
    board
}

fn main() {
    answer_all(begin, answer);
}
