//! How games ended: results, and what keeps a game from counting.

use super::signs::plain;
use shakmaty::{Color, KnownOutcome};
use std::fmt;

/// The mark at the end of a game's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// `1-0`, `1/2-1/2` or `0-1`.
    Known(KnownOutcome),
    /// `0-0`: both players lose.
    BothLose,
    /// `*`: the game goes on, was broken off, or its result is not known.
    Unknown,
}

const WHITE: Marker = Marker::Known(KnownOutcome::Decisive { winner: Color::White });
const DRAW: Marker = Marker::Known(KnownOutcome::Draw);
const BLACK: Marker = Marker::Known(KnownOutcome::Decisive { winner: Color::Black });

/// Spellings of results. Other hyphens are those of [`plain`].
const SPELLINGS: [(&str, Marker); 5] =
    [("1-0", WHITE), ("0-1", BLACK), ("1/2-1/2", DRAW), ("*", Marker::Unknown), ("½-½", DRAW)];
/// The result that is written like castling, so that only its place tells.
const BOTH_LOSE: &[u8] = b"0-0";
/// Spellings that mean something else at the end of a longer word.
const SPELLINGS_ALONE: [(&str, Marker); 6] =
    [("1/2", DRAW), ("½", DRAW), ("1:0", WHITE), ("0:1", BLACK), ("1/2:1/2", DRAW), ("½:½", DRAW)];

impl Marker {
    /// The marker at the end of a word in [`plain`] letters, and what is glued to it in front. `0-0` is left to
    /// [`is_both_lose`].
    pub(super) fn split(word: &[u8]) -> Option<(&[u8], Marker)> {
        // Most words end otherwise; the last one is the last byte of `½`.
        if !matches!(word.last(), Some(b'0' | b'1' | b'2' | b'*' | 0xbd)) {
            return None;
        }
        let glued = |(text, marker): &(&str, Marker)| Some((word.strip_suffix(text.as_bytes())?, *marker));
        let alone = |(text, marker): &(&str, Marker)| (text.as_bytes() == word).then_some((&word[..0], *marker));
        SPELLINGS.iter().find_map(glued).or_else(|| SPELLINGS_ALONE.iter().find_map(alone))
    }

    /// The result in the tag `Result`, if it is known.
    pub(super) fn from_tag(text: &str) -> Option<Marker> {
        let text = plain(text.trim().as_bytes());
        if is_both_lose(&text) {
            return Some(Marker::BothLose);
        }
        if matches!(&*text, b"0.5-0.5" | b".5-.5") {
            return Some(DRAW);
        }
        match Marker::split(&text) {
            Some(([], marker @ Marker::Known(_))) => Some(marker),
            _ => None,
        }
    }

    /// The result, if it is known.
    #[must_use]
    pub fn known(self) -> Option<KnownOutcome> {
        match self {
            Marker::Known(outcome) => Some(outcome),
            Marker::BothLose | Marker::Unknown => None,
        }
    }
}

/// Whether a word in [`plain`] letters is `0-0`.
pub(super) fn is_both_lose(word: &[u8]) -> bool {
    word == BOTH_LOSE
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Marker::Known(outcome) => outcome.as_str(),
            Marker::BothLose => "0-0",
            Marker::Unknown => "*",
        }
        .fmt(f)
    }
}

/// A result as it stands beside positions: `1-0`, `1/2-1/2`, `0-1`, or White's points `1`, `0.5`, `0`, perhaps in
/// brackets or quotes.
pub(super) fn points(text: &str) -> Option<KnownOutcome> {
    let text = text.trim_matches(['[', ']', '"', ' ']);
    match text {
        "1" | "1.0" => WHITE.known(),
        "0.5" => DRAW.known(),
        "0" | "0.0" => BLACK.known(),
        _ => Marker::from_tag(text)?.known(),
    }
}

/// Why a game's result says nothing about its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exclusion {
    /// Lost on time, or drawn because the other side could not have mated.
    TimeForfeit,
    /// A player or a connection was gone.
    Abandoned,
    /// An illegal move, or another breach of the rules, decided.
    RulesInfraction,
    /// Broken off.
    Unterminated,
    /// Lost by both players.
    BothLose,
    /// Neither the tag nor the end of the moves has a result.
    NoResult,
    /// Neither chess nor Chess960. The moves are not read.
    OtherVariant,
}

impl Exclusion {
    /// All of them.
    pub const ALL: [Exclusion; 7] = [
        Exclusion::TimeForfeit,
        Exclusion::Abandoned,
        Exclusion::RulesInfraction,
        Exclusion::Unterminated,
        Exclusion::BothLose,
        Exclusion::NoResult,
        Exclusion::OtherVariant,
    ];

    /// From the tag `Termination`, in the words of the standard, of match runners, or of sites, which put a player's name
    /// before them.
    pub(super) fn from_termination(text: &str) -> Option<Exclusion> {
        const WORDS: [(&str, Exclusion); 22] = [
            ("time forfeit", Exclusion::TimeForfeit),
            ("won on time", Exclusion::TimeForfeit),
            ("wins on time", Exclusion::TimeForfeit),
            ("lost on time", Exclusion::TimeForfeit),
            ("loses on time", Exclusion::TimeForfeit),
            ("forfeits on time", Exclusion::TimeForfeit),
            ("timeout vs insufficient material", Exclusion::TimeForfeit),
            ("ran out of time", Exclusion::TimeForfeit),
            ("no material to mate", Exclusion::TimeForfeit),
            ("outoftime", Exclusion::TimeForfeit),
            ("no time left", Exclusion::TimeForfeit),
            ("abandoned", Exclusion::Abandoned),
            ("left the game", Exclusion::Abandoned),
            ("stalled connection", Exclusion::Abandoned),
            ("disconnected", Exclusion::Abandoned),
            ("disconnect", Exclusion::Abandoned),
            ("disconnects", Exclusion::Abandoned),
            ("death", Exclusion::Abandoned),
            ("emergency", Exclusion::Abandoned),
            ("illegal move", Exclusion::RulesInfraction),
            ("rules infraction", Exclusion::RulesInfraction),
            ("unterminated", Exclusion::Unterminated),
        ];
        let text = text.trim().trim_end_matches('.').to_ascii_lowercase();
        WORDS.iter().find(|(words, _)| text.ends_with(words)).map(|&(_, exclusion)| exclusion)
    }

    /// From a comment behind the last move, as match runners and sites write it: a part of a sentence that ends so, as in
    /// `Black loses on time`.
    pub(super) fn from_comment(text: &str) -> Option<Exclusion> {
        const WORDS: [(&str, Exclusion); 14] = [
            ("loses on time", Exclusion::TimeForfeit),
            ("lost on time", Exclusion::TimeForfeit),
            ("wins on time", Exclusion::TimeForfeit),
            ("won on time", Exclusion::TimeForfeit),
            ("forfeits on time", Exclusion::TimeForfeit),
            ("time forfeit", Exclusion::TimeForfeit),
            ("ran out of time", Exclusion::TimeForfeit),
            ("no material to mate", Exclusion::TimeForfeit),
            ("left the game", Exclusion::Abandoned),
            ("disconnect", Exclusion::Abandoned),
            ("disconnects", Exclusion::Abandoned),
            ("connection stalls", Exclusion::Abandoned),
            ("game abandoned", Exclusion::Abandoned),
            ("makes an illegal move", Exclusion::RulesInfraction),
        ];
        let text = text.to_ascii_lowercase();
        let parts = || text.split(['.', ',', ';', ':', '!', '(', ')']).map(str::trim);
        let is_said = |words: &str| parts().any(|part| part.ends_with(words));
        WORDS.iter().find(|(words, _)| is_said(words)).map(|&(_, exclusion)| exclusion)
    }
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exclusion::TimeForfeit => "lost on time",
            Exclusion::Abandoned => "abandoned",
            Exclusion::RulesInfraction => "decided by a breach of the rules",
            Exclusion::Unterminated => "broken off",
            Exclusion::BothLose => "lost by both players",
            Exclusion::NoResult => "without a result",
            Exclusion::OtherVariant => "of other variants",
        })
    }
}

/// The tag and the end of the moves have different results. The tag counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultConflict {
    /// The tag's result.
    pub tag: Marker,
    /// What stands behind the moves.
    pub marker: Marker,
}

impl fmt::Display for ResultConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tag says {}, but the moves end with {}; the tag counts", self.tag, self.marker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_known_alone_and_glued_to_a_move() {
        for (word, front, text) in [
            ("1-0", "", "1-0"),
            ("Nf31-0", "Nf3", "1-0"),
            ("Kxe1/2-1/2", "Kxe", "1/2-1/2"),
            ("e4*", "e4", "*"),
            ("½-½", "", "1/2-1/2"),
            ("1/2", "", "1/2-1/2"),
            ("0:1", "", "0-1"),
            ("½:½", "", "1/2-1/2"),
        ] {
            let (found, marker) = Marker::split(word.as_bytes()).unwrap();
            assert_eq!((found, marker.to_string().as_str()), (front.as_bytes(), text), "{word}");
        }
        for (tag, text) in [
            ("1–0", Some("1-0")),
            ("1:0", Some("1-0")),
            (" ½–½ ", Some("1/2-1/2")),
            ("0-0", Some("0-0")),
            ("*", None),
            ("1-0?", None),
        ] {
            assert_eq!(Marker::from_tag(tag).map(|marker| marker.to_string()).as_deref(), text, "{tag}");
        }
        for word in ["0-0", "O-O", "e1", "x1/2", "", "1-", "11:0"] {
            assert_eq!(Marker::split(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn terminations_are_known_in_the_words_of_any_site() {
        for (text, expected) in [
            ("", None),
            ("Normal", None),
            ("adjudication", None),
            ("A won by resignation", None),
            ("Timeout won by checkmate", None),
            ("time forfeit", Some(Exclusion::TimeForfeit)),
            ("Time forfeit", Some(Exclusion::TimeForfeit)),
            ("A won on time", Some(Exclusion::TimeForfeit)),
            ("Game drawn by timeout vs insufficient material", Some(Exclusion::TimeForfeit)),
            ("Abandoned", Some(Exclusion::Abandoned)),
            ("A won - game abandoned", Some(Exclusion::Abandoned)),
            ("stalled connection", Some(Exclusion::Abandoned)),
            ("Rules infraction", Some(Exclusion::RulesInfraction)),
            ("illegal move", Some(Exclusion::RulesInfraction)),
            ("unterminated", Some(Exclusion::Unterminated)),
        ] {
            assert_eq!(Exclusion::from_termination(text), expected, "{text}");
        }
        assert_eq!(Exclusion::from_comment("+0.30/12 0.52s, Black loses on time"), Some(Exclusion::TimeForfeit));
        assert_eq!(Exclusion::from_comment("White wins by adjudication"), None);
    }
}
