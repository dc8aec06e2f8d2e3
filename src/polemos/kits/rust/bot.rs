// A starter bot. It plays every game in Polemos by choosing legal orders at random.
//
// The umpire writes one JSON object per line to our standard input, and we answer with one JSON object per line on
// standard output. Anything we write to standard error (eprintln!) goes to our log.
//
// Rust has no JSON in its standard library. This bot needs very little of it: json.rs finds pieces of the line, and
// orders are sent back unchanged.

mod json;

use json::{elements, find, member};
use std::io::{self, BufRead, Write};

const MAX_ORDERS: u32 = 40; // in one turn
const ENOUGH: u64 = 10; // the chance to stop before each order is one in this many

// ---- a seeded random generator ("splitmix64")

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

/// The order to give next, or None to end the turn. This is where to add your strategy.
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
    // We can choose the order's number, which replaces the one that is there.
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
                // Once: our seat, and everything that never changes in this match. The same seed gives the same game.
                dice = Dice(member(message, "seed").parse().unwrap_or(0));
                "{\"type\":\"ready\",\"protocol\":1,\"name\":\"__NAME__\",\"options\":true}".to_string()
            }
            "view" | "update" => {
                if kind == "view" {
                    given = 0; // a new turn; the field "view" is everything we can see
                }
                let fault = member(message, "fault"); // set in an update if our last order was refused
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
        io::stdout().flush()?; // a line left in a buffer arrives too late
    }
    Ok(())
}
