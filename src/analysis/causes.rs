//! What a bad move did, in words: mates first, then stalemate, then material; and from what to what it changed the position.

use crate::position::{Move, Position, SEE_VALUE};
use crate::printing::PrintedScore;
use shakmaty::Role;
use shakmaty::san::SanPlus;
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
    /// Both.
    MissedAndAllowedMate { missed: u32, by: String, allowed: u32 },
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
            Cause::AllowedMate { .. } | Cause::MissedAndAllowedMate { .. } => "allowedMate",
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
            Cause::MissedAndAllowedMate { missed, by, allowed } => {
                write!(f, "missed mate in {missed} ({by}) and allowed mate in {allowed}")
            }
            Cause::Stalemated => write!(f, "gave stalemate"),
            Cause::AllowedStalemate { by } => write!(f, "allowed stalemate ({by})"),
            Cause::LostPiece { role, by } => write!(f, "lost {} ({by})", piece(*role)),
            Cause::LostMaterial { by } => write!(f, "lost material ({by})"),
            Cause::MissedPiece { role, by } => write!(f, "missed the win of {} ({by})", piece(*role)),
            Cause::MissedMaterial { by } => write!(f, "missed a win of material ({by})"),
        }
    }
}

fn piece(role: Role) -> &'static str {
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

/// What a bad move did that was played in the first position and led to the second; `None` if it has no name.
#[must_use]
pub fn cause(before: Searched, played: Move, after: Searched) -> Option<Cause> {
    let by = |searched: Searched| searched.line.first().map(|&m| san(searched.position, m)).unwrap_or_default();
    let mate = |searched: Searched| match searched.score {
        PrintedScore::Mate(moves) if moves > 0 => Some(moves.unsigned_abs()),
        _ => None,
    };
    let is_mated = matches!(before.score, PrintedScore::Mate(moves) if moves <= 0);
    let goes_on = matches!(after.score, PrintedScore::Mate(moves) if moves <= 0);
    match (mate(before).filter(|_| !goes_on), mate(after).filter(|_| !is_mated)) {
        (Some(missed), Some(allowed)) => return Some(Cause::MissedAndAllowedMate { missed, by: by(before), allowed }),
        (Some(moves), None) => return Some(Cause::MissedMate { moves, by: by(before) }),
        (None, Some(moves)) => return Some(Cause::AllowedMate { moves, by: by(after) }),
        (None, None) => {}
    }
    if is_stalemate(after.position) {
        return Some(Cause::Stalemated);
    }
    if allows_stalemate(after) {
        return Some(Cause::AllowedStalemate { by: by(after) });
    }
    lost_material(before, played, after).or_else(|| missed_material(before))
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

/// What the reply takes, or what is lost later in its line.
fn lost_material(before: Searched, played: Move, after: Searched) -> Option<Cause> {
    let &reply = after.line.first()?;
    let by = san(after.position, reply);
    let taken = before.position.captured(played).map_or(0, |role| SEE_VALUE[role as usize]);
    let net = gain(after.position, reply) - taken;
    if let Some(role) = after.position.captured(reply).filter(|_| net >= PAWN) {
        let is_lost = f64::from(net) >= LOST_PART * f64::from(SEE_VALUE[role as usize]);
        return Some(if is_lost { Cause::LostPiece { role, by } } else { Cause::LostMaterial { by } });
    }
    (line_gain(after) - taken >= PIECE).then_some(Cause::LostMaterial { by })
}

/// What the best move would have taken, or won later in its line.
fn missed_material(before: Searched) -> Option<Cause> {
    let &best = before.line.first()?;
    let by = san(before.position, best);
    if let Some(role) = before.position.captured(best).filter(|_| gain(before.position, best) >= PIECE) {
        return Some(Cause::MissedPiece { role, by });
    }
    (line_gain(before) >= PIECE).then_some(Cause::MissedMaterial { by })
}

/// What the exchange that a capture starts gains, centipawns.
fn gain(position: &Position, m: Move) -> i32 {
    let most = position.captured(m).map_or(0, |role| SEE_VALUE[role as usize]);
    // Exchange values are multiples of ten.
    (1..=most / 10).rev().map(|tens| 10 * tens).find(|&threshold| position.see(m, threshold)).unwrap_or(0)
}

/// What the side to move gains along the best line, centipawns, up to its last quiet position.
fn line_gain(searched: Searched) -> i32 {
    let (mut position, turn) = (*searched.position, searched.position.turn());
    let (mut balance, mut gained) = (0, 0);
    for (index, &m) in searched.line.iter().enumerate().take(LINE_PLIES) {
        let value = |role: Role| SEE_VALUE[role as usize];
        let promoted = m.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
        let sign = if position.turn() == turn { 1 } else { -1 };
        balance += sign * (position.captured(m).map_or(0, value) + promoted);
        position = position.play(m);
        let next = searched.line.get(index + 1);
        let is_quiet = next.is_some_and(|&next| position.captured(next).is_none() && next.promotion().is_none());
        if is_quiet && !position.is_check() {
            gained = balance;
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
pub fn in_words(cause: Option<&Cause>, expected: [f64; 2]) -> String {
    let [before, after] = expected.map(|expected| Standing::of(expected).name());
    match cause {
        Some(cause) if before == after => format!("{cause}, and is still {after}"),
        Some(cause) => format!("{cause}: from {before} to {after}"),
        None if before == after => format!("lost ground in a {after} position"),
        None => format!("went from {before} to {after}"),
    }
}
