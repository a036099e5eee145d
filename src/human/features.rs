//! Features of moves, in one table: name, meaning, value. The model and its fit read the same.

use super::scene::{Candidate, Scene, centre_distance, mobility, value};
use shakmaty::{File, Role, Square, attacks};

/// A loss that half of the logarithmic growth is reached at, expected points.
const LOSS_UNIT: f64 = 0.03;
/// The same in centipawns.
const LOSS_UNIT_CP: f64 = 40.0;
/// Largest loss in centipawns that counts.
const LARGEST_LOSS_CP: f64 = 1500.0;

/// A feature of a move.
pub struct Feature {
    /// Name in the file.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    of: fn(&Scene<'_>, &Candidate) -> f64,
}

impl Feature {
    /// Its value.
    pub(super) fn value(&self, scene: &Scene<'_>, candidate: &Candidate) -> f64 {
        (self.of)(scene, candidate)
    }
}

/// Declares [`FEATURES`] from one entry for each: its meaning, then `name: value;`.
macro_rules! features {
    ($($(#[doc = $meaning:literal])+ $name:ident: $of:expr;)+) => {
        /// The features, in the order of the file.
        pub static FEATURES: [Feature; COUNT] = [$(
            Feature { name: stringify!($name), meaning: concat!($($meaning),+).trim_ascii(), of: $of },
        )+];
        /// How many features there are.
        pub const COUNT: usize = [$(stringify!($name)),+].len();
    };
}

fn log_loss(loss: f64) -> f64 {
    (loss / LOSS_UNIT).ln_1p()
}

fn log_loss_cp(loss: f64) -> f64 {
    (loss.min(LARGEST_LOSS_CP) / LOSS_UNIT_CP).ln_1p()
}

fn is(truth: bool) -> f64 {
    f64::from(u8::from(truth))
}

fn distance(a: Square, b: Square) -> f64 {
    f64::from(a.distance(b))
}

features! {
    /// Logarithm of the loss at depth 1.
    loss_1: |_, c| log_loss(c.losses[0]);
    /// Logarithm of the loss at depth 2.
    loss_2: |_, c| log_loss(c.losses[1]);
    /// Logarithm of the loss at depth 3.
    loss_3: |_, c| log_loss(c.losses[2]);
    /// Logarithm of the loss at depth 4.
    loss_4: |_, c| log_loss(c.losses[3]);
    /// Logarithm of the loss at depth 6.
    loss_6: |_, c| log_loss(c.losses[4]);
    /// Logarithm of the loss at depth 8.
    loss_8: |_, c| log_loss(c.losses[5]);
    /// The loss at depth 1 itself.
    large_loss_1: |_, c| c.losses[0];
    /// The loss at depth 3 itself.
    large_loss_3: |_, c| c.losses[2];
    /// The loss at depth 8 itself.
    large_loss_8: |_, c| c.losses[5];
    /// Best at depth 1.
    best_1: |_, c| is(c.is_best[0]);
    /// Best at depth 2.
    best_2: |_, c| is(c.is_best[1]);
    /// Best at depth 3.
    best_3: |_, c| is(c.is_best[2]);
    /// Best at depth 4.
    best_4: |_, c| is(c.is_best[3]);
    /// Best at depth 6.
    best_6: |_, c| is(c.is_best[4]);
    /// Best at depth 8.
    best_8: |_, c| is(c.is_best[5]);
    /// Logarithm of the centipawns lost at depth 1.
    loss_cp_1: |_, c| log_loss_cp(c.losses_cp[0]);
    /// Logarithm of the centipawns lost at depth 3.
    loss_cp_3: |_, c| log_loss_cp(c.losses_cp[2]);
    /// Logarithm of the centipawns lost at depth 8.
    loss_cp_8: |_, c| log_loss_cp(c.losses_cp[5]);
    /// Logarithm of the number of better moves at depth 4.
    rank: |_, c| (c.rank as f64).ln_1p();
    /// Captures.
    capture: |_, c| is(c.captured.is_some());
    /// Value of what is captured.
    captured: |_, c| c.captured_value();
    /// What the exchange gains.
    exchange_gain: |_, c| c.exchange.max(0.0);
    /// What the exchange loses.
    exchange_loss: |_, c| (-c.exchange).max(0.0);
    /// Exchanges pieces of about the same value.
    trade: |_, c| is(c.captured.is_some() && c.exchange == 0.0);
    /// Captures where the opponent has just captured.
    retake: |s, c| is(s.recent.is_retake(c.m));
    /// What is lost elsewhere.
    hanging: |_, c| c.hanging.off(c.to);
    /// What is lost elsewhere that was not before.
    new_hanging: |s, c| (c.hanging.off(c.to) - s.hanging.off(c.from)).max(0.0);
    /// What the piece that moves was to lose.
    escape: |s, c| s.hanging.on(c.from) * is(c.exchange >= 0.0);
    /// What other pieces were to lose and do not lose any more.
    rescue: |s, c| (s.hanging.off(c.from) - c.hanging.off(c.to)).max(0.0);
    /// Moves a piece that the piece attacks which has just moved.
    attacked_last: |s, c| is(s.recent.theirs.is_some_and(|m| {
        let attacker = s.position.board().piece_at(m.to());
        attacker.is_some_and(|piece| attacks::attacks(m.to(), piece, s.position.board().occupied()).contains(c.from))
    }));
    /// Onto a square that a pawn attacks.
    pawn_attacked: |s, c| is(c.role != Role::Pawn && s.attacked.by_pawn.contains(c.to));
    /// Gives check.
    check: |_, c| is(c.after.is_check());
    /// Gives check at no loss.
    safe_check: |_, c| is(c.after.is_check() && c.exchange >= 0.0);
    /// What it threatens to win that could not be won before.
    threat: |s, c| (c.prey.most() - s.prey.most()).max(0.0);
    /// Castles on the king's side.
    castle_short: |s, c| is(c.m.is_castle() && s.relative(c.to).file() == File::G);
    /// Castles on the queen's side.
    castle_long: |s, c| is(c.m.is_castle() && s.relative(c.to).file() == File::C);
    /// Gives up the right to castle.
    no_castling: |s, c| {
        let own = s.position.board().by_color(s.position.turn());
        is(!c.m.is_castle()
            && (c.after.castling_rights() & own).count() < (s.position.castling_rights() & own).count())
    };
    /// A knight moves.
    knight: |_, c| is(c.is(Role::Knight));
    /// A bishop moves.
    bishop: |_, c| is(c.is(Role::Bishop));
    /// A rook moves.
    rook: |_, c| is(c.is(Role::Rook));
    /// The queen moves.
    queen: |_, c| is(c.is(Role::Queen));
    /// The king moves.
    king: |_, c| is(c.is(Role::King));
    /// A pawn moves two squares.
    pawn_double: |s, c| is(c.is(Role::Pawn) && c.advance(s) == 2);
    /// A pawn at the edge moves.
    pawn_edge: |_, c| is(c.is(Role::Pawn) && matches!(c.from.file(), File::A | File::H));
    /// A pawn moves, by how far up the board.
    pawn_rank: |s, c| is(c.is(Role::Pawn)) * f64::from(s.rank(c.to) - 3);
    /// A pawn before the own king moves.
    pawn_shield: |s, c| is(c.is(Role::Pawn) && distance(s.position.king(s.position.turn()), c.from) <= 1.0);
    /// Promotes to a queen.
    queens: |_, c| is(c.m.promotion() == Some(Role::Queen));
    /// Promotes to a lesser piece.
    underpromotes: |_, c| is(c.m.promotion().is_some_and(|role| role != Role::Queen));
    /// A piece goes backward.
    backward: |s, c| is(c.advance(s) < 0);
    /// A piece goes sideways.
    sideways: |s, c| is(c.advance(s) == 0 && !c.m.is_castle());
    /// How far a piece goes.
    far: |_, c| if c.m.is_castle() { 0.0 } else { distance(c.from, c.to) };
    /// A minor piece leaves the first rank.
    develops: |s, c| is(matches!(c.role, Role::Knight | Role::Bishop) && s.rank(c.from) == 0 && s.rank(c.to) > 0);
    /// A piece goes back to the first rank.
    undevelops: |s, c| is(!matches!(c.role, Role::King | Role::Pawn) && s.rank(c.from) > 0 && s.rank(c.to) == 0);
    /// Steps nearer to the centre.
    centre: |_, c| if c.m.is_castle() { 0.0 } else { centre_distance(c.from) - centre_distance(c.to) };
    /// Steps nearer to the opponent's king.
    king_nearer: |s, c| if c.m.is_castle() { 0.0 } else { distance(c.from, s.enemy_king()) - distance(c.to, s.enemy_king()) };
    /// Squares that the piece attacks more than before.
    mobility: |s, c| if c.m.is_castle() || c.role == Role::Pawn { 0.0 } else {
        let (us, occupied) = (s.position.turn(), s.position.board().occupied());
        mobility(c.role, us, c.to, occupied) - mobility(c.role, us, c.from, occupied)
    };
    /// A rook onto a file without own pawns.
    open_file: |s, c| is(c.is(Role::Rook) && {
        let pawns = s.position.pieces(s.position.turn(), Role::Pawn);
        (pawns & shakmaty::Bitboard::from_file(c.to.file())).is_empty()
    });
    /// Distance of the target from where the opponent has just moved.
    far_from_last: |s, c| s.recent.theirs.map_or(0.0, |m| distance(m.to(), c.to));
    /// Moves the piece that moved last.
    same_piece: |s, c| is(s.recent.own.is_some_and(|m| m.to() == c.from));
    /// Attacks a piece that is worth more.
    attacks_more: |s, c| {
        let targets = c.attacks(s) & s.position.board().by_color(!s.position.turn());
        is(targets.into_iter().any(|square| s.position.role_at(square).is_some_and(|role| value(role) > value(c.role))))
    };
    /// Captures, and is best at depth 4.
    best_capture: |_, c| is(c.captured.is_some() && c.is_best[3]);
    /// Retakes, and is best at depth 4.
    best_retake: |s, c| is(s.recent.is_retake(c.m) && c.is_best[3]);
    /// A piece onto a square that an own pawn defends.
    supported: |s, c| is(c.role != Role::Pawn && s.own_pawn_attacks().contains(c.to));
    /// A passed pawn moves, by how far up the board.
    passed: |s, c| is(c.is_passed(s)) * f64::from(s.rank(c.to));
    /// Squares beside the opponent's king that the piece attacks.
    king_zone: |s, c| (c.attacks(s) & attacks::king_attacks(s.enemy_king())).count() as f64;
    /// A pawn attacks a pawn.
    pawn_contact: |s, c| is(c.is(Role::Pawn) && (c.attacks(s) & s.position.pieces(!s.position.turn(), Role::Pawn)).any());
    /// A pawn attacks a piece.
    pawn_attacks: |s, c| {
        let pieces = s.position.board().by_color(!s.position.turn()) & !s.position.board().pawns();
        is(c.is(Role::Pawn) && (c.attacks(s) & pieces).any())
    };
    /// A pawn captures.
    pawn_captures: |_, c| is(c.is(Role::Pawn) && c.captured.is_some());
    /// On how many more squares something is threatened.
    threats: |s, c| (c.prey.count() as f64 - s.prey.count() as f64).max(0.0);
    /// Defends a piece that is attacked.
    defends: |s, c| {
        let own = s.position.board().by_color(s.position.turn()) & s.attacked.all;
        (c.attacks(s) & own).count() as f64
    };
}
