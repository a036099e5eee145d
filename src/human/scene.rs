//! What the features of moves look at.

use super::values::DEPTHS;
use crate::position::{Move, Position, SEE_VALUE, Threats};
use shakmaty::{Bitboard, CastlingSide, Role, Square};

/// Gains of exchanges that are told apart, centipawns.
const GAINS: [i32; 9] = [900, 500, 300, 100, 0, -100, -300, -500, -900];
/// Centipawns of a pawn.
const PAWN_CP: f64 = 100.0;

/// The last moves of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// The last move of who moves now.
    pub own: Option<Move>,
    /// The move that was just played.
    pub theirs: Option<Move>,
    /// Whether that was a capture.
    pub was_capture: bool,
}

impl Recent {
    /// Of a game that began so. The moves are legal, one after the other.
    #[must_use]
    pub fn of(start: &Position, moves: &[Move]) -> Recent {
        let mut recent = Recent::default();
        let mut position = *start;
        for &m in moves {
            recent = recent.after(m, position.captured(m).is_some());
            position = position.play(m);
        }
        recent
    }

    /// The same after another move of the game, which captures or does not.
    #[must_use]
    pub fn after(self, m: Move, was_capture: bool) -> Recent {
        Recent { own: self.theirs, theirs: Some(m), was_capture }
    }

    /// Whether a move captures where the opponent has just captured.
    #[must_use]
    pub fn is_retake(&self, m: Move) -> bool {
        self.was_capture && self.theirs.is_some_and(|last| last.to() == m.to())
    }
}

/// A position before a move, seen by who moves.
pub struct Scene<'a> {
    pub position: &'a Position,
    pub recent: Recent,
    /// What the opponent attacks.
    pub attacked: Threats,
    /// What the opponent wins where the player passes.
    pub hanging: Loot,
    /// What the player wins now.
    pub prey: Loot,
}

/// A legal move in its scene.
pub struct Candidate {
    pub m: Move,
    pub from: Square,
    /// Where the piece stands after it.
    pub to: Square,
    pub role: Role,
    pub captured: Option<Role>,
    pub after: Position,
    /// What the exchange on the target gains, pawns.
    pub exchange: f64,
    /// What the opponent wins after it.
    pub hanging: Loot,
    /// What the player wins where the opponent passes; nothing after a check.
    pub prey: Loot,
    /// Losses at each of [`DEPTHS`], expected points.
    pub losses: [f64; DEPTHS.len()],
    /// The same in centipawns of the search.
    pub losses_cp: [f64; DEPTHS.len()],
    /// Whether it is the best at each of [`DEPTHS`].
    pub is_best: [bool; DEPTHS.len()],
    /// How many moves are better at depth 4.
    pub rank: usize,
}

/// What the side to move wins by captures, pawns by square.
#[derive(Default)]
pub struct Loot(Vec<(Square, f64)>);

impl Loot {
    /// By the exchanges that begin with each legal capture.
    pub fn of(position: &Position) -> Loot {
        let mut loot = Vec::new();
        let mut moves = Default::default();
        position.generate_noisy(&mut moves);
        for m in moves {
            if position.captured(m).is_some() && position.is_legal(m) {
                let gain = exchange(position, m);
                if gain > 0.0 {
                    loot.push((m.to(), gain));
                }
            }
        }
        Loot(loot)
    }

    /// The most that is won, pawns.
    pub fn most(&self) -> f64 {
        self.0.iter().fold(0.0, |most, (_, gain)| most.max(*gain))
    }

    /// On how many squares something is won.
    pub fn count(&self) -> usize {
        let mut squares: Vec<_> = self.0.iter().map(|(square, _)| *square).collect();
        squares.sort_unstable();
        squares.dedup();
        squares.len()
    }

    /// The most that is won on a square.
    pub fn on(&self, square: Square) -> f64 {
        self.0.iter().filter(|(at, _)| *at == square).fold(0.0, |most, (_, gain)| most.max(*gain))
    }

    /// The most that is won elsewhere.
    pub fn off(&self, square: Square) -> f64 {
        self.0.iter().filter(|(at, _)| *at != square).fold(0.0, |most, (_, gain)| most.max(*gain))
    }
}

/// What a move's exchange on its target gains, pawns, to one of [`GAINS`]. That of a promotion is no more than what it captures,
/// as the model has a feature for promotions.
fn exchange(position: &Position, m: Move) -> f64 {
    let most = position.captured(m).map_or(0, |role| SEE_VALUE[role as usize]);
    let gain = GAINS.into_iter().find(|&gain| gain <= most && position.see(m, gain));
    f64::from(gain.unwrap_or(GAINS[GAINS.len() - 1])) / PAWN_CP
}

impl<'a> Scene<'a> {
    pub fn new(position: &'a Position, recent: Recent) -> Scene<'a> {
        let hanging = if position.is_check() { Loot::default() } else { Loot::of(&position.play_null()) };
        let attacked = Threats::by(position, !position.turn());
        Scene { position, recent, attacked, hanging, prey: Loot::of(position) }
    }

    /// A legal move, without its losses.
    pub fn candidate(&self, m: Move) -> Candidate {
        let after = self.position.play(m);
        let (from, role) = (m.from(), self.position.moving(m));
        let side = CastlingSide::from_king_side(from < m.to());
        let to = if m.is_castle() { side.king_to(self.position.turn()) } else { m.to() };
        let prey = if after.is_check() { Loot::default() } else { Loot::of(&after.play_null()) };
        Candidate {
            m,
            from,
            to,
            role,
            captured: self.position.captured(m),
            exchange: exchange(self.position, m),
            hanging: Loot::of(&after),
            prey,
            after,
            losses: [0.0; DEPTHS.len()],
            losses_cp: [0.0; DEPTHS.len()],
            is_best: [false; DEPTHS.len()],
            rank: 0,
        }
    }

    /// A square as its owner sees it: White's view.
    pub fn relative(&self, square: Square) -> Square {
        self.position.turn().fold_wb(square, square.flip_vertical())
    }

    /// Rank of a square from 0, as the player sees it.
    pub fn rank(&self, square: Square) -> i32 {
        i32::from(self.relative(square).rank())
    }

    pub fn enemy_king(&self) -> Square {
        self.position.king(!self.position.turn())
    }

    /// Squares that the player's pawns attack.
    pub fn own_pawn_attacks(&self) -> Bitboard {
        Threats::by(self.position, self.position.turn()).by_pawn
    }
}

impl Candidate {
    pub fn is(&self, role: Role) -> bool {
        self.role == role && !self.m.is_castle()
    }

    /// Value of what is captured, pawns.
    pub fn captured_value(&self) -> f64 {
        self.captured.map_or(0.0, value)
    }

    /// What the piece attacks from its target.
    pub fn attacks(&self, scene: &Scene<'_>) -> Bitboard {
        let piece = self.role.of(scene.position.turn());
        shakmaty::attacks::attacks(self.to, piece, self.after.board().occupied())
    }

    /// Whether it is a pawn that no enemy pawn can stop or capture on its way.
    pub fn is_passed(&self, scene: &Scene<'_>) -> bool {
        let rank = scene.rank(self.to);
        let is_before = |square: &Square| {
            let files = i32::from(square.file()) - i32::from(self.to.file());
            files.abs() <= 1 && scene.rank(*square) > rank
        };
        let enemies = scene.position.pieces(!scene.position.turn(), Role::Pawn);
        self.is(Role::Pawn) && !enemies.into_iter().any(|square| is_before(&square))
    }

    /// Ranks that it goes forward.
    pub fn advance(&self, scene: &Scene<'_>) -> i32 {
        scene.rank(self.to) - scene.rank(self.from)
    }
}

/// Value of a piece in exchanges, pawns; a king is worth nothing.
pub fn value(role: Role) -> f64 {
    if role == Role::King { 0.0 } else { f64::from(SEE_VALUE[role as usize]) / PAWN_CP }
}

/// Steps to the nearest of the four squares in the centre.
pub fn centre_distance(square: Square) -> f64 {
    let [file, rank] = [i32::from(square.file()), i32::from(square.rank())];
    f64::from((3 - file).max(file - 4).max((3 - rank).max(rank - 4)))
}

/// How many squares a piece attacks.
pub fn mobility(role: Role, color: shakmaty::Color, square: Square, occupied: Bitboard) -> f64 {
    shakmaty::attacks::attacks(square, role.of(color), occupied).count() as f64
}
