//! What a bad move did, in words: mates first, then stalemate, then material; and from what to what it changed the position.

use crate::position::{Move, Position, SEE_VALUE};
use crate::printing::PrintedScore;
use shakmaty::san::SanPlus;
use shakmaty::{Role, Square};
use std::fmt;

/// Most plies of a line over which material is counted.
const LINE_PLIES: usize = 10;
/// Centipawns of exchange values from which on material counts: a pawn, and more than the difference of two minor pieces.
const PAWN: i32 = 80;
const PIECE: i32 = 150;
/// Part of its value that is lost at least where a piece is lost rather than exchanged.
const LOST_PART: f64 = 0.6;

/// What a bad move did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// There was a mate in so many moves, begun by a move.
    MissedMate { moves: u32, by: String },
    /// The opponent mates in so many moves.
    AllowedMate { moves: u32, by: String },
    /// The opponent is stalemated.
    Stalemated,
    /// The opponent reaches stalemate by a move.
    AllowedStalemate { by: String },
    /// A piece is taken, for less or nothing.
    LostPiece { role: Role, by: String },
    /// Less than a piece is lost in an exchange, or some material later in the line.
    LostMaterial { by: String },
    /// A piece could be taken.
    MissedPiece { role: Role, by: String },
    /// Material could be won later in the line.
    MissedMaterial { by: String },
}

impl Cause {
    /// Its name in the report.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Cause::MissedMate { .. } => "missedMate",
            Cause::AllowedMate { .. } => "allowedMate",
            Cause::Stalemated | Cause::AllowedStalemate { .. } => "stalemate",
            Cause::LostPiece { .. } | Cause::LostMaterial { .. } => "lostMaterial",
            Cause::MissedPiece { .. } | Cause::MissedMaterial { .. } => "missedMaterial",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::MissedMate { moves, by } => write!(f, "missed mate in {moves} ({by})"),
            Cause::AllowedMate { moves, by } => write!(f, "allowed mate in {moves} ({by})"),
            Cause::Stalemated => write!(f, "gave stalemate"),
            Cause::AllowedStalemate { by } => write!(f, "allowed stalemate ({by})"),
            Cause::LostPiece { role, by } => write!(f, "lost {} ({by})", piece(*role)),
            Cause::LostMaterial { by } => write!(f, "lost material ({by})"),
            Cause::MissedPiece { role, by } => write!(f, "missed the win of {} ({by})", piece(*role)),
            Cause::MissedMaterial { by } => write!(f, "missed a win of material ({by})"),
        }
    }
}

/// A piece with its article.
#[must_use]
pub fn piece(role: Role) -> &'static str {
    match role {
        Role::Pawn => "a pawn",
        Role::Knight => "a knight",
        Role::Bishop => "a bishop",
        Role::Rook => "a rook",
        Role::Queen => "the queen",
        Role::King => "the king",
    }
}

/// A position with its best line and score, for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    pub position: &'a Position,
    pub line: &'a [Move],
    pub score: PrintedScore,
}

/// What a bad move did that was played in the first position and led to the second, the worst last; nothing if it has no name.
/// Material counts only where neither mate nor stalemate does.
#[must_use]
pub fn causes(before: Searched, played: Move, after: Searched) -> Vec<Cause> {
    let by = |searched: Searched| searched.line.first().map(|&m| san(searched.position, m)).unwrap_or_default();
    let (missed, is_mated) = (mate(before), matches!(before.score, PrintedScore::Mate(moves) if moves <= 0));
    let goes_on = matches!(after.score, PrintedScore::Mate(moves) if moves <= 0);
    let missed = missed.filter(|_| !goes_on).map(|moves| Cause::MissedMate { moves, by: by(before) });
    let allowed = mate(after).filter(|_| !is_mated).map(|moves| Cause::AllowedMate { moves, by: by(after) });
    let stalemate = || match is_stalemate(after.position) {
        true => Some(Cause::Stalemated),
        false => allows_stalemate(after).then(|| Cause::AllowedStalemate { by: by(after) }),
    };
    let mut causes: Vec<Cause> = missed.into_iter().chain(allowed.or_else(stalemate)).collect();
    if causes.is_empty() {
        causes.extend(lost_material(before, played, after).or_else(|| missed_material(before, played, after)));
    }
    causes
}

/// Moves in which the side to move mates.
fn mate(searched: Searched) -> Option<u32> {
    match searched.score {
        PrintedScore::Mate(moves) if moves > 0 => Some(moves.unsigned_abs()),
        _ => None,
    }
}

/// A move in standard algebraic notation.
fn san(position: &Position, m: Move) -> String {
    SanPlus::from_move(position.to_chess(), position.to_shakmaty(m)).to_string()
}

fn is_stalemate(position: &Position) -> bool {
    position.has_no_moves() && !position.is_check()
}

/// Whether the best line ends in stalemate, or its first move is a piece that must not be taken for it.
fn allows_stalemate(after: Searched) -> bool {
    let end = after.line.iter().fold(*after.position, |position, &m| position.play(m));
    let Some(&first) = after.line.first() else { return false };
    let replied = after.position.play(first);
    let is_trap = || {
        let takes = |m: &&Move| m.to() == first.to() && replied.captured(**m).is_some();
        replied.legal_moves().iter().filter(takes).any(|&m| is_stalemate(&replied.play(m)))
    };
    let is_level = matches!(after.score, PrintedScore::Cp(cp) if cp.abs() < PAWN);
    is_stalemate(&end) || is_level && is_trap()
}

/// What the reply takes, or what is lost later in its line, beyond what the best line loses, too.
fn lost_material(before: Searched, played: Move, after: Searched) -> Option<Cause> {
    let &reply = after.line.first()?;
    let by = san(after.position, reply);
    let shared = taken_by_both(before, played);
    let lost_anyway = shared - line_gain(before).unwrap_or_else(|| most_gain(before));
    let won = taken(before.position, played) - shared;
    let lost = |gained: i32, anyway: i32| gained - won - anyway.max(0);
    let gained = line_gain(after);
    let in_line = gained.map_or(0, |gained| lost(gained, lost_anyway));
    if let Some(role) = after.position.captured(reply) {
        let at_once = lost(gain(after.position, reply), lost_anyway.max(loss_on(before, reply.to(), role)));
        // What the line wins back, but not what the best line wins, too, was not lost.
        let lost = gained.map_or(at_once, |gained| at_once.min(gained - won - lost_anyway));
        if lost >= PAWN {
            let is_part = |lost: i32, role: Role| f64::from(lost) >= LOST_PART * f64::from(value(role));
            // A pawn that was promoted is lost as a pawn.
            let is_promoted = played.promotion().is_some() && reply.to() == played.to();
            let first = Some(if is_promoted { Role::Pawn } else { role }).filter(|&role| is_part(lost, role));
            // A fork or a pin that begins with a capture loses more later.
            let later = most_taken(after).filter(|&role| in_line - at_once >= PIECE && is_part(in_line, role));
            return Some(match later.or(first) {
                Some(role) => Cause::LostPiece { role, by },
                None => Cause::LostMaterial { by },
            });
        }
    }
    (in_line >= PIECE).then_some(Cause::LostMaterial { by })
}

/// The most valuable piece that the side to move takes along the best line.
fn most_taken(searched: Searched) -> Option<Role> {
    let (mut position, mut taken) = (*searched.position, None);
    for &m in searched.line.iter().take(LINE_PLIES) {
        if position.turn() == searched.position.turn() {
            taken = taken.max(position.captured(m));
        }
        position = position.play(m);
    }
    taken
}

/// What a move takes, centipawns, with what a promoted pawn is worth more.
fn taken(position: &Position, m: Move) -> i32 {
    position.captured(m).map_or(0, value) + m.promotion().map_or(0, |role| value(role) - value(Role::Pawn))
}

/// The value of the piece that both the best and the played move take, centipawns.
fn taken_by_both(before: Searched, played: Move) -> i32 {
    let takes_it = |best: &&Move| best.to() == played.to() && before.position.captured(**best).is_some();
    let both = before.line.first().filter(takes_it).and_then(|_| before.position.captured(played));
    both.map_or(0, value)
}

/// What the first move of the best line gains by an exchange, centipawns.
fn most_gain(searched: Searched) -> i32 {
    searched.line.first().map_or(0, |&m| gain(searched.position, m))
}

/// What the opponent gains in the best line by taking such a piece on this square, centipawns.
fn loss_on(before: Searched, square: Square, role: Role) -> i32 {
    let mut position = *before.position;
    for &m in before.line.iter().take(LINE_PLIES) {
        if position.turn() != before.position.turn() && m.to() == square && position.captured(m) == Some(role) {
            return gain(&position, m);
        }
        position = position.play(m);
    }
    0
}

/// The moved piece, if it may be taken for less, which it could not before, and the best line does not win it back. Pawns
/// and exchanges of equal pieces are none. Whether it is sound the scores tell.
#[must_use]
pub fn sacrifice(before: &Position, played: Move, after: Searched) -> Option<Role> {
    let taken = taken(before, played);
    let most = |position: &Position, square| {
        let takes = position.legal_moves().into_iter().filter(|m| m.to() == square);
        takes.map(|m| gain(position, m)).max().unwrap_or(0)
    };
    let hung = !before.is_check() && most(&before.play_null(), played.from()) >= PIECE;
    let is_offered = !hung && most(after.position, played.to()) - taken >= PIECE;
    let role = after.position.role_at(played.to())?;
    (is_offered && line_gain(after).unwrap_or(0) - taken >= PIECE).then_some(role)
}

/// What the best move would have taken, or won later in its line, beyond what the played one takes or wins.
fn missed_material(before: Searched, played: Move, after: Searched) -> Option<Cause> {
    let &best = before.line.first()?;
    let by = san(before.position, best);
    let in_line = taken(before.position, played) - line_gain(after).unwrap_or_else(|| most_gain(after));
    let won = taken_by_both(before, played).max(gain(before.position, played)).max(in_line);
    // What the exchange gains may be lost again in the line.
    let gained = gain(before.position, best);
    let gained = gained.min(line_gain(before).unwrap_or(gained));
    if let Some(role) = before.position.captured(best).filter(|_| gained - won >= PIECE) {
        return Some(Cause::MissedPiece { role, by });
    }
    (line_gain(before).unwrap_or(0) - won >= PIECE).then_some(Cause::MissedMaterial { by })
}

/// Centipawns of exchange values.
fn value(role: Role) -> i32 {
    SEE_VALUE[role as usize]
}

/// What the exchange that a capture starts gains, centipawns.
fn gain(position: &Position, m: Move) -> i32 {
    let most = position.captured(m).map_or(0, value);
    // Exchange values are multiples of ten.
    (1..=most / 10).rev().map(|tens| 10 * tens).find(|&threshold| position.see(m, threshold)).unwrap_or(0)
}

/// What the side to move gains along the best line, centipawns, up to its last quiet position, or up to its end with what may
/// be recaptured there; `None` if checks are all there is.
fn line_gain(searched: Searched) -> Option<i32> {
    let (mut position, turn) = (*searched.position, searched.position.turn());
    let (mut balance, mut gained) = (0, None);
    let plies = searched.line.len().min(LINE_PLIES);
    for (index, &m) in searched.line.iter().enumerate().take(plies) {
        let sign = if position.turn() == turn { 1 } else { -1 };
        balance += sign * taken(&position, m);
        let takes = position.captured(m).is_some();
        position = position.play(m);
        let next = searched.line.get(index + 1);
        let is_quiet = next.is_some_and(|&next| position.captured(next).is_none() && next.promotion().is_none());
        if is_quiet && !position.is_check() {
            gained = Some(balance);
        } else if index + 1 == plies && takes {
            let recaptures = position.legal_moves().into_iter().filter(|next| next.to() == m.to());
            gained = Some(balance - sign * recaptures.map(|m| gain(&position, m)).max().unwrap_or(0));
        }
    }
    gained
}

/// What a position is for the side to move or the other, by expected points between equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Winning,
    Better,
    Level,
    Worse,
    Lost,
}

impl Standing {
    /// That of a side with so many expected points.
    #[must_use]
    pub fn of(expected: f64) -> Standing {
        match expected {
            0.85.. => Standing::Winning,
            0.62.. => Standing::Better,
            0.38.. => Standing::Level,
            0.15.. => Standing::Worse,
            _ => Standing::Lost,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Standing::Winning => "winning",
            Standing::Better => "better",
            Standing::Level => "level",
            Standing::Worse => "worse",
            Standing::Lost => "lost",
        }
    }
}

/// What a bad move did and changed, in words, for a sentence whose subject is the player. `expected` are those of the player
/// before and after it.
#[must_use]
pub fn in_words(causes: &[Cause], expected: [f64; 2]) -> String {
    let [before, after] = expected.map(|expected| Standing::of(expected).name());
    let told = causes.iter().map(Cause::to_string).collect::<Vec<_>>().join(" and ");
    match (told.is_empty(), before == after) {
        (false, true) => format!("{told}; still {after}"),
        (false, false) => format!("{told}: from {before} to {after}"),
        (true, true) => format!("lost ground in a {after} position"),
        (true, false) => format!("went from {before} to {after}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The causes of a move, by the best line before it and after it, with the scores.
    fn found(fen: &str, played: &str, lines: [&str; 2], scores: [PrintedScore; 2]) -> Vec<String> {
        let before = Position::from_fen(fen, false).unwrap();
        let played = before.parse_move(played).unwrap();
        let after = before.play(played);
        let line = |mut position: Position, text: &str| -> Vec<Move> {
            let parse = |word: &str| {
                let m = position.parse_move(word).unwrap();
                position = position.play(m);
                m
            };
            text.split_whitespace().map(parse).collect()
        };
        let (best, reply) = (line(before, lines[0]), line(after, lines[1]));
        let [before, after] = [(&before, &best, scores[0]), (&after, &reply, scores[1])]
            .map(|(position, line, score)| Searched { position, line, score });
        causes(before, played, after).iter().map(Cause::to_string).collect()
    }

    #[test]
    fn mates_go_before_material() {
        use PrintedScore::{Cp, Mate};
        let back_rank = "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1";
        let reply = "a2a1 d1a1";
        assert_eq!(found(back_rank, "h2h3", ["d1d8", reply], [Mate(1), Cp(400)]), ["missed mate in 1 (Rd8#)"]);
        assert_eq!(
            found(back_rank, "d1b1", ["d1d8", "a2b1"], [Mate(1), Mate(1)]),
            ["missed mate in 1 (Rd8#)", "allowed mate in 1 (Qxb1#)"]
        );
        // It takes longer, but is not missed; who is mated anyway allows nothing.
        assert_eq!(found(back_rank, "g2g3", ["d1d8", reply], [Mate(1), Mate(-3)]), [""; 0]);
        assert_eq!(found(back_rank, "g2g3", ["g2g3", reply], [Mate(-2), Mate(1)]), [""; 0]);
    }

    #[test]
    fn exchanges_lose_nothing() {
        let level = [PrintedScore::Cp(0), PrintedScore::Cp(0)];
        let fen = "r5k1/5ppp/3p4/8/8/4Q3/5PPP/R5K1 w - - 0 1";
        assert_eq!(found(fen, "e3e5", ["a1a8", "d6e5"], level), ["lost the queen (dxe5)"]);
        assert_eq!(found(fen, "h2h3", ["a1a8", "g7g6"], level), ["missed the win of a rook (Rxa8#)"]);
        // Rook for rook.
        let rooks = "r5k1/8/8/8/8/8/8/R4RK1 w - - 0 1";
        assert_eq!(found(rooks, "a1a8", ["f1f2", "g8g7"], level), [""; 0]);
        let taken = "r3r1k1/8/8/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(found(taken, "a1a8", ["g1g2", "e8a8"], level), [""; 0]);
    }

    #[test]
    fn what_the_best_line_loses_and_the_played_move_wins_does_not_count() {
        let recapture = "r2q1rk1/1b2ppbp/pp1p2p1/2p1N2n/B1P1P3/P1NP3P/1P1B1PP1/R2Q1RK1 b - - 0 13";
        let rooks = "8/4R3/1P4kp/2p5/1r2bR2/p7/7P/6K1 w - - 0 43";
        let defended = "3r2k1/8/2p5/3n4/4P3/8/8/3R2K1 w - - 0 1";
        let hanging = "6k1/5ppp/7q/8/8/5P1P/5K2/4R3 w - - 0 1";
        let promotion = "3r2k1/P4ppp/8/8/8/8/2r2PPP/1R4K1 w - - 0 1";
        let two = "6k1/5ppp/8/1r3q2/8/2NB4/5PPP/6K1 w - - 0 1";
        for (fen, played, lines, expected) in [
            // The same piece is taken, and nothing is lost by it, or the piece that took it.
            (recapture, "g7e5", ["d6e5 d2e3 e7e6 a1b1", "d2h6 f8e8 f2f4 e5d4 g1h1 d8c8"], None),
            (rooks, "f4e4", ["e7e4 b4b1 g1f2 b1b6 f2f3", "b4b1 g1f2 a3a2 e4g4 g6h5 e7e5"], None),
            (rooks, "f4e4", ["e7e4", "b4e4"], None),
            (defended, "d1d5", ["e4d5 c6d5 g1f2", "c6d5 e4d5 d8d5"], Some("lost a rook (cxd5)")),
            // Another piece is taken, of less value or of more.
            (two, "c3b5", ["d3f5", "f5d3"], Some("missed the win of the queen (Bxf5)")),
            (two, "d3f5", ["c3b5", "b5b2"], None),
            // The best line loses the same pawn, or as much.
            (hanging, "e1e2", ["f3f4 h6h3", "h6h3"], None),
            (hanging, "e1e2", ["f3f4 h6f4 f2g2 g7g6 e1e2", "h6h3"], None),
            (hanging, "e1e2", ["h3h4 g7g6 e1e2 g8g7", "h6h3 e2e8"], Some("lost a pawn (Qxh3)")),
            // A promoted pawn was a pawn.
            (promotion, "a7a8q", ["g2g3 g7g6 b1b8 d8b8", "d8a8 g2g3 g7g6 h2h4"], Some("lost a pawn (Rxa8)")),
        ] {
            let found = found(fen, played, lines, [PrintedScore::Cp(0); 2]);
            assert_eq!(found, Vec::from_iter(expected), "{fen} {played} {lines:?}");
        }
    }

    #[test]
    fn the_line_tells_what_a_capture_wins() {
        for (fen, played, lines, expected) in [
            // Forks and a pin that begin with a pawn.
            (
                "2R5/1p3ppk/p4q1p/5P2/4P3/3P1K2/4Q1PP/8 w - - 4 34",
                "e4e5",
                ["c8c7 b7b5", "f6f5 f3g3 f5c8"],
                "lost a rook (Qxf5+)",
            ),
            (
                "rn2kb1r/1b3p1p/1q2p2p/4P3/1PB5/2Q2N1P/P4PP1/R3K2R w KQkq - 1 17",
                "c4e2",
                ["c4b5 b7c6", "f8b4 c3b4 b6b4"],
                "lost the queen (Bxb4)",
            ),
            // The line wins the piece back, in the second but for a pawn.
            ("1rb3k1/R1Qn2p1/2p1pq1p/2p5/N1Pp4/3P1N1P/5PP1/6K1 w - - 0 27", "a4b6", ["g2g3 g8f7", "b8b6 c7c8"], ""),
            (
                "r1bqkb1r/ppp2ppp/2n4n/4P2Q/2B1P3/8/PP3PPP/RNB1K1NR b KQkq - 0 6",
                "c8e6",
                ["f8b4 b1c3", "c4e6 g7g6 h5h3 f7e6"],
                "lost material (Bxe6)",
            ),
            // The bishop is won in both lines, in one of them last.
            (
                "rn4nr/pp1k1ppp/1b2pq2/2p5/3PP3/8/PPP2PPP/RNBQK2R w KQ - 0 8",
                "e4e5",
                ["d4c5 d7e8 c5b6 a7b6", "f6g6 d4c5 d7e8 c5b6"],
                "",
            ),
        ] {
            let found = found(fen, played, lines, [PrintedScore::Cp(0); 2]);
            assert_eq!(found.join(", "), expected, "{fen} {played}");
        }
    }

    #[test]
    fn stalemate_is_named_where_it_saves_the_opponent() {
        let level = [PrintedScore::Cp(1400), PrintedScore::Cp(0)];
        let trap = "k5r1/8/8/8/3P4/1QN5/5R1P/7K w - - 0 1";
        assert_eq!(found(trap, "b3b6", ["b3g8", "g8g1 h1g1"], level), ["allowed stalemate (Rg1+)"]);
        assert_eq!(found("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6", ["g1g7", ""], level), ["gave stalemate"]);
    }

    #[test]
    fn a_sacrifice_is_not_won_back() {
        let given = |fen: &str, played: &str, line: &str| {
            let before = Position::from_fen(fen, false).unwrap();
            let played = before.parse_move(played).unwrap();
            let after = before.play(played);
            let mut position = after;
            let moves: Vec<Move> = line
                .split_whitespace()
                .map(|word| {
                    let m = position.parse_move(word).unwrap();
                    position = position.play(m);
                    m
                })
                .collect();
            sacrifice(&before, played, Searched { position: &after, line: &moves, score: PrintedScore::Cp(0) })
        };
        // Bxh7+, and the bishop is gone for a pawn.
        let gift = "r1bq1rk1/pppn1ppp/4p3/3pP3/1b1P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 1";
        assert_eq!(given(gift, "d3h7", "g8h7 f3g5 h7g8 d1h5 f8e8 a2a3"), Some(Role::Bishop));
        // The same, but the line wins it back.
        assert_eq!(given(gift, "d3h7", "g8h7 f3g5 h7g8 d1h5 d8g5 c1g5 b7b6 a2a3"), None);
        assert_eq!(given(gift, "e1g1", "b7b6 a2a3 b4e7 b2b4"), None);
        // A pawn for a rook.
        assert_eq!(given("3r2k1/P4ppp/1N6/8/8/8/5PPP/6K1 w - - 0 1", "a7a8q", "d8a8 b6a8 g8f8 a8c7"), None);
        // Rook for rook.
        assert_eq!(given("r3r1k1/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "e8a8 g1g2 g8g7"), None);
    }

    #[test]
    fn standings_are_said_from_what_to_what() {
        assert_eq!(in_words(&[], [0.95, 0.5]), "went from winning to level");
        assert_eq!(in_words(&[Cause::Stalemated], [0.95, 0.5]), "gave stalemate: from winning to level");
        assert_eq!(in_words(&[], [0.55, 0.45]), "lost ground in a level position");
    }
}
