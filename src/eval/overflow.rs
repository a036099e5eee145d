//! The proof that sums of weights fit their sixteen bits in any position.

use super::term_list::{
    BISHOP_PAIR, COLUMNS, ENDINGS, IMBALANCE_OWN, IMBALANCE_THEIRS, MATERIAL, MAX_COUNTS, Owner, PAWNLESS, STRUCTURE,
    TEMPO, TERMS, Term,
};
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

/// Upper bound on the absolute value of a lane in the four sums that are made, each with the shared features:
///
/// - features of the piece counts, one colour's in a wilo lane, both colours' in a draw lane;
/// - features of pawns and kings, the difference of both colours in a wilo lane, their sum in a draw lane;
/// - all other features of the board, likewise;
/// - features of the side to move and of one ending, whichever colours they belong to.
pub fn lane_bound(words: &[Word], lane: fn(Word) -> i32, is_draw: bool) -> i64 {
    let counts = if is_draw { 2 } else { 1 } * counts_bound(words, lane);
    // Bounds for both colours together, of features outside and inside `STRUCTURE`.
    let (mut shared, mut side, mut piece) = (0, [0; 2], [[0; 7]; 2]);
    for term in TERMS {
        let (low, high) = range(words, lane, term);
        // In a difference one colour may have the highest value and the other the lowest; in a sum both have the same.
        let both = i64::from(term.max_count) * if is_draw { 2 * high.max(low) } else { high + low };
        let part = usize::from(STRUCTURE.iter().any(|other| other.offset == term.offset));
        match term.owner {
            Owner::Counts | Owner::Mover | Owner::Ending => {}
            Owner::Shared => shared += largest(words, lane, term),
            Owner::Side => side[part] += both,
            Owner::Piece(role) => piece[part][role as usize] += both,
            Owner::Minor => {
                piece[part][Role::Knight as usize] += both;
                piece[part][Role::Bishop as usize] += both;
            }
        }
    }
    // At most seven pieces beside king and pawns, and eight pawns, each of which may have promoted.
    let total = |part: usize| {
        let pawn = piece[part][Role::Pawn as usize];
        let other = piece[part].into_iter().skip(Role::Knight as usize).max().unwrap_or(0);
        side[part] + 7 * other + 8 * pawn.max(other)
    };
    counts.max(total(0)).max(total(1)).max(mover_bound(words, lane)) + shared
}

/// How far the weights of a term lie below and above zero.
fn range(words: &[Word], lane: fn(Word) -> i32, term: &Term) -> (i64, i64) {
    let values = || term.words(words).iter().map(|&word| i64::from(lane(word)));
    (-values().min().unwrap_or(0).min(0), values().max().unwrap_or(0).max(0))
}

/// Upper bound on what a term adds for one owner, of either sign.
fn largest(words: &[Word], lane: fn(Word) -> i32, term: &Term) -> i64 {
    let (low, high) = range(words, lane, term);
    i64::from(term.max_count) * high.max(low)
}

/// Upper bound on the features of the side to move with those of the worst ending.
fn mover_bound(words: &[Word], lane: fn(Word) -> i32) -> i64 {
    let together = |terms: &[Term]| terms.iter().map(|term| largest(words, lane, term)).sum::<i64>();
    together(&[TEMPO]) + ENDINGS.into_iter().map(together).max().unwrap_or(0)
}

/// Upper bound on the features of one colour's piece counts, with the worst enemy.
fn counts_bound(words: &[Word], lane: fn(Word) -> i32) -> i64 {
    let values = |term: &Term| -> Vec<i64> { term.words(words).iter().map(|&word| i64::from(lane(word))).collect() };
    let max_counts = MAX_COUNTS.map(i64::from);
    let (material, own_pairs) = (values(&MATERIAL), values(&IMBALANCE_OWN));
    let their_pairs = values(&IMBALANCE_THEIRS);
    let extras = [values(&BISHOP_PAIR)[0], values(&PAWNLESS)[0]];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::term_list::{COUNT, DUEL_TIME, Feature, KNOWN_WIN, MATE_TIME, MATERIAL_DUEL, QUEEN_AGAINST_ROOK};

    /// Whether weights are refused that are zero but for these in one column after the other.
    fn are_refused(weights: &[(Feature, i16)]) -> bool {
        let refused = [0, 1, 2, 3].map(|column| {
            let mut words = [Word::ZERO; COUNT];
            for &(feature, weight) in weights {
                let mut lanes = [0; 4];
                lanes[column] = weight;
                words[feature] = Word::new(lanes[0], lanes[1], lanes[2], lanes[3]);
            }
            check(&words).is_err()
        });
        assert!(refused.iter().all(|&other| other == refused[0]), "{refused:?}");
        refused[0]
    }

    #[test]
    fn terms_of_one_ending_stand_together() {
        let duel = (MATERIAL_DUEL.at(2), 12_000);
        let time = (DUEL_TIME.at(39), 12_000);
        let distance = (QUEEN_AGAINST_ROOK.at(3), 400);
        assert!(!are_refused(&[duel, time]) && !are_refused(&[duel, distance]));
        assert!(are_refused(&[duel, time, distance]));
        // No ending has both of these.
        assert!(!are_refused(&[(KNOWN_WIN.at(0), 20_000), (MATE_TIME.at(0), 20_000)]));
    }

    #[test]
    fn the_tempo_stands_beside_an_ending() {
        let won = (KNOWN_WIN.at(0), 25_000);
        assert!(!are_refused(&[won, (TEMPO.at(0), 7_000)]));
        assert!(are_refused(&[won, (TEMPO.at(0), 8_000)]));
        assert!(are_refused(&[won, (TEMPO.at(0), -8_000)]));
    }
}
