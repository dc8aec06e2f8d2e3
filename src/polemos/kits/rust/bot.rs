// A bot to begin with. It plays any game of Polemos: it chooses at random among what is lawful.
//
// The umpire writes one JSON object a line to our standard input; we answer with one JSON object a line on standard
// output. Whatever we write to standard error (eprintln!) is our log.
//
// Rust has no JSON in its standard library. This bot needs little of it: it finds pieces of the line and sends orders
// back as they came. If you want to read whole views, make a Cargo project of it and add serde_json.

use std::io::{self, BufRead, Write};
use std::ops::Range;

const MAX_ORDERS: u32 = 40; // in one turn
const ENOUGH: u64 = 10; // before each order we stop with a chance of one in so many

// ---- JSON: a value is a piece of the line

fn blanks(text: &str, mut at: usize) -> usize {
    while at < text.len() && b" \t\r\n".contains(&text.as_bytes()[at]) {
        at += 1;
    }
    at.min(text.len())
}

/// Behind the value that begins at an index.
fn skip(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(at) {
        Some(b'"') => {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 }; // \" does not end the string
            }
            (at + 1).min(bytes.len())
        }
        Some(b'{' | b'[') => {
            let mut depth = 0;
            loop {
                match bytes.get(at) {
                    None => return at,
                    Some(b'"') => {
                        at = skip(text, at); // brackets within strings do not count
                        continue;
                    }
                    Some(b'{' | b'[') => depth += 1,
                    Some(b'}' | b']') => depth -= 1,
                    Some(_) => {}
                }
                at += 1;
                if depth == 0 {
                    return at;
                }
            }
        }
        _ => {
            while at < bytes.len() && !b",]} \t\r\n".contains(&bytes[at]) {
                at += 1; // a number, true, false, null
            }
            at
        }
    }
}

/// Where the value of a field of an object stands. Fields of objects within it are not looked at.
fn find(object: &str, name: &str) -> Option<Range<usize>> {
    let mut at = blanks(object, 1);
    while object.starts_with('{') && object.as_bytes().get(at) == Some(&b'"') {
        let end = skip(object, at);
        let found = object[at..end].trim_matches('"') == name;
        at = blanks(object, blanks(object, end) + 1); // behind the colon
        let end = skip(object, at);
        if found {
            return Some(at..end);
        }
        at = blanks(object, blanks(object, end) + 1); // behind the comma
    }
    None
}

/// The value of a field as it stands there; "null" if there is none.
fn member<'a>(object: &'a str, name: &str) -> &'a str {
    find(object, name).map_or("null", |at| &object[at])
}

fn elements(array: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = blanks(array, 1);
    while array.starts_with('[') && at < array.len() && array.as_bytes()[at] != b']' {
        let end = skip(array, at);
        found.push(&array[at..end]);
        at = blanks(array, blanks(array, end) + 1); // behind the comma
    }
    found
}

// ---- dice with a seed of our own ("splitmix64")

struct Dice(u64);

impl Dice {
    /// 0 to number - 1.
    fn below(&mut self, number: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % number
    }
}

// ---- play

/// The order to give next, or None to end the turn. This is the place to become clever.
fn choose(options: &str, dice: &mut Dice) -> Option<String> {
    let mut options = elements(options);
    options.retain(|option| member(member(option, "order"), "order") != "\"resign\"");
    if options.is_empty() || dice.below(ENOUGH) == 0 {
        return None;
    }
    let option = options[dice.below(options.len() as u64) as usize];
    let order = member(option, "order");
    let (Ok(least), Ok(most)) = (
        member(option, "least").parse::<u64>(),
        member(option, "most").parse::<u64>(),
    ) else {
        return Some(order.to_string());
    };
    // The order has a number that we may choose: it replaces the one that stands there.
    let number = least + dice.below(most - least + 1);
    Some(match find(order, "number") {
        Some(old) => format!("{}{}{}", &order[..old.start], number, &order[old.end..]),
        None => format!("{{\"number\":{},{}", number, &order[1..]),
    })
}

fn main() -> io::Result<()> {
    let mut dice = Dice(0);
    let mut given = 0; // orders in this turn
    for line in io::stdin().lock().lines() {
        let line = line?;
        let message = line.trim();
        let kind = member(message, "type").trim_matches('"');
        let answer = match kind {
            "hello" => {
                // Once: who we are, and what never changes in this match. The same seed gives the same game.
                dice = Dice(member(message, "seed").parse().unwrap_or(0));
                "{\"type\":\"ready\",\"protocol\":1,\"name\":\"starter\",\"options\":true}".to_string()
            }
            "view" | "update" => {
                if kind == "view" {
                    given = 0; // a new turn; the field "view" is all that we may know
                }
                let fault = member(message, "fault"); // an update says so if our last order was refused
                if fault != "null" {
                    eprintln!("refused: {}", fault);
                }
                let more = fault == "null" && given < MAX_ORDERS;
                let order = if more {
                    choose(member(message, "options"), &mut dice)
                } else {
                    None
                };
                match order {
                    Some(order) => {
                        given += 1;
                        format!("{{\"type\":\"order\",\"order\":{}}}", order)
                    }
                    None => "{\"type\":\"end\"}".to_string(),
                }
            }
            "result" => break,
            _ => continue,
        };
        println!("{}", answer);
        io::stdout().flush()?; // a line that waits in a buffer is a line too late
    }
    Ok(())
}
