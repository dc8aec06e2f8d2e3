//! Helpers for Minions: the maps, distances, what is where, and orders. Needs json.rs of the starter kit.
//!
//!     mod minions;
//!     use minions::{move_order, Board};
//!
//!     let mut board = Board::new(member(message, "setting"), member(message, "seat")); // once, from hello
//!     board.update(member(message, "view")); // each turn, and whenever an update has a view
//!     for hex in board.units(1, &board.seat) {
//!         if let Some(target) = board.moves(1, &hex).first() {
//!             println!("{{\"type\":\"order\",\"order\":\"{}\"}}", move_order(1, &hex, target));
//!         }
//!     }
//!
//! Boards are numbered from 1. A hex is its name, such as "c2". Numbers in brackets are paragraphs of the rule book.

#![allow(dead_code)]

use crate::json::{elements, member, string, whole};
use std::collections::{BTreeMap, VecDeque};

const STEPS: [(i32, i32); 6] = [(-1, 0), (1, 0), (0, 1), (-1, 1), (0, -1), (1, -1)]; // (1.2)

/// A unit on a board, with the figures of its type (3.1).
#[derive(Clone, Debug)]
pub struct Unit {
    pub side: String,
    pub kind: String,   // its type, such as Zombie
    pub letter: String, // N for necromancers
    pub damage: i32,
    pub speed: i32,
    pub range: i32,
    pub flying: bool,
    pub spawn: bool, // units are spawned next to it
    pub fresh: bool, // was spawned this turn
    pub done: bool,  // has moved, has attacked or was spawned this turn, so it cannot move
}

#[derive(Clone)]
struct Facts {
    speed: i32,
    range: i32,
    flying: bool,
    spawn: bool,
}

#[derive(Default)]
struct OneBoard {
    state: String,
    ground: Vec<u8>, // G, W or a blank
    units: BTreeMap<usize, Unit>,
    zones: BTreeMap<(String, String), i32>, // side and type
    barred: bool,                           // no moves here now
}

/// All boards of the match as they are now.
pub struct Board {
    pub seat: String,
    side: String, // to move
    money: BTreeMap<&'static str, i32>,
    types: BTreeMap<(String, bool), Facts>, // by name; true: a necromancer, which may share its name with a unit
    boards: Vec<OneBoard>,
}

impl Board {
    pub fn new(setting: &str, seat: &str) -> Board {
        let mut types = BTreeMap::new();
        for (list, necromancers) in [("units", false), ("necromancers", true)] {
            for facts in elements(member(setting, list)) {
                let has = |word: &str| {
                    elements(member(facts, "keywords"))
                        .into_iter()
                        .any(|has| string(has) == word)
                };
                let (speed, range) = (whole(member(facts, "speed")), whole(member(facts, "range")));
                let figures = Facts {
                    speed,
                    range,
                    flying: has("Flying"),
                    spawn: has("Spawn"),
                };
                types.insert((string(member(facts, "name")).to_string(), necromancers), figures);
            }
        }
        let maps = elements(member(setting, "maps")).into_iter();
        let boards = maps
            .map(|map| OneBoard {
                ground: read(string(map)),
                ..OneBoard::default()
            })
            .collect();
        Board {
            seat: string(seat).to_string(),
            side: String::new(),
            money: BTreeMap::new(),
            types,
            boards,
        }
    }

    /// Reads the view of this turn.
    pub fn update(&mut self, view: &str) {
        self.side = string(member(view, "side")).to_string();
        for side in ["yellow", "blue"] {
            self.money.insert(side, whole(member(member(view, "money"), side)));
        }
        for (board, seen) in self.boards.iter_mut().zip(elements(member(view, "boards"))) {
            let is = |name| member(seen, name) == "true";
            board.state = string(member(seen, "state")).to_string();
            board.barred = is("due") || is("closed") || is("resigned") || board.state == "reset+0";
            for side in ["yellow", "blue"] {
                for (name, _) in self.types.keys() {
                    let count = whole(member(member(member(seen, "zones"), side), name));
                    board.zones.insert((side.to_string(), name.clone()), count);
                }
            }
            board.units.clear();
            for unit in elements(member(seen, "units")) {
                let text = |name| string(member(unit, name)).to_string();
                let (kind, letter, fresh) = (text("type"), text("letter"), member(unit, "fresh") == "true");
                let facts = self.types[&(kind.clone(), letter == "N")].clone();
                let found = Unit {
                    side: text("side"),
                    kind,
                    letter,
                    damage: whole(member(unit, "damage")),
                    speed: facts.speed,
                    range: facts.range,
                    flying: facts.flying,
                    spawn: facts.spawn,
                    fresh,
                    done: fresh || member(unit, "moved") == "true" || whole(member(unit, "used")) > 0,
                };
                board.units.insert(number(&text("hex")), found);
            }
        }
    }

    // ---- the map

    /// What a hex is: "plain", "graveyard" or "water" (1.4).
    pub fn ground(&self, board: usize, hex: &str) -> &'static str {
        match self.boards[board - 1].ground[number(hex)] {
            b'G' => "graveyard",
            b'W' => "water",
            _ => "plain",
        }
    }

    /// The graveyards of a board, rank by rank.
    pub fn graveyards(&self, board: usize) -> Vec<String> {
        (0..100)
            .map(name)
            .filter(|hex| self.ground(board, hex) == "graveyard")
            .collect()
    }

    /// The hexes next to this one (1.2).
    pub fn neighbours(&self, hex: &str) -> Vec<String> {
        let (x, y) = point(hex);
        let near = STEPS.iter().map(|(dx, dy)| (x + dx, y + dy));
        near.filter(|(x, y)| (0..10).contains(x) && (0..10).contains(y))
            .map(|(x, y)| name((10 * y + x) as usize))
            .collect()
    }

    /// The distance between two hexes, whatever lies between them (1.3).
    pub fn distance(&self, a: &str, b: &str) -> i32 {
        let ((ax, ay), (bx, by)) = (point(a), point(b));
        let (dx, dy) = (ax - bx, ay - by);
        dx.abs().max(dy.abs()).max((dx + dy).abs())
    }

    /// The steps of the unit on `start` to another hex, around water and enemies, or over them if it flies; None if
    /// there is no way. Its speed does not count here, and friends never block (5.9, 7.1).
    pub fn walk(&self, board: usize, start: &str, target: &str) -> Option<i32> {
        self.walks(board, start).get(target).copied()
    }

    /// The empty hexes to which the unit on `hex` can move now, rank by rank (5).
    pub fn moves(&self, board: usize, hex: &str) -> Vec<String> {
        let Some(unit) = self.unit(board, hex) else {
            return Vec::new();
        };
        if unit.done || self.boards[board - 1].barred || unit.side != self.side {
            return Vec::new();
        }
        let walks = self.walks(board, hex);
        let near = |to: &String| walks.get(to).map_or(false, |steps| *steps <= unit.speed);
        (0..100)
            .map(name)
            .filter(|to| near(to) && self.unit(board, to).is_none())
            .collect()
    }

    fn walks(&self, board: usize, start: &str) -> BTreeMap<String, i32> {
        let Some(unit) = self.unit(board, start) else {
            return BTreeMap::new();
        };
        if unit.flying {
            return (0..100)
                .map(name)
                .map(|hex| (hex.clone(), self.distance(start, &hex)))
                .collect();
        }
        let mut found = BTreeMap::from([(start.to_string(), 0)]);
        let mut queue = VecDeque::from([start.to_string()]);
        while let Some(here) = queue.pop_front() {
            for hex in self.neighbours(&here) {
                let enemy = self.unit(board, &hex).map_or(false, |other| other.side != unit.side);
                if !found.contains_key(&hex) && !enemy && self.ground(board, &hex) != "water" {
                    found.insert(hex.clone(), found[&here] + 1);
                    queue.push_back(hex);
                }
            }
        }
        found
    }

    // ---- what is where

    /// The state of a board: "turn1", "normal", "reset+0", "reset+1" or "reset+2" (10.1).
    pub fn state(&self, board: usize) -> &str {
        &self.boards[board - 1].state
    }

    /// The unit on a hex.
    pub fn unit(&self, board: usize, hex: &str) -> Option<&Unit> {
        self.boards[board - 1].units.get(&number(hex))
    }

    /// The hexes with units of a side, rank by rank.
    pub fn units(&self, board: usize, side: &str) -> Vec<String> {
        let units = self.boards[board - 1].units.iter();
        units
            .filter(|(_, unit)| unit.side == side)
            .map(|(hex, _)| name(*hex))
            .collect()
    }

    /// The hexes with enemies in range of the unit on `hex` (6.2).
    pub fn targets(&self, board: usize, hex: &str) -> Vec<String> {
        let Some(unit) = self.unit(board, hex) else {
            return Vec::new();
        };
        let enemies = self.units(board, if unit.side == "yellow" { "blue" } else { "yellow" });
        enemies
            .into_iter()
            .filter(|there| self.distance(hex, there) <= unit.range)
            .collect()
    }

    /// The hexes on which you can spawn a unit of a type, rank by rank (9.5 to 9.8). Whether you have such a unit, and
    /// a spawn phase on this board, is another question.
    pub fn spawns(&self, board: usize, kind: &str) -> Vec<String> {
        let flying = self.types[&(kind.to_string(), false)].flying;
        let spawner = |unit: &Unit| unit.side == self.seat && unit.spawn && !unit.fresh;
        let beside = |hex: &str| {
            self.neighbours(hex)
                .iter()
                .any(|near| self.unit(board, near).map_or(false, spawner))
        };
        let fits = |hex: &str| self.unit(board, hex).is_none() && (flying || self.ground(board, hex) != "water");
        (0..100).map(name).filter(|hex| fits(hex) && beside(hex)).collect()
    }

    /// How many units of a type, such as "Zombie", wait in a side's zone (2.4).
    pub fn in_zone(&self, board: usize, side: &str, kind: &str) -> i32 {
        self.boards[board - 1].zones[&(side.to_string(), kind.to_string())]
    }

    /// What a side has in its purse (2.5).
    pub fn money(&self, side: &str) -> i32 {
        self.money[side]
    }
}

/// The 100 hexes of a map (15.1).
fn read(rows: &str) -> Vec<u8> {
    let mut found = Vec::new();
    for sign in rows.bytes() {
        match sign {
            b'G' | b'W' => found.push(sign),
            b'0' => found.extend([b' '; 10]),
            b'1'..=b'9' => found.extend(vec![b' '; usize::from(sign - b'0')]),
            _ => {}
        }
    }
    found
}

fn point(hex: &str) -> (i32, i32) {
    let bytes = hex.as_bytes();
    (
        i32::from(bytes[0]) - i32::from(b'a'),
        i32::from(bytes[1]) - i32::from(b'0'),
    )
}

fn number(hex: &str) -> usize {
    let (x, y) = point(hex);
    (10 * y + x) as usize
}

fn name(number: usize) -> String {
    format!("{}{}", char::from(b'a' + (number % 10) as u8), number / 10)
}

// ---- orders

/// Moves one unit (5).
pub fn move_order(board: usize, start: &str, target: &str) -> String {
    format!("{} move {}-{}", board, start, target)
}

/// Moves several units at once, so that they can change places (5.10): start and target of each.
pub fn tick_order(board: usize, moves: &[(&str, &str)]) -> String {
    let moves: Vec<String> = moves
        .iter()
        .map(|(start, target)| format!("{}-{}", start, target))
        .collect();
    format!("{} tick {}", board, moves.join(" "))
}

/// The unit on one hex attacks the one on another (6).
pub fn attack_order(board: usize, start: &str, target: &str) -> String {
    format!("{} attack {}-{}", board, start, target)
}

/// Buys a unit, named by its letter or its name (9.3).
pub fn buy_order(board: usize, unit: &str) -> String {
    format!("{} buy {}", board, unit)
}

/// Spawns a unit of the zone (9.4).
pub fn spawn_order(board: usize, unit: &str, hex: &str) -> String {
    format!("{} spawn {} {}", board, unit, hex)
}

/// Chooses a necromancer and the unit of the zone to keep (10.7, 10.10).
pub fn choose_order(board: usize, necromancer: &str, keep: &str) -> String {
    format!("{} choose {} keep {}", board, necromancer, keep)
}

/// Gives up a board (13.1).
pub fn resign_order(board: usize) -> String {
    format!("{} resign", board)
}

/// Puts a spell under the first card where you have none (8.4).
pub fn march_order() -> String {
    "march".to_string()
}

/// Puts a second spell under a card; places count from 1 (8.5).
pub fn tech_order(card: usize) -> String {
    format!("tech {}", card)
}

/// Ends the turn (4.8).
pub fn end_order() -> String {
    "end".to_string()
}
