//! Names of openings, by position.

use crate::position::Position;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The lines that have names.
const LINES: &str = include_str!("openings.txt");
/// The named positions, by their keys.
static NAMED: LazyLock<HashMap<u64, Name>> = LazyLock::new(|| named(LINES));

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Opening {
    /// Its place in the Encyclopaedia of Chess Openings, such as `B07`.
    pub eco: &'static str,
    /// Its name, such as `Sicilian Defense: Najdorf Variation`.
    pub name: String,
    /// Plies up to the last position that has a name.
    pub ply: usize,
}

struct Name {
    eco: &'static str,
    name: String,
}

impl Opening {
    /// The opening by the keys of all positions of a game that began as chess begins: the last of them that has a name.
    #[must_use]
    pub fn of(keys: &[u64]) -> Option<Opening> {
        let named = |(ply, key)| NAMED.get(key).map(|Name { eco, name }| Opening { eco, name: name.clone(), ply });
        keys.iter().enumerate().rev().find_map(named)
    }
}

/// Plays all lines. One that is not in the format of the file has no name.
fn named(lines: &'static str) -> HashMap<u64, Name> {
    let (mut line, mut parts) = (vec![Position::default()], Vec::new());
    let mut names = HashMap::new();
    for text in lines.lines().filter(|text| !text.starts_with('#')) {
        if let Some((key, name)) = add(text, &mut line, &mut parts) {
            names.insert(key, name);
        }
    }
    names
}

/// Reads a line of the file: plies shared with the line above, further moves, ECO, parts of the name shared, further parts.
fn add(text: &'static str, line: &mut Vec<Position>, parts: &mut Vec<&'static str>) -> Option<(u64, Name)> {
    let mut fields = text.splitn(5, ' ');
    let plies: usize = fields.next()?.parse().ok()?;
    let (moves, eco) = (fields.next()?, fields.next()?);
    let shared: usize = fields.next()?.parse().ok()?;
    line.truncate(plies + 1);
    for m in moves.as_bytes().chunks(4) {
        let position = line.last()?;
        let m = position.parse_move(std::str::from_utf8(m).ok()?).ok()?;
        line.push(position.play(m));
    }
    parts.truncate(shared);
    parts.extend(fields.next().into_iter().flat_map(parts_of));
    Some((line.last()?.key(), Name { eco, name: parts.join(" ") }))
}

/// The parts of a name, which end with a colon or a comma.
fn parts_of(name: &'static str) -> impl Iterator<Item = &'static str> {
    name.split_inclusive([':', ',']).map(str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::GameHistory;

    fn opening(moves: &str) -> Option<Opening> {
        let mut game = GameHistory::default();
        moves.split_whitespace().for_each(|text| game.play(game.position().parse_move(text).unwrap()));
        Opening::of(&[game.keys(), &[game.position().key()]].concat())
    }

    #[test]
    fn games_have_the_name_of_their_last_known_position() {
        let found = |moves, eco, name, ply| {
            let expected = Opening { eco, name: String::from(name), ply };
            assert_eq!(opening(moves), Some(expected), "{moves}");
        };
        found("e2e4", "B00", "King's Pawn Game", 1);
        found("e2e4 d7d6 d2d4 g8f6 b1c3 g7g6 c1e3", "B07", "Pirc Defense", 6);
        found(
            "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 h2h4 h7h5",
            "B90",
            "Sicilian Defense: Najdorf Variation",
            10,
        );
        // By another order of moves.
        let by_queens_pawn = opening("d2d4 d7d5 g1f3");
        assert_eq!(opening("g1f3 d7d5 d2d4"), by_queens_pawn);
        assert_eq!(by_queens_pawn.map(|opening| opening.eco), Some("D02"));
        assert_eq!(opening(""), None);
    }

    #[test]
    fn every_line_is_read() {
        let lines = LINES.lines().filter(|text| !text.starts_with('#')).count();
        assert_eq!(NAMED.len(), lines);
        assert!(NAMED.values().all(|Name { eco, name }| eco.len() == 3 && !name.ends_with([' ', ',', ':'])));
    }
}
