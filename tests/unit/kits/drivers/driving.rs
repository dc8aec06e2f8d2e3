//! For the drivers in Rust: reads questions, writes answers as JSON. See helping.py.

#![allow(dead_code)]

use crate::json::{elements, member, string, whole};
use std::io::BufRead;

pub struct Asked<'a>(Vec<&'a str>);

impl<'a> Asked<'a> {
    pub fn name(&self) -> &'a str {
        self.text(0)
    }

    pub fn text(&self, i: usize) -> &'a str {
        self.0.get(i).map_or("", |part| string(part))
    }

    pub fn number(&self, i: usize) -> i32 {
        self.0.get(i).map_or(0, |part| whole(part))
    }

    pub fn list(&self, i: usize) -> Vec<&'a str> {
        elements(self.0[i])
    }
}

pub fn quoted(text: impl std::fmt::Display) -> String {
    format!("\"{}\"", text)
}

pub fn listed(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

pub fn or_null<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or("null".to_string(), |value| value.to_string())
}

pub fn answer_all<B>(begin: fn(&str, &str, &str) -> B, answer: fn(&B, &Asked) -> String) {
    let mut board = None;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        if line.starts_with('{') {
            board = Some(begin(
                member(&line, "setting"),
                member(&line, "seat"),
                member(&line, "view"),
            ));
        } else {
            println!("{}", answer(board.as_ref().unwrap(), &Asked(elements(&line))));
        }
    }
}
