//! Helpers for Demons: the map, lanes and ranges, what is where, and orders. Needs json.rs of the starter kit.
//!
//!     mod demons;
//!     use demons::{build_order, Board, Kind};
//!
//!     let mut board = Board::new(member(message, "setting"), member(message, "seat")); // once, from hello
//!     board.update(member(message, "view")); // each turn
//!     if board.gold >= board.price(Kind::House) {
//!         let order = build_order(Kind::House, board.sites()[0]);
//!         println!("{{\"type\":\"order\",\"order\":\"{}\"}}", order);
//!     }
//!
//! Numbers in brackets are paragraphs of the rule book.

#![allow(dead_code)]

use crate::json::{elements, find, member, numbers, string, whole};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    pub x: i32,
    pub y: i32,
}

impl Tile {
    /// The tile next to this one in a direction (1.2).
    pub fn beside(self, way: Compass) -> Tile {
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

    fn of_pair(pair: &str) -> Tile {
        Tile {
            x: numbers(pair)[0],
            y: numbers(pair)[1],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compass {
    N,
    E,
    S,
    W,
}

pub const COMPASS: [Compass; 4] = [Compass::N, Compass::E, Compass::S, Compass::W];

impl fmt::Display for Compass {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(["N", "E", "S", "W"][*self as usize])
    }
}

/// A kind of tower. There are churches only under the rules of the finals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    House,
    Crossbow,
    Cannon,
    Minigun,
    Church,
}

pub const KINDS: [Kind; 5] = [Kind::House, Kind::Crossbow, Kind::Cannon, Kind::Minigun, Kind::Church];

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(["house", "crossbow", "cannon", "minigun", "church"][*self as usize])
    }
}

/// A tower on a tile.
#[derive(Clone, Debug)]
pub struct Tower {
    pub kind: Kind,
    pub owner: String,
    pub cooldown: i32,
}

/// A unit on a tile: a mercenary and its owner, or a demon and its target.
#[derive(Clone, Debug)]
pub struct Unit {
    pub kind: String,
    pub side: String,
    pub health: i32,
    pub damage: i32,
}

/// The board as it is now.
pub struct Board {
    pub seat: String,
    pub gold: i32, // mine
    rows: Vec<String>,
    lanes: Vec<Vec<Tile>>,
    covers: BTreeMap<Kind, Vec<Tile>>, // in steps east and south
    prices: BTreeMap<Kind, i32>,
    exits: Vec<Compass>,
    towers: Vec<(Tile, Tower)>,
    units: Vec<(Tile, Unit)>,
}

impl Board {
    pub fn new(setting: &str, seat: &str) -> Board {
        let tiles = |list: &str| elements(list).into_iter().map(Tile::of_pair).collect::<Vec<_>>();
        let covers = member(member(setting, "guide"), "covers");
        Board {
            seat: string(seat).to_string(),
            gold: 0,
            rows: elements(member(setting, "rows"))
                .into_iter()
                .map(|row| string(row).to_string())
                .collect(),
            lanes: elements(member(setting, "lanes")).into_iter().map(tiles).collect(),
            covers: KINDS
                .into_iter()
                .map(|kind| (kind, tiles(member(covers, &kind.to_string()))))
                .collect(),
            prices: BTreeMap::new(),
            exits: Vec::new(),
            towers: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Reads the view of this turn.
    pub fn update(&mut self, view: &str) {
        let base = member(member(view, "bases"), &self.seat);
        let queued = member(base, "queued");
        self.gold = whole(member(base, "gold"));
        self.exits = COMPASS
            .into_iter()
            .filter(|way| find(queued, &way.to_string()).is_some())
            .collect();
        let prices = member(member(view, "prices"), &self.seat);
        self.prices = KINDS
            .into_iter()
            .map(|kind| (kind, whole(member(prices, &kind.to_string()))))
            .collect();
        let text = |object, name| string(member(object, name)).to_string();
        self.towers.clear();
        for tower in elements(member(view, "towers")) {
            let (word, cooldown) = (text(tower, "kind"), whole(member(tower, "cooldown")));
            let kind = KINDS
                .into_iter()
                .find(|kind| kind.to_string() == word)
                .unwrap_or(Kind::House);
            self.towers.push((
                Tile::of(tower),
                Tower {
                    kind,
                    owner: text(tower, "owner"),
                    cooldown,
                },
            ));
        }
        self.units.clear();
        for unit in elements(member(view, "units")) {
            let (health, damage) = (whole(member(unit, "health")), whole(member(unit, "damage")));
            let found = Unit {
                kind: text(unit, "kind"),
                side: text(unit, "side"),
                health,
                damage,
            };
            self.units.push((Tile::of(unit), found));
        }
    }

    // ---- the map

    /// What a square is: "red" or "blue" territory, "path", "base" or "abyss" (1.1).
    pub fn ground(&self, tile: Tile) -> &'static str {
        let row = usize::try_from(tile.y).ok().and_then(|y| self.rows.get(y));
        let sign = row.and_then(|row| usize::try_from(tile.x).ok().and_then(|x| row.as_bytes().get(x)));
        match sign {
            None | Some(b'.') => "abyss",
            Some(b'r' | b'p') => "red",
            Some(b'b' | b'q') => "blue",
            Some(b'R' | b'B') => "base",
            Some(_) => "path",
        }
    }

    /// The tiles next to this one, by direction, without the abyss (1.2).
    pub fn neighbours(&self, tile: Tile) -> Vec<(Compass, Tile)> {
        let near = COMPASS.into_iter().map(|way| (way, tile.beside(way)));
        near.filter(|(_, there)| self.ground(*there) != "abyss").collect()
    }

    /// Squares along rows and columns, as the range of towers counts (8.3). For lanes see `lane_steps`.
    pub fn distance(&self, a: Tile, b: Tile) -> i32 {
        (a.x - b.x).abs() + (a.y - b.y).abs()
    }

    /// Whether a tower of this kind on one tile has another in its range, under the rules of this match (8.3).
    pub fn reaches(&self, kind: Kind, tower: Tile, target: Tile) -> bool {
        self.covers[&kind].contains(&Tile {
            x: target.x - tower.x,
            y: target.y - tower.y,
        })
    }

    /// The number of the lane on which a tile lies, as red counts them (1.8).
    pub fn lane(&self, tile: Tile) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.contains(&tile))
    }

    /// The number of steps along the lane from a tile to a player's base (1.4).
    pub fn lane_steps(&self, tile: Tile, player: &str) -> Option<usize> {
        let lane = &self.lanes[self.lane(tile)?];
        let place = lane.iter().position(|there| *there == tile)?;
        Some(if player == "red" { place + 1 } else { lane.len() - place })
    }

    // ---- what is where

    /// The tower on a tile.
    pub fn tower(&self, tile: Tile) -> Option<&Tower> {
        self.towers.iter().find(|(at, _)| *at == tile).map(|(_, tower)| tower)
    }

    /// The unit on a tile.
    pub fn unit(&self, tile: Tile) -> Option<&Unit> {
        self.units.iter().find(|(at, _)| *at == tile).map(|(_, unit)| unit)
    }

    /// The tiles with towers of a player.
    pub fn towers(&self, owner: &str) -> Vec<Tile> {
        self.towers
            .iter()
            .filter(|(_, tower)| tower.owner == owner)
            .map(|(tile, _)| *tile)
            .collect()
    }

    /// The tiles with mercenaries of a player.
    pub fn mercenaries(&self, owner: &str) -> Vec<Tile> {
        self.units_of("mercenary", owner)
    }

    /// The tiles with demons on their way to a player's base.
    pub fn demons(&self, target: &str) -> Vec<Tile> {
        self.units_of("demon", target)
    }

    fn units_of(&self, kind: &str, side: &str) -> Vec<Tile> {
        let found = self
            .units
            .iter()
            .filter(|(_, unit)| unit.kind == kind && unit.side == side);
        found.map(|(tile, _)| *tile).collect()
    }

    /// The tiles on which you can build: your territory without towers (3.3, 3.4), row by row.
    pub fn sites(&self) -> Vec<Tile> {
        let rows = self.rows.iter().zip(0..);
        let tiles = rows.flat_map(|(row, y)| (0..row.len() as i32).map(move |x| Tile { x, y }));
        tiles
            .filter(|tile| self.ground(*tile) == self.seat && self.tower(*tile).is_none())
            .collect()
    }

    /// The directions in which you can send mercenaries (4.2).
    pub fn exits(&self) -> Vec<Compass> {
        self.exits.clone()
    }

    /// What a tower costs you now (8.1, 11.4).
    pub fn price(&self, kind: Kind) -> i32 {
        self.prices[&kind]
    }
}

// ---- orders

/// Builds a tower (3.2).
pub fn build_order(kind: Kind, tile: Tile) -> String {
    format!("build {} {},{}", kind, tile.x, tile.y)
}

/// Destroys one of your towers (3.7).
pub fn destroy_order(tile: Tile) -> String {
    format!("destroy {},{}", tile.x, tile.y)
}

/// Hires a mercenary and sends it this way (4.1).
pub fn hire_order(direction: Compass) -> String {
    format!("hire {}", direction)
}

/// Provokes the demons, under the rules of the finals (11.10).
pub fn provoke_order() -> String {
    "provoke".to_string()
}
