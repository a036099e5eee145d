//! The proof that sums of weights fit their sixteen bits in any position.

use super::term_list::{self, COLUMNS, MAX_COUNTS, Owner, TERMS, Term};
use super::word::Word;
use shakmaty::Role;

/// Checks the sums of every column. `words` are those of all terms.
///
/// # Errors
///
/// What is wrong, with the column.
pub fn check(words: &[Word]) -> Result<(), String> {
    let lanes: [fn(Word) -> i32; 4] = [Word::wilo_mg, Word::wilo_eg, Word::draw_mg, Word::draw_eg];
    for (column, lane) in COLUMNS.into_iter().zip(lanes) {
        let bound = lane_bound(words, lane, column.starts_with("draw"));
        if bound > i64::from(i16::MAX) {
            return Err(format!("the sum of column '{column}' could reach {bound}, more than {}", i16::MAX));
        }
    }
    Ok(())
}

/// Upper bound on the absolute value of a lane in the four sums that are made:
///
/// - features of the piece counts, one colour's in a wilo lane, both colours' in a draw lane;
/// - features of an ending, with those of the side to move and the halfmove clock;
/// - features of pawns and kings, the difference of both colours in a wilo lane, their sum in a draw lane;
/// - all other features, likewise.
pub fn lane_bound(words: &[Word], lane: fn(Word) -> i32, is_draw: bool) -> i64 {
    let counts = if is_draw { 2 } else { 1 } * counts_bound(words, lane);
    // Bounds for both colours together, of features outside and inside `STRUCTURE`.
    let (mut shared, mut ending, mut side, mut piece) = (0, 0, [0; 2], [[0; 7]; 2]);
    for term in TERMS {
        let values = || term.words(words).iter().map(|&word| i64::from(lane(word)));
        let (high, low) = (values().max().unwrap_or(0).max(0), -values().min().unwrap_or(0).min(0));
        // In a difference one colour may have the highest value and the other the lowest; in a sum both have the same.
        let range = i64::from(term.max_count) * if is_draw { 2 * high.max(low) } else { high + low };
        let part = usize::from(term_list::STRUCTURE.iter().any(|other| other.offset == term.offset));
        match term.owner {
            Owner::Counts => {}
            Owner::Shared => shared += i64::from(term.max_count) * high.max(low),
            Owner::Ending => ending = ending.max(i64::from(term.max_count) * high.max(low)),
            Owner::Side => side[part] += range,
            Owner::Piece(role) => piece[part][role as usize] += range,
            Owner::Minor => {
                piece[part][Role::Knight as usize] += range;
                piece[part][Role::Bishop as usize] += range;
            }
        }
    }
    // At most seven pieces beside king and pawns, and eight pawns, each of which may have promoted.
    let total = |part: usize| {
        let pawn = piece[part][Role::Pawn as usize];
        let other = piece[part].into_iter().skip(Role::Knight as usize).max().unwrap_or(0);
        side[part] + 7 * other + 8 * pawn.max(other)
    };
    counts.max(total(0)).max(total(1)).max(ending) + shared
}

/// Upper bound on the features of one colour's piece counts, with the worst enemy.
fn counts_bound(words: &[Word], lane: fn(Word) -> i32) -> i64 {
    let values = |term: &Term| -> Vec<i64> { term.words(words).iter().map(|&word| i64::from(lane(word))).collect() };
    let max_counts = MAX_COUNTS.map(i64::from);
    let (material, own_pairs) = (values(&term_list::MATERIAL), values(&term_list::IMBALANCE_OWN));
    let their_pairs = values(&term_list::IMBALANCE_THEIRS);
    let extras = [values(&term_list::BISHOP_PAIR)[0], values(&term_list::PAWNLESS)[0]];
    // With more pieces than a game can have, only the material is summed.
    let oversized: i64 = material.iter().zip(max_counts).map(|(value, count)| value.abs() * count).sum();
    let mut bound = oversized;
    for counts in possible_counts() {
        let counts = counts.map(i64::from);
        let mut sum: i64 = material.iter().zip(counts).map(|(value, count)| value * count).sum();
        let (mut own_index, mut their_index) = (0, 0);
        let mut against = [0; 5];
        for i in 0..5 {
            for j in 0..=i {
                let pairs = if i == j { counts[i] * (counts[i] - 1) / 2 } else { counts[i] * counts[j] };
                sum += own_pairs[own_index] * pairs;
                own_index += 1;
                if j < i {
                    against[j] += their_pairs[their_index] * counts[i];
                    their_index += 1;
                }
            }
        }
        for sign in [1, -1] {
            let enemies = against.iter().zip(max_counts).map(|(value, count)| (sign * value).max(0) * count);
            let extras = extras.iter().map(|value| (sign * value).max(0));
            bound = bound.max(sign * sum + enemies.sum::<i64>() + extras.sum::<i64>());
        }
    }
    bound
}

/// All counts of one colour up to [`MAX_COUNTS`], pawns first, with at most fifteen pieces beside the king.
fn possible_counts() -> impl Iterator<Item = [i32; 5]> {
    let choices = MAX_COUNTS.map(|max| max + 1);
    (0..choices.iter().product())
        .map(move |index: i32| {
            let mut rest = index;
            choices.map(|choices| {
                let count = rest % choices;
                rest /= choices;
                count
            })
        })
        .filter(|counts| counts.iter().sum::<i32>() <= 15)
}
