//! Bitboard helpers, many from the point of view of a colour.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

/// One rank towards the enemy.
#[inline(always)]
pub fn forward(color: Color, set: Bitboard) -> Bitboard {
    if color.is_white() { Bitboard(set.0 << 8) } else { Bitboard(set.0 >> 8) }
}

/// The square one rank towards the enemy; the same square on the last rank.
#[inline]
pub fn step(color: Color, square: Square) -> Square {
    square.offset(color.fold_wb(8, -8)).unwrap_or(square)
}

/// One file to either side.
#[inline]
pub fn sideways(set: Bitboard) -> Bitboard {
    Bitboard((set.0 & !Bitboard::from_file(File::A).0) >> 1 | (set.0 & !Bitboard::from_file(File::H).0) << 1)
}

/// Squares that pawns of `color` attack.
#[inline]
pub fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    sideways(forward(color, pawns))
}

/// Squares that two pawns of `color` attack.
#[inline]
pub fn pawn_double_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = forward(color, pawns);
    let left = Bitboard((ahead.0 & !Bitboard::from_file(File::A).0) >> 1);
    let right = Bitboard((ahead.0 & !Bitboard::from_file(File::H).0) << 1);
    left & right
}

/// All squares in front of the set, up to the last rank.
#[inline]
pub fn forward_fill(color: Color, set: Bitboard) -> Bitboard {
    let mut s = set.0;
    if color.is_white() {
        s <<= 8;
        s |= s << 8;
        s |= s << 16;
        s |= s << 32;
    } else {
        s >>= 8;
        s |= s >> 8;
        s |= s >> 16;
        s |= s >> 32;
    }
    Bitboard(s)
}

/// The file of a square.
#[inline]
pub fn file_of(square: Square) -> Bitboard {
    Bitboard::from_file(square.file())
}

/// The files next to that of a square.
#[inline]
pub fn adjacent_files(square: Square) -> Bitboard {
    sideways(file_of(square))
}

/// Ranks in front of a square.
#[inline]
pub fn forward_ranks(color: Color, square: Square) -> Bitboard {
    let rank = square.rank() as u32;
    Bitboard(if color.is_white() { !0xff << (8 * rank) } else { (1 << (8 * rank)) - 1 })
}

/// Ranks `from` to `to`, 0 to 7, as `color` counts them.
#[inline(always)]
pub const fn ranks(color: Color, from: u32, to: u32) -> Bitboard {
    let set = (!0 << (8 * from)) & (!0 >> (56 - 8 * to));
    Bitboard(if color.is_white() { set } else { set.swap_bytes() })
}

/// Files `from` to `to`.
pub const fn files(from: File, to: File) -> Bitboard {
    let mut set = 0u64;
    let mut file = from as u32;
    while file <= to as u32 {
        set |= 0x0101_0101_0101_0101 << file;
        file += 1;
    }
    Bitboard(set)
}

/// The flank of a king, by its file: files a to c, a to d, c to f, e to h or f to h.
pub const FLANK: [Bitboard; 8] = {
    let queen_side = files(File::A, File::D);
    let centre = files(File::C, File::F);
    let king_side = files(File::E, File::H);
    [files(File::A, File::C), queen_side, queen_side, centre, centre, king_side, king_side, files(File::F, File::H)]
};

/// The king's square, moved one step in from each edge: the centre of its ring.
#[inline]
pub fn ring_centre(king: Square) -> Square {
    let file = (king.file() as u32).clamp(1, 6);
    let rank = (king.rank() as u32).clamp(1, 6);
    Square::new(8 * rank + file)
}

/// The nine squares around [`ring_centre`].
#[inline]
pub fn king_ring(king: Square) -> Bitboard {
    let centre = ring_centre(king);
    attacks::king_attacks(centre).with(centre)
}

/// The same square from White's point of view.
#[inline]
pub fn relative(color: Color, square: Square) -> Square {
    if color.is_white() { square } else { square.flip_vertical() }
}

/// Rank 0 to 7 as the colour counts.
#[inline]
pub fn relative_rank(color: Color, square: Square) -> usize {
    relative(color, square).rank() as usize
}

/// Rank `rank` as the colour counts.
#[inline]
pub fn rank(color: Color, rank: Rank) -> Bitboard {
    Bitboard::from_rank(color.relative_rank(rank))
}

/// King moves between two squares, at most 7.
#[inline(always)]
pub fn distance(a: Square, b: Square) -> usize {
    static DISTANCES: [[u8; 64]; 64] = {
        let mut table = [[0; 64]; 64];
        let mut i = 0;
        while i < 64 * 64 {
            table[i / 64][i % 64] = Square::new(i as u32 / 64).distance(Square::new(i as u32 % 64)) as u8;
            i += 1;
        }
        table
    };
    usize::from(DISTANCES[a as usize][b as usize])
}

/// File distance plus rank distance, at most 14.
#[inline]
pub fn file_rank_distance(a: Square, b: Square) -> usize {
    (a.file().distance(b.file()) + a.rank().distance(b.rank())) as usize
}

/// Steps from a square to the nearest edge along its rank and along its file, 0 to 3 each.
#[inline]
pub fn to_edge(square: Square) -> (i32, i32) {
    let steps = |index: i32| index.min(7 - index);
    (steps(square.file() as i32), steps(square.rank() as i32))
}
