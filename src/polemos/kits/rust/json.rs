//! Just enough JSON for a bot: a value is a piece of the line, and nothing is copied.

#![allow(dead_code)]

use std::ops::Range;

/// The index of the first character that is not blank.
pub fn blanks(text: &str, mut at: usize) -> usize {
    while at < text.len() && b" \t\r\n".contains(&text.as_bytes()[at]) {
        at += 1;
    }
    at.min(text.len())
}

/// The index after the value that begins at an index.
pub fn skip(text: &str, mut at: usize) -> usize {
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

/// Where the value of a field of an object is. Nested objects are not searched.
pub fn find(object: &str, name: &str) -> Option<Range<usize>> {
    let mut at = blanks(object, 1);
    while object.starts_with('{') && object.as_bytes().get(at) == Some(&b'"') {
        let end = skip(object, at);
        let found = object[at..end].trim_matches('"') == name;
        at = blanks(object, blanks(object, end) + 1); // after the colon
        let end = skip(object, at);
        if found {
            return Some(at..end);
        }
        at = blanks(object, blanks(object, end) + 1); // after the comma
    }
    None
}

/// The raw value of a field; "null" if there is none.
pub fn member<'a>(object: &'a str, name: &str) -> &'a str {
    find(object, name).map_or("null", |at| &object[at])
}

/// The elements of an array.
pub fn elements(array: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = blanks(array, 1);
    while array.starts_with('[') && at < array.len() && array.as_bytes()[at] != b']' {
        let end = skip(array, at);
        found.push(&array[at..end]);
        at = blanks(array, blanks(array, end) + 1); // after the comma
    }
    found
}

/// A string without its quotes. Escapes stay as they are.
pub fn string(value: &str) -> &str {
    value.trim_matches('"')
}

/// A whole number; 0 if there is none.
pub fn whole(value: &str) -> i32 {
    value.parse().unwrap_or(0)
}

/// The elements of a list of numbers.
pub fn numbers(array: &str) -> Vec<i32> {
    elements(array).into_iter().map(whole).collect()
}
