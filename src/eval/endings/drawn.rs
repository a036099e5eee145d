//! Endings that are drawn although one side is far ahead, by rules.

use crate::eval::bits::{distance, forward, forward_fill, pawn_attacks, step, to_edge};
use crate::position::Position;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// How sure a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The side ahead wins in none of the positions that the rule names.
    Certain,
    /// It wins in some of them, mostly by tactics that a search sees.
    Likely,
}

/// Whether `us`, with pawns and bishops alone, has only rook pawns of one file and no bishop that controls their promotion
/// square, and a king without pieces and without pawns on other files stands beside that square or on it. No check reaches
/// the corner, and no king takes it from him. Nor can he win: a pawn of `us` stops each of his.
pub fn wrong_bishops(position: &Position, us: Color) -> Option<Draw> {
    let (bishops, pawns) = (position.pieces(us, Role::Bishop), position.pieces(us, Role::Pawn));
    let is_stopped = |pawn: Square| (forward_fill(!us, Bitboard::from_square(pawn)) & pawns).any();
    let is_held = [File::A, File::H].into_iter().any(|file| {
        let corner = Square::from_coords(file, us.relative_rank(Rank::Eighth));
        let colour = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        position.board().pawns().is_subset(Bitboard::from_file(file))
            && (bishops & colour).is_empty()
            && distance(position.king(!us), corner) <= 1
            && position.pieces(!us, Role::Pawn).into_iter().all(is_stopped)
    });
    is_held.then_some(Draw::Certain)
}

/// Whether `us`, with one bishop and knight's pawns of one file, cannot win the only pawn that blocks them, on the seventh
/// rank and out of the bishop's reach. For certain if the enemy king is near that pawn on its two back ranks and not farther
/// than the king of `us`, or much nearer; not so on the rook's file, where the other king can shut him out.
pub fn blocked_knight_pawn(position: &Position, us: Color) -> Option<Draw> {
    let pawns = position.pieces(us, Role::Pawn);
    let bishop = position.pieces(us, Role::Bishop).single_square()?;
    let blocker = position.pieces(!us, Role::Pawn).single_square()?;
    let file = blocker.file();
    if us.relative_rank(blocker.rank()) != Rank::Seventh
        || !matches!(file, File::B | File::G)
        || bishop.is_light() == blocker.is_light()
        || !pawns.contains(step(!us, blocker))
        || !pawns.is_subset(Bitboard::from_file(file))
    {
        return None;
    }
    let (king, enemy_king) = (position.king(us), position.king(!us));
    let (far, near) = (distance(king, blocker), distance(enemy_king, blocker));
    let rook_file = if file == File::B { File::A } else { File::H };
    let is_near = match us.relative_rank(enemy_king.rank()) {
        Rank::Seventh => near <= 3,
        Rank::Eighth => near <= 2,
        _ => false,
    };
    let tempo = usize::from(position.turn() == us);
    if is_near && far >= near.max(2) || enemy_king.file() != rook_file && far >= near + 4 + tempo {
        return Some(Draw::Certain);
    }
    (far > near + tempo).then_some(Draw::Likely)
}

/// Whether `us`, with one bishop and a rook's pawn on the sixth, cannot win the only pawn, which blocks it and is out of the
/// bishop's reach: the enemy king is at home beside it, or `us`, on the move, does not shut him out. By exhaustive analysis in
/// which taking the blocker counts as a win.
pub fn blocked_rook_pawn(position: &Position, us: Color) -> Option<Draw> {
    let pawn = position.pieces(us, Role::Pawn).single_square()?;
    let bishop = position.pieces(us, Role::Bishop).single_square()?;
    let blocker = position.pieces(!us, Role::Pawn).single_square()?;
    if us.relative_rank(blocker.rank()) != Rank::Seventh
        || !matches!(blocker.file(), File::A | File::H)
        || bishop.is_light() == blocker.is_light()
        || step(!us, blocker) != pawn
    {
        return None;
    }
    // As if the pawn were White's, on the a-file.
    let view = |square: Square| {
        let square = us.fold_wb(square, square.flip_vertical());
        if blocker.file() == File::H { square.flip_horizontal() } else { square }
    };
    let shut_out: &[Square] = match view(position.king(!us)) {
        Square::B8 => return Some(Draw::Certain),
        _ if position.turn() != us => return None,
        Square::A8 => &[Square::C6, Square::C7, Square::C8],
        Square::C8 => &[Square::A8, Square::B6],
        Square::C7 => &[Square::A8],
        _ => return None,
    };
    (!shut_out.contains(&view(position.king(us)))).then_some(Draw::Certain)
}

/// Whether `us`, with one bishop, cannot win the base of two or three pawns that block all of his, each but the base protected by
/// another: it stands on the seventh rank, on the two files at the edge, out of the bishop's reach as all of them are, and the
/// enemy king is near it on his two back ranks.
pub fn blocked_chain(position: &Position, us: Color) -> Option<Draw> {
    let (own, enemy) = (position.pieces(us, Role::Pawn), position.pieces(!us, Role::Pawn));
    let bishop = position.pieces(us, Role::Bishop).single_square()?;
    let reached = if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let base = (enemy & !pawn_attacks(!us, enemy)).single_square()?;
    let is_one_a_file = File::ALL.into_iter().all(|file| !(enemy & Bitboard::from_file(file)).more_than_one());
    if !(2..=3).contains(&enemy.count())
        || forward(us, own) != enemy
        || !is_one_a_file
        || (enemy & reached).any()
        || us.relative_rank(base.rank()) != Rank::Seventh
        || to_edge(base).0 > 1
    {
        return None;
    }
    let (far, near) = (distance(position.king(us), base), distance(position.king(!us), base));
    let is_held = match us.relative_rank(position.king(!us).rank()) {
        Rank::Seventh => near <= 3 && far >= near.max(2),
        // Behind a rook's pawn the bishop may mate.
        Rank::Eighth if to_edge(base).0 == 0 && near == 1 => far >= 3,
        Rank::Eighth => near <= 2 && far >= 2,
        _ => false,
    };
    is_held.then_some(Draw::Certain)
}

/// Whether the king of `us` stands in the corner before his rook's pawn on the seventh, shut in by the enemy king and a
/// bishop far down the diagonal of the square beside him, or down that of the corner. The rook, on the move, does not attack
/// the bishop; else not bishop and king at once. Likely so if the bishop, on the move, may still get there.
pub fn king_shut_in(position: &Position, us: Color) -> Option<Draw> {
    let pawn = position.pieces(us, Role::Pawn).single_square()?;
    let rook = position.pieces(us, Role::Rook).single_square()?;
    let bishop = position.pieces(!us, Role::Bishop).single_square()?;
    let enemy_king = position.king(!us);
    // As if the pawn were White's, on the h-file.
    let view = |square: Square| {
        let square = us.fold_wb(square, square.flip_vertical());
        if pawn.file() < File::E { square.flip_horizontal() } else { square }
    };
    if view(pawn) != Square::H7 || view(position.king(us)) != Square::H8 {
        return None;
    }
    let is_shut_in = match view(enemy_king) {
        Square::F7 => true,
        Square::G6 => view(bishop).is_light(),
        Square::F8 => view(bishop).is_dark(),
        _ => false,
    };
    if !is_shut_in {
        return None;
    }
    let is_placed = match view(bishop) {
        Square::A2 | Square::B3 | Square::C4 | Square::D5 => true,
        square => square.file() as u32 == square.rank() as u32,
    };
    let is_our_turn = position.turn() == us;
    let attacked = attacks::rook_attacks(rook, position.board().occupied());
    if is_placed && !(attacked.contains(bishop) && (is_our_turn || attacked.contains(enemy_king))) {
        return Some(Draw::Certain);
    }
    (!is_our_turn).then_some(Draw::Likely)
}

/// Whether the enemy of `us`, who has a queen, holds with rook and pawn: the pawn, no rook's pawn, stands where it started, and
/// the rook on the rank before it cuts off the king of `us`. For certain if the pawn protects the rook and the king is beside
/// it on his two back ranks; likely if he is two steps away, or he is to move and the rook is elsewhere on that rank. A
/// knight's pawn may be a step ahead, with the rook on the side of the centre and the king behind it or towards the edge.
///
/// Other pawns of his do not matter while they are far away and at home: at best `us` wins them.
pub fn anchored_rook(position: &Position, us: Color) -> Option<Draw> {
    if let Some(pawn) = position.pieces(us, Role::Pawn).single_square() {
        return held_against_pawn(position, us, pawn);
    }
    let pawns = position.pieces(!us, Role::Pawn);
    let found = |pawn| held_by_anchor(position, us, pawn).map(|draw| (pawn, draw));
    let (anchor, draw) = pawns.into_iter().find_map(found)?;
    let is_aside = |pawn: Square| {
        let files = (pawn.file() as i32).abs_diff(anchor.file() as i32);
        pawn == anchor || files >= 3 && us.relative_rank(pawn.rank()) >= Rank::Fifth
    };
    Some(if pawns.into_iter().all(is_aside) { draw } else { Draw::Likely })
}

/// The same against a knight's pawn of `us` that has not passed the middle, with his king behind: for certain if the anchor is the
/// bishop's pawn beside it, and the enemy king on the file of the other pawn is not shut in by his own rook.
fn held_against_pawn(position: &Position, us: Color, pawn: Square) -> Option<Draw> {
    let anchor = position.pieces(!us, Role::Pawn).single_square()?;
    let rook = position.pieces(!us, Role::Rook).single_square()?;
    let enemy_king = position.king(!us);
    let rank = |square: Square| us.relative_rank(square.rank());
    let file_edge = |square: Square| to_edge(square).0;
    let is_shut_in = rank(enemy_king) == Rank::Eighth && rook.file() == pawn.file() && position.turn() == us;
    let is_held = file_edge(pawn) == 1
        && file_edge(anchor) == 2
        && distance(Square::from_coords(pawn.file(), anchor.rank()), anchor) == 1
        && rank(pawn) <= Rank::Fifth
        && rank(position.king(us)) <= Rank::Fourth
        && rank(anchor) == Rank::Seventh
        && pawn_attacks(!us, Bitboard::from_square(anchor)).contains(rook)
        && enemy_king.file() == pawn.file()
        && rank(enemy_king) >= Rank::Seventh
        && !is_shut_in;
    is_held.then(|| held_by_anchor(position, us, anchor)).flatten()
}

/// The same with the pawn that may be the anchor.
fn held_by_anchor(position: &Position, us: Color, pawn: Square) -> Option<Draw> {
    let rook = position.pieces(!us, Role::Rook).single_square()?;
    let (king, enemy_king) = (position.king(us), position.king(!us));
    let rank = |square: Square| us.relative_rank(square.rank());
    let file_edge = |square: Square| to_edge(square).0;
    let near = distance(enemy_king, pawn);
    if rank(rook) != rank(step(!us, pawn)) || rank(king) >= rank(rook) || rank(enemy_king) < Rank::Seventh || near > 2 {
        return None;
    }
    let is_our_turn = position.turn() == us;
    let protected = pawn_attacks(!us, Bitboard::from_square(pawn));
    let is_anchored = protected.contains(rook);
    let attacked =
        attacks::rook_attacks(rook, position.board().occupied()) | protected | attacks::king_attacks(enemy_king);
    let is_queen_safe = is_our_turn || (position.pieces(us, Role::Queen) & attacked).is_empty();
    let (is_beside, is_likely) = match (rank(pawn), file_edge(pawn)) {
        (Rank::Seventh, 1..) => (near == 1, is_anchored || !is_our_turn),
        (Rank::Sixth, 1) if is_anchored && file_edge(rook) == 2 => {
            let is_behind = rank(enemy_king) == Rank::Seventh && file_edge(enemy_king) < 2;
            (near == 1 && is_behind, near == 1 || !is_our_turn)
        }
        _ => return None,
    };
    if is_anchored && is_beside && is_queen_safe { Some(Draw::Certain) } else { is_likely.then_some(Draw::Likely) }
}
