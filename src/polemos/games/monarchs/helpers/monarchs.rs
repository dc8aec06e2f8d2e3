//! Helpers for Monarchs: the map, distances, who is where, and orders. Needs json.rs of the starter kit.
//!
//!     mod monarchs;
//!     use monarchs::{march_order, Board};
//!
//!     let mut board = Board::new(member(message, "setting"), member(message, "seat")); // once, from hello
//!     board.update(member(message, "view")); // each turn
//!     for hex in board.armies(&board.seat) {
//!         if let Some(target) = board.towards(hex, &board.centre).first() {
//!             let order = march_order(hex, target, board.regiments(hex));
//!             println!("{{\"type\":\"order\",\"order\":\"{}\"}}", order);
//!         }
//!     }
//!
//! A hex is its name, such as "G5". Numbers in brackets are paragraphs of the rule book.

#![allow(dead_code)]

use crate::json::{member, string, whole};
use std::collections::BTreeMap;

/// Row by row from the top (1.1).
pub const HEXES: [&str; 61] = [
    "E9", "G9", "I9", "K9", "M9", "D8", "F8", "H8", "J8", "L8", "N8", "C7", "E7", "G7", "I7", "K7", "M7", "O7", "B6",
    "D6", "F6", "H6", "J6", "L6", "N6", "P6", "A5", "C5", "E5", "G5", "I5", "K5", "M5", "O5", "Q5", "B4", "D4", "F4",
    "H4", "J4", "L4", "N4", "P4", "C3", "E3", "G3", "I3", "K3", "M3", "O3", "D2", "F2", "H2", "J2", "L2", "N2", "E1",
    "G1", "I1", "K1", "M1",
];

struct Ground {
    owner: Option<String>,
    regiments: i32,
}

/// The board as far as it is in sight.
pub struct Board {
    pub seat: String,
    pub centre: String,
    bases: BTreeMap<&'static str, String>,
    seen: BTreeMap<&'static str, Ground>,
}

impl Board {
    pub fn new(setting: &str, seat: &str) -> Board {
        let base = |nation| string(member(member(setting, "bases"), nation)).to_string();
        Board {
            seat: string(seat).to_string(),
            centre: string(member(setting, "centre")).to_string(),
            bases: ["red", "green", "blue"]
                .into_iter()
                .map(|nation| (nation, base(nation)))
                .collect(),
            seen: BTreeMap::new(),
        }
    }

    /// Reads the view of this turn.
    pub fn update(&mut self, view: &str) {
        self.seen.clear();
        for hex in HEXES {
            let ground = member(member(view, "hexes"), hex);
            if ground != "null" {
                let owner = Some(member(ground, "owner")).filter(|owner| *owner != "null");
                let owner = owner.map(|owner| string(owner).to_string());
                self.seen.insert(
                    hex,
                    Ground {
                        owner,
                        regiments: whole(member(ground, "regiments")),
                    },
                );
            }
        }
    }

    // ---- the map

    /// All 61 hexes, row by row from the top (1.1).
    pub fn hexes(&self) -> Vec<&'static str> {
        HEXES.to_vec()
    }

    /// The hexes next to this one, clockwise from the left (1.2).
    pub fn neighbours(&self, hex: &str) -> Vec<&'static str> {
        let (x, y) = point(hex);
        let around = [(-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1)].into_iter();
        around
            .filter_map(|(dx, dy)| HEXES.into_iter().find(|there| point(there) == (x + dx, y + dy)))
            .collect()
    }

    /// The home base of a nation (1.3).
    pub fn base(&self, nation: &str) -> &str {
        &self.bases[nation]
    }

    /// The number of steps between two hexes (1.2). Nothing is in the way of an army.
    pub fn distance(&self, a: &str, b: &str) -> i32 {
        let ((ax, ay), (bx, by)) = (point(a), point(b));
        let (columns, rows) = ((ax - bx).abs(), (ay - by).abs());
        rows + (columns - rows).max(0) / 2
    }

    /// The neighbours that are one step nearer to the target; empty if you are there.
    pub fn towards(&self, start: &str, target: &str) -> Vec<&'static str> {
        let here = self.distance(start, target);
        self.neighbours(start)
            .into_iter()
            .filter(|hex| self.distance(hex, target) < here)
            .collect()
    }

    // ---- what is where

    /// Whether a hex is in sight (9.1).
    pub fn seen(&self, hex: &str) -> bool {
        self.seen.contains_key(hex)
    }

    /// The owner of a hex; None if it is unclaimed or out of sight.
    pub fn owner(&self, hex: &str) -> Option<&str> {
        self.seen.get(hex)?.owner.as_deref()
    }

    /// The regiments on a hex, all of its owner; 0 if it is out of sight.
    pub fn regiments(&self, hex: &str) -> i32 {
        self.seen.get(hex).map_or(0, |ground| ground.regiments)
    }

    /// The hexes in sight that a nation owns.
    pub fn land(&self, nation: &str) -> Vec<&'static str> {
        HEXES
            .into_iter()
            .filter(|hex| self.owner(hex) == Some(nation))
            .collect()
    }

    /// The hexes in sight with regiments of a nation.
    pub fn armies(&self, nation: &str) -> Vec<&'static str> {
        self.land(nation)
            .into_iter()
            .filter(|hex| self.regiments(hex) > 0)
            .collect()
    }
}

fn point(hex: &str) -> (i32, i32) {
    let bytes = hex.as_bytes();
    (i32::from(bytes[0]), i32::from(bytes[1]))
}

// ---- orders

/// Regiments go to a neighbouring hex (3.2).
pub fn march_order(start: &str, target: &str, number: i32) -> String {
    format!("{}-{} {}", start, target, number)
}

/// Your army fights better on this hex, this turn (3.7).
pub fn bless_order(hex: &str) -> String {
    format!("bless {}", hex)
}
