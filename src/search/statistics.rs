//! How often techniques of the search are tried and decide, by depth, for those who look for where a tree goes. Only builds with
//! the feature `statistics` count.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// First depth of each band but the first, plies.
const BANDS: [i32; 5] = [4, 7, 10, 14, 19];
const BAND_COUNT: usize = BANDS.len() + 1;

macro_rules! counted {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
        /// What is counted, at the depth of its node.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Counted {
            $($(#[$doc])* $name,)*
        }

        const NAMES: &[&str] = &[$($text),*];
    };
}

counted! {
    /// Nodes of the main search.
    Node "nodes";
    /// Nodes of quiescence search.
    Quiescence "nodes of quiescence";
    /// Nodes that the transposition table knows.
    TtHit "table hits";
    /// Nodes that it ends.
    TtCutoff "table cutoffs";
    /// Nodes in which a move repeats a position, which is enough.
    UpcomingRepetition "upcoming repetitions";
    /// Nodes before whose moves it has a move.
    TtMove "table moves";
    /// Nodes whose static evaluation is better than two plies ago.
    Improving "improving";
    /// Nodes that are expected to fail high.
    CutNode "cut nodes";
    /// Nodes that razoring ends.
    Razored "razoring cutoffs";
    /// Nodes that reverse futility pruning ends.
    ReverseFutility "reverse futility cutoffs";
    /// Null moves tried.
    NullMove "null moves";
    /// Null moves that fail high.
    NullMoveCutoff "null move cutoffs";
    /// Captures that ProbCut tries.
    ProbCut "ProbCut captures";
    /// Nodes that ProbCut ends.
    ProbCutCutoff "ProbCut cutoffs";
    /// Nodes whose moves are searched.
    Expanded "expanded nodes";
    /// Legal moves of these, up to the cutoff.
    Move "moves";
    /// Moves that are pruned one by one.
    MovePruned "pruned moves";
    /// Searches without the move of the transposition table.
    Singular "singular searches";
    /// Moves that these extend by one ply.
    SingularExtended "extensions by one ply";
    /// The same by two plies.
    DoubleExtended "extensions by two plies";
    /// Nodes that end because other moves are above beta, too.
    MultiCut "multi-cuts";
    /// Moves searched less deep at first.
    Reduced "reduced moves";
    /// Reduced moves that are searched again.
    Researched "re-searches";
    /// Nodes that fail high.
    Cutoff "beta cutoffs";
    /// Nodes that fail high by their first move.
    FirstCutoff "cutoffs by the first move";
}

static COUNTS: [[AtomicU64; BAND_COUNT]; NAMES.len()] =
    [const { [const { AtomicU64::new(0) }; BAND_COUNT] }; NAMES.len()];

/// Counts one, at a node of this depth.
#[inline(always)]
pub fn count(counted: Counted, depth: i32) {
    if cfg!(feature = "statistics") {
        record(counted, depth);
    }
}

fn record(counted: Counted, depth: i32) {
    let band = BANDS.iter().filter(|&&first| depth >= first).count();
    COUNTS[counted as usize][band].fetch_add(1, Relaxed);
}

/// Begins anew.
#[cfg(any(test, feature = "statistics"))]
pub fn reset() {
    COUNTS.iter().flatten().for_each(|count| count.store(0, Relaxed));
}

/// What was counted since the last [`reset`], in lines: in all, and for 1,000 nodes of the main search at each band of depths.
#[cfg(any(test, feature = "statistics"))]
#[must_use]
pub fn table() -> Vec<String> {
    use std::fmt::Write as _;
    let mut head = format!("{:<26}{:>12}", "for 1000 nodes, by depth", "in all");
    for (band, first) in [1].into_iter().chain(BANDS).enumerate() {
        let band = BANDS.get(band).map_or(format!("{first} on"), |next| format!("{first} to {}", next - 1));
        let _ = write!(head, "{band:>10}");
    }
    let values = |row: &[AtomicU64; BAND_COUNT]| row.each_ref().map(|count| count.load(Relaxed));
    let nodes = values(&COUNTS[Counted::Node as usize]);
    let line = |(name, row): (&&str, &[AtomicU64; BAND_COUNT])| {
        let row = values(row);
        let mut line = format!("{name:<26}{:>12}", row.iter().sum::<u64>());
        for (count, nodes) in row.into_iter().zip(nodes) {
            let _ = write!(line, "{:>10.1}", count as f64 * 1000.0 / nodes.max(1) as f64);
        }
        line
    };
    [head].into_iter().chain(NAMES.iter().zip(&COUNTS).map(line)).collect()
}

// In a build that counts, other tests search meanwhile.
#[cfg(all(test, not(feature = "statistics")))]
mod tests {
    use super::*;

    #[test]
    fn counts_are_shown_for_a_thousand_nodes_of_each_band() {
        reset();
        for (counted, depth, times) in [(Counted::Node, 3, 4), (Counted::Node, 19, 2), (Counted::Cutoff, 25, 1)] {
            (0..times).for_each(|_| record(counted, depth));
        }
        let columns = |name: &str| -> Vec<String> {
            let lines = table();
            let line = lines.iter().find(|line| line.starts_with(name)).unwrap();
            line[26..].split_whitespace().map(str::to_owned).collect()
        };
        assert_eq!(columns("nodes "), ["6", "1000.0", "0.0", "0.0", "0.0", "0.0", "1000.0"]);
        assert_eq!(columns("beta cutoffs"), ["1", "0.0", "0.0", "0.0", "0.0", "0.0", "500.0"]);
        assert_eq!(table().len(), NAMES.len() + 1);
        reset();
        assert_eq!(columns("nodes ")[0], "0");
    }
}
