//! Helpers for Monad: the map, distances, who is where, and orders. Needs json.rs of the starter kit.
//!
//!     mod monad;
//!     use monad::{move_order, Board, Tile};
//!
//!     let mut board = Board::new(member(message, "setting"), member(message, "seat")); // once, from hello
//!     board.update(member(message, "view")); // each turn
//!     for tile in board.stacks(&board.seat) {
//!         if let Some(&way) = board.towards(tile, Tile { x: 4, y: 7 }).first() {
//!             let order = move_order(tile, way, board.units(tile));
//!             println!("{{\"type\":\"order\",\"order\":\"{}\"}}", order);
//!         }
//!     }
//!
//! Numbers in brackets are paragraphs of the rule book.

#![allow(dead_code)]

use crate::json::{elements, member, numbers, string, whole};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

/// Column and row. Tiles compare in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub x: i32,
    pub y: i32,
}

impl Ord for Tile {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for Tile {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Tile {
    /// The tile next to this one in a direction (1.2).
    pub fn beside(self, way: Direction) -> Tile {
        let (dx, dy) = [(0, -1), (1, 0), (0, 1), (-1, 0)][way as usize];
        Tile {
            x: self.x + dx,
            y: self.y + dy,
        }
    }

    fn of(object: &str) -> Tile {
        Tile {
            x: whole(member(object, "x")),
            y: whole(member(object, "y")),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Right,
    Down,
    Left,
}

pub const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

impl fmt::Display for Direction {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(["up", "right", "down", "left"][*self as usize])
    }
}

/// A building, by its core.
#[derive(Clone, Debug)]
pub struct Building {
    pub owner: String,
    pub direction: Direction,
    pub points: i32,
}

/// The whole board as it is now.
pub struct Board {
    pub seat: String,
    pub stock: i32, // mine
    start_ore: BTreeMap<Tile, i32>,
    ore: BTreeMap<Tile, i32>,
    stacks: BTreeMap<Tile, (String, i32)>,
    buildings: BTreeMap<Tile, Building>,
    covered: BTreeSet<Tile>,
}

impl Board {
    pub fn new(setting: &str, seat: &str) -> Board {
        let mut start_ore = BTreeMap::new();
        for (row, y) in elements(member(setting, "ore")).into_iter().zip(0..) {
            for (ore, x) in numbers(row).into_iter().zip(0..) {
                if ore >= 0 {
                    start_ore.insert(Tile { x, y }, ore);
                }
            }
        }
        Board {
            seat: string(seat).to_string(),
            stock: 0,
            ore: start_ore.clone(),
            start_ore,
            stacks: BTreeMap::new(),
            buildings: BTreeMap::new(),
            covered: BTreeSet::new(),
        }
    }

    /// Reads the view of this turn.
    pub fn update(&mut self, view: &str) {
        self.stock = whole(member(member(view, "stock"), &self.seat));
        self.ore = self.start_ore.clone();
        let left = elements(member(view, "ore")).into_iter();
        self.ore
            .extend(left.map(|ore| (Tile::of(ore), whole(member(ore, "left")))));
        let stacks = elements(member(view, "stacks")).into_iter();
        let named = |object| string(member(object, "owner")).to_string();
        self.stacks = stacks
            .map(|stack| (Tile::of(stack), (named(stack), whole(member(stack, "units")))))
            .collect();
        self.buildings.clear();
        self.covered.clear();
        for building in elements(member(view, "buildings")) {
            let word = string(member(building, "direction"));
            let direction = DIRECTIONS
                .into_iter()
                .find(|way| way.to_string() == word)
                .unwrap_or(Direction::Right);
            let found = Building {
                owner: named(building),
                direction,
                points: whole(member(building, "points")),
            };
            self.covered.extend(block(Tile::of(building), direction));
            self.buildings.insert(Tile::of(building), found);
        }
    }

    // ---- the map

    /// Whether nobody can enter a tile: it is blocked (1.4) or not on the board.
    pub fn blocked(&self, tile: Tile) -> bool {
        !self.start_ore.contains_key(&tile)
    }

    /// The tiles that a unit can enter from here, by direction (1.2, 4.1).
    pub fn neighbours(&self, tile: Tile) -> Vec<(Direction, Tile)> {
        let near = DIRECTIONS.into_iter().map(|way| (way, tile.beside(way)));
        near.filter(|(_, there)| !self.blocked(*there)).collect()
    }

    /// The number of moves from tile to tile, around blocked tiles; None if there is no way.
    pub fn distance(&self, start: Tile, target: Tile) -> Option<i32> {
        self.distances(target).get(&start).copied()
    }

    /// Every direction that begins a shortest way; empty if there is none, or if you are there.
    pub fn towards(&self, start: Tile, target: Tile) -> Vec<Direction> {
        let steps = self.distances(target);
        let Some(here) = steps.get(&start) else {
            return Vec::new();
        };
        let near = self.neighbours(start).into_iter();
        near.filter(|(_, there)| steps[there] < *here)
            .map(|(way, _)| way)
            .collect()
    }

    /// The distances of all tiles from which the target can be reached.
    pub fn distances(&self, target: Tile) -> BTreeMap<Tile, i32> {
        let mut found = BTreeMap::new();
        let mut queue = VecDeque::new();
        if !self.blocked(target) {
            found.insert(target, 0);
            queue.push_back(target);
        }
        while let Some(tile) = queue.pop_front() {
            for (_, there) in self.neighbours(tile) {
                if !found.contains_key(&there) {
                    found.insert(there, found[&tile] + 1);
                    queue.push_back(there);
                }
            }
        }
        found
    }

    // ---- what is where

    /// Whose units stand on a tile.
    pub fn owner(&self, tile: Tile) -> Option<&str> {
        self.stacks.get(&tile).map(|(owner, _)| owner.as_str())
    }

    /// How many units stand on a tile, whoever owns them.
    pub fn units(&self, tile: Tile) -> i32 {
        self.stacks.get(&tile).map_or(0, |(_, units)| *units)
    }

    /// How much ore is left on a tile.
    pub fn ore(&self, tile: Tile) -> i32 {
        self.ore.get(&tile).copied().unwrap_or(0)
    }

    /// The tiles with units of a player, in reading order.
    pub fn stacks(&self, owner: &str) -> Vec<Tile> {
        self.stacks
            .keys()
            .copied()
            .filter(|tile| self.owner(*tile) == Some(owner))
            .collect()
    }

    /// The building whose core is on this tile (5.1).
    pub fn building(&self, tile: Tile) -> Option<&Building> {
        self.buildings.get(&tile)
    }

    /// The cores of a player's buildings, in reading order.
    pub fn cores(&self, owner: &str) -> Vec<Tile> {
        let owned = self.buildings.iter().filter(|(_, building)| building.owner == owner);
        owned.map(|(tile, _)| *tile).collect()
    }

    /// Whether a tile is part of a building.
    pub fn covered(&self, tile: Tile) -> bool {
        self.covered.contains(&tile)
    }

    /// The directions in which a building has room here (5.3). Whether you can pay for it is another question.
    pub fn sites(&self, core: Tile) -> Vec<Direction> {
        let free = |tile: &Tile| !self.blocked(*tile) && !self.covered(*tile);
        DIRECTIONS
            .into_iter()
            .filter(|way| block(core, *way).iter().all(free))
            .collect()
    }
}

/// The four tiles of a building, the core first (5.2).
pub fn block(core: Tile, way: Direction) -> [Tile; 4] {
    let (dx, dy) = [(1, -1), (1, 1), (-1, 1), (-1, -1)][way as usize];
    let (x, y) = (core.x + dx, core.y + dy);
    [core, Tile { x, y: core.y }, Tile { x: core.x, y }, Tile { x, y }]
}

// ---- orders

/// Units go one step (4.1).
pub fn move_order(tile: Tile, direction: Direction, number: i32) -> String {
    format!("move {},{} {} {}", tile.x, tile.y, direction, number)
}

/// Units found a building (5); one is enough.
pub fn build_order(tile: Tile, direction: Direction, number: i32) -> String {
    format!("build {},{} {} {}", tile.x, tile.y, direction, number)
}

/// Units work in your building; 5 count (6.1, 6.3).
pub fn work_order(tile: Tile, number: i32) -> String {
    format!("work {},{} {}", tile.x, tile.y, number)
}

/// Units mine, 1 ore each (7.1).
pub fn mine_order(tile: Tile, number: i32) -> String {
    format!("mine {},{} {}", tile.x, tile.y, number)
}
