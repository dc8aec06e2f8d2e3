//! Answers questions with the helper for Monad in Rust.

mod driving;
mod json;
mod monad;

use driving::{answer_all, listed, or_null, quoted, Asked};
use monad::*;

fn tile(asked: &Asked, i: usize) -> Tile {
    let pair = asked.list(i);
    Tile {
        x: json::whole(pair[0]),
        y: json::whole(pair[1]),
    }
}

fn way(asked: &Asked, i: usize) -> Direction {
    DIRECTIONS
        .into_iter()
        .find(|way| way.to_string() == asked.text(i))
        .unwrap()
}

fn said(tile: Tile) -> String {
    format!("[{},{}]", tile.x, tile.y)
}

fn building(found: &Building) -> String {
    format!("[\"{}\",\"{}\",{}]", found.owner, found.direction, found.points)
}

fn answer(board: &Board, asked: &Asked) -> String {
    let (at, to) = (|| tile(asked, 1), || tile(asked, 2));
    match asked.name() {
        "blocked" => board.blocked(at()).to_string(),
        "neighbours" => {
            let near = board
                .neighbours(at())
                .into_iter()
                .map(|(way, there)| format!("\"{}\":{}", way, said(there)));
            format!("{{{}}}", near.collect::<Vec<_>>().join(","))
        }
        "distance" => or_null(board.distance(at(), to())),
        "towards" => listed(board.towards(at(), to()).into_iter().map(quoted)),
        "owner" => or_null(board.owner(at()).map(quoted)),
        "units" => board.units(at()).to_string(),
        "ore" => board.ore(at()).to_string(),
        "stacks" => listed(board.stacks(asked.text(1)).into_iter().map(said)),
        "building" => or_null(board.building(at()).map(building)),
        "cores" => listed(board.cores(asked.text(1)).into_iter().map(said)),
        "covered" => board.covered(at()).to_string(),
        "sites" => listed(board.sites(at()).into_iter().map(quoted)),
        "stock" => board.stock.to_string(),
        "move_order" => quoted(move_order(at(), way(asked, 2), asked.number(3))),
        "build_order" => quoted(build_order(at(), way(asked, 2), asked.number(3))),
        "work_order" => quoted(work_order(at(), asked.number(2))),
        "mine_order" => quoted(mine_order(at(), asked.number(2))),
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
