//! Answers questions with the helper for Minions in Rust.

mod driving;
mod json;
mod minions;

use driving::{answer_all, listed, or_null, quoted, Asked};
use minions::*;

fn unit(found: &Unit) -> String {
    let words = [&found.side, &found.kind, &found.letter].map(quoted);
    let figures = [found.damage, found.speed, found.range].map(|figure| figure.to_string());
    let marks = [found.flying, found.spawn, found.fresh, found.done].map(|mark| mark.to_string());
    listed(words.into_iter().chain(figures).chain(marks))
}

fn answer(board: &Board, asked: &Asked) -> String {
    let (at, hex, to) = (asked.number(1) as usize, asked.text(2), asked.text(3));
    let hexes = |found: Vec<String>| listed(found.into_iter().map(quoted));
    match asked.name() {
        "ground" => quoted(board.ground(at, hex)),
        "graveyards" => hexes(board.graveyards(at)),
        "neighbours" => hexes(board.neighbours(asked.text(1))),
        "distance" => board.distance(asked.text(1), asked.text(2)).to_string(),
        "walk" => or_null(board.walk(at, hex, to)),
        "moves" => hexes(board.moves(at, hex)),
        "unit" => or_null(board.unit(at, hex).map(unit)),
        "state" => quoted(board.state(at)),
        "units" => hexes(board.units(at, hex)),
        "targets" => hexes(board.targets(at, hex)),
        "spawns" => hexes(board.spawns(at, hex)),
        "in_zone" => board.in_zone(at, hex, to).to_string(),
        "money" => board.money(asked.text(1)).to_string(),
        "move_order" => quoted(move_order(at, hex, to)),
        "tick_order" => {
            let pairs = asked.list(2).into_iter().map(json::elements);
            let moves: Vec<_> = pairs
                .map(|pair| (json::string(pair[0]), json::string(pair[1])))
                .collect();
            quoted(tick_order(at, &moves))
        }
        "attack_order" => quoted(attack_order(at, hex, to)),
        "buy_order" => quoted(buy_order(at, hex)),
        "spawn_order" => quoted(spawn_order(at, hex, to)),
        "choose_order" => quoted(choose_order(at, hex, to)),
        "resign_order" => quoted(resign_order(at)),
        "march_order" => quoted(march_order()),
        "tech_order" => quoted(tech_order(at)),
        "end_order" => quoted(end_order()),
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
