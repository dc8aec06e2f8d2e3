//! Answers questions with the helper for Demons in Rust.

mod demons;
mod driving;
mod json;

use demons::*;
use driving::{answer_all, listed, or_null, quoted, Asked};

fn tile(asked: &Asked, i: usize) -> Tile {
    let pair = asked.list(i);
    Tile {
        x: json::whole(pair[0]),
        y: json::whole(pair[1]),
    }
}

fn said(tile: Tile) -> String {
    format!("[{},{}]", tile.x, tile.y)
}

fn tower(found: &Tower) -> String {
    format!("[\"{}\",\"{}\",{}]", found.kind, found.owner, found.cooldown)
}

fn unit(found: &Unit) -> String {
    format!(
        "[\"{}\",\"{}\",{},{}]",
        found.kind, found.side, found.health, found.damage
    )
}

fn answer(board: &Board, asked: &Asked) -> String {
    let at = || tile(asked, 1);
    let kind = || {
        KINDS
            .into_iter()
            .find(|kind| kind.to_string() == asked.text(1))
            .unwrap()
    };
    let way = || {
        COMPASS
            .into_iter()
            .find(|way| way.to_string() == asked.text(1))
            .unwrap()
    };
    let tiles = |found: Vec<Tile>| listed(found.into_iter().map(said));
    match asked.name() {
        "ground" => quoted(board.ground(at())),
        "neighbours" => {
            let near = board
                .neighbours(at())
                .into_iter()
                .map(|(way, there)| format!("\"{}\":{}", way, said(there)));
            format!("{{{}}}", near.collect::<Vec<_>>().join(","))
        }
        "distance" => board.distance(at(), tile(asked, 2)).to_string(),
        "reaches" => board.reaches(kind(), tile(asked, 2), tile(asked, 3)).to_string(),
        "lane" => or_null(board.lane(at())),
        "lane_steps" => or_null(board.lane_steps(at(), asked.text(2))),
        "tower" => or_null(board.tower(at()).map(tower)),
        "unit" => or_null(board.unit(at()).map(unit)),
        "towers" => tiles(board.towers(asked.text(1))),
        "mercenaries" => tiles(board.mercenaries(asked.text(1))),
        "demons" => tiles(board.demons(asked.text(1))),
        "sites" => tiles(board.sites()),
        "exits" => listed(board.exits().into_iter().map(quoted)),
        "gold" => board.gold.to_string(),
        "price" => board.price(kind()).to_string(),
        "build_order" => quoted(build_order(kind(), tile(asked, 2))),
        "destroy_order" => quoted(destroy_order(at())),
        "hire_order" => quoted(hire_order(way())),
        "provoke_order" => quoted(provoke_order()),
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
