//! How a game ended.

use super::source::Source;
use crate::games::{Exclusion, Marker, Note};
use crate::position::FIFTY_MOVES;
use serde::Serialize;
use shakmaty::{Color, KnownOutcome};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Ending {
    /// Mate on the board.
    Mate,
    /// Stalemate on the board.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The last position has occurred three times.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// Lost on time, or drawn as the other side could not mate.
    Time,
    /// A player has resigned.
    Resignation,
    /// A draw agreed by the players.
    Agreement,
    /// Decided by an arbiter or a match runner.
    Adjudication,
    /// A player or a connection was gone.
    Abandoned,
    /// An illegal move, or another breach of the rules, decided.
    RulesInfraction,
}

/// Least expected points of a side in the last position for a win that nothing else explains to be by resignation, and a draw
/// not to be agreed.
const RESIGNED: f64 = 0.85;

impl Ending {
    /// How a game ended: as the board shows, as the file says, or else as it mostly is: a lost position was resigned, a draw
    /// in another was agreed. `None` if the game goes on, has no moves, or nothing tells. `expected` is White's expected points
    /// in the last position.
    #[must_use]
    pub fn of(source: &Source, expected: f64) -> Option<Ending> {
        if source.moves.is_empty() {
            return None;
        }
        let is_draw = match source.result {
            Marker::Known(outcome) => outcome.winner().is_none(),
            Marker::BothLose | Marker::Unknown => false,
        };
        on_the_board(source, is_draw).or_else(|| in_the_file(source)).or_else(|| {
            let winner = source.result.known()?.winner();
            let is_lost = |color: Color| color.fold_wb(1.0 - expected, expected) >= RESIGNED;
            let (ending, fits) = match winner {
                Some(winner) => (Ending::Resignation, is_lost(!winner)),
                None => (Ending::Agreement, !Color::ALL.into_iter().any(is_lost)),
            };
            (fits || is_normal(source)).then_some(ending)
        })
    }
}

/// What ends the game by the rules.
fn on_the_board(source: &Source, is_draw: bool) -> Option<Ending> {
    let game = source.history(source.moves.len());
    let position = game.position();
    if position.has_no_moves() {
        return Some(if position.is_check() { Ending::Mate } else { Ending::Stalemate });
    }
    if position.is_insufficient_material() {
        return Some(Ending::InsufficientMaterial);
    }
    let earlier = || game.keys().iter().filter(|&&key| key == position.key()).count();
    [
        (is_draw && position.halfmoves() >= FIFTY_MOVES, Ending::FiftyMoves),
        (is_draw && earlier() >= 2, Ending::Repetition),
    ]
    .into_iter()
    .find_map(|(holds, ending)| holds.then_some(ending))
}

/// What the tag `Termination` or the last comment says.
fn in_the_file(source: &Source) -> Option<Ending> {
    const WORDS_OF_WINS: [(&str, Ending); 2] = [("resign", Ending::Resignation), ("adjudicat", Ending::Adjudication)];
    const WORDS_OF_DRAWS: [(&str, Ending); 9] = [
        ("adjudicat", Ending::Adjudication),
        ("timeout-vs-insufficient", Ending::Time),
        ("agree", Ending::Agreement),
        ("repetition", Ending::Repetition),
        ("50-move", Ending::FiftyMoves),
        ("50 move", Ending::FiftyMoves),
        ("fifty-move", Ending::FiftyMoves),
        ("fifty move", Ending::FiftyMoves),
        ("insufficient mat", Ending::InsufficientMaterial),
    ];
    match source.exclusion {
        Some(Exclusion::TimeForfeit) => Some(Ending::Time),
        Some(Exclusion::Abandoned) => Some(Ending::Abandoned),
        Some(Exclusion::RulesInfraction) => Some(Ending::RulesInfraction),
        _ if is_time(source) => Some(Ending::Time),
        _ => {
            let is_won = source.result.known().and_then(KnownOutcome::winner).is_some();
            let words = if is_won { &WORDS_OF_WINS[..] } else { &WORDS_OF_DRAWS };
            words.iter().find_map(|&(word, ending)| says(source, word).then_some(ending))
        }
    }
}

/// Whether the tag `Termination` has nothing but a word for time.
fn is_time(source: &Source) -> bool {
    let tag = source.tags.known("Termination").trim();
    ["time", "on time", "timeout", "time out", "out of time"].iter().any(|word| tag.eq_ignore_ascii_case(word))
}

/// Whether the tag `Termination` says that the game ended as games do.
fn is_normal(source: &Source) -> bool {
    source.tags.known("Termination").to_lowercase().contains("normal")
}

/// Whether the tag `Termination`, or a comment behind the last move, has this word, in small letters.
fn says(source: &Source, word: &str) -> bool {
    let notes = source.moves.len().checked_sub(1).map_or(&[][..], |last| source.notes_behind(last));
    let comments = notes.iter().filter_map(|note| match note {
        Note::Comment(text) => Some(text.as_str()),
        Note::Variation(_) | Note::Nag(_) => None,
    });
    comments.chain([source.tags.known("Termination")]).any(|text| text.to_lowercase().contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Selection, read};

    fn ending(text: &str, expected: f64) -> Option<Ending> {
        let input = read("x", text.as_bytes(), &Selection::default(), false).unwrap();
        assert!(input.faults.is_empty(), "{:?}", input.faults);
        Ending::of(&input.sources[0], expected)
    }

    #[test]
    fn the_board_tells_before_the_file() {
        let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
        for (text, expected) in [
            ("1. f3 e5 2. g4 Qh4# 0-1".to_owned(), Some(Ending::Mate)),
            ("[FEN \"7k/5Q2/8/6K1/8/8/8/8 w - - 0 1\"]\n\n1. Kg6 1/2-1/2".to_owned(), Some(Ending::Stalemate)),
            ("[FEN \"7k/8/8/6K1/8/8/7p/7N w - - 0 1\"]\n\n1. Kg4 1/2-1/2".to_owned(), Some(Ending::Agreement)),
            (
                "[FEN \"7k/8/8/8/8/6K1/7p/8 w - - 0 1\"]\n\n1. Kxh2 1/2-1/2".to_owned(),
                Some(Ending::InsufficientMaterial),
            ),
            ("[FEN \"7k/8/8/6K1/8/8/8/R7 w - - 99 90\"]\n\n1. Kg4 1/2-1/2".to_owned(), Some(Ending::FiftyMoves)),
            (format!("{shuffle} 1/2-1/2"), Some(Ending::Repetition)),
            // Nobody has claimed it.
            (format!("{shuffle} *"), None),
        ] {
            assert_eq!(ending(&text, 0.5), expected, "{text}");
        }
    }

    #[test]
    fn the_file_tells_before_the_position() {
        let win = |tag: &str, expected| ending(&format!("[Termination \"{tag}\"]\n\n1. e4 e5 1-0"), expected);
        for (tag, expected) in [
            ("time forfeit", Some(Ending::Time)),
            ("time", Some(Ending::Time)),
            ("Out of time", Some(Ending::Time)),
            ("A won by resignation", Some(Ending::Resignation)),
            ("Normal", Some(Ending::Resignation)),
            ("adjudication", Some(Ending::Adjudication)),
            ("A won - game abandoned", Some(Ending::Abandoned)),
            ("rules infraction", Some(Ending::RulesInfraction)),
            ("Black ran out of time", Some(Ending::Time)),
            ("outoftime", Some(Ending::Time)),
            ("no time left", Some(Ending::Time)),
            ("?", None),
        ] {
            assert_eq!(win(tag, 0.5), expected, "{tag}");
        }
        let draw = |tag: &str| ending(&format!("[Termination \"{tag}\"]\n\n1. e4 e5 1/2-1/2"), 0.5);
        for (tag, expected) in [
            ("Game drawn by agreement", Ending::Agreement),
            ("Game drawn by repetition", Ending::Repetition),
            ("Game drawn by 50-move rule", Ending::FiftyMoves),
            ("Draw by fifty moves rule", Ending::FiftyMoves),
            ("Game drawn by insufficient material", Ending::InsufficientMaterial),
            ("Game drawn by timeout vs insufficient material", Ending::Time),
            ("draw-timeout-vs-insufficient", Ending::Time),
            ("time", Ending::Time),
            ("agreed", Ending::Agreement),
        ] {
            assert_eq!(draw(tag), Some(expected), "{tag}");
            // Nobody has won by it.
            assert!([None, Some(Ending::Time)].contains(&win(tag, 0.5)), "{tag}");
        }
        assert_eq!(win("?", 0.9), Some(Ending::Resignation));
        assert_eq!(ending("1. e4 e5 0-1", 0.9), None);
        assert_eq!(ending("1. e4 e5 {Black loses on time} 1-0", 0.5), Some(Ending::Time));
        assert_eq!(ending("1. e4 e5 {Black resigns} 1-0", 0.5), Some(Ending::Resignation));
        assert_eq!(ending("1. e4 e5 {White left the game.} 0-1", 0.5), Some(Ending::Abandoned));
        for comment in [
            "Game drawn because both players ran out of time",
            "White ran out of time and Black has no material to mate",
        ] {
            assert_eq!(ending(&format!("1. e4 e5 {{{comment}}} 1/2-1/2"), 0.5), Some(Ending::Time), "{comment}");
        }
        assert_eq!(ending("1. e4 {Black resigns soon} 1... e5 1-0", 0.5), None);
        assert_eq!(ending("1. e4 e5 {nobody wanted to resign, so we agreed} 1/2-1/2", 0.5), Some(Ending::Agreement));
        assert_eq!(
            ending("[FEN \"7k/8/8/8/8/6K1/7p/8 w - - 0 1\"]\n\n1. Kxh2 1-0", 0.5),
            Some(Ending::InsufficientMaterial)
        );
        for (expected, drawn) in
            [(0.5, Some(Ending::Agreement)), (0.8, Some(Ending::Agreement)), (0.9, None), (0.1, None)]
        {
            assert_eq!(ending("1. e4 e5 1/2-1/2", expected), drawn, "{expected}");
        }
        assert_eq!(ending("[Termination \"Normal\"]\n\n1. e4 e5 1/2-1/2", 0.9), Some(Ending::Agreement));
        assert_eq!(ending("1. e4 e5 *", 0.5), None);
        assert_eq!(ending("1. e4 e5 {agreed, but not told} *", 0.5), Some(Ending::Agreement));
        assert_eq!(ending("[Event \"x\"]\n\n1/2-1/2", 0.5), None);
    }
}
