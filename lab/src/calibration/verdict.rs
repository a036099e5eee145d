//! What engines print about a position.

/// What an engine prints about a position, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Win, draw and loss per mille, but for rounding.
    pub wdl: Option<[u32; 3]>,
    /// Centipawns; a mate is ±32,000.
    pub centipawns: Option<i32>,
    /// Moves to mate, negative if the side to move is mated; none if there is no mate in sight.
    pub mate: Option<i32>,
}

/// What the sum of three rounded numbers may be off.
const ROUNDING: u64 = 2;

/// Centipawns that stand for a mate.
const MATE: i32 = 32_000;

impl Verdict {
    /// What win, draw and loss sum to beyond 1000; 0 without them.
    pub fn excess(&self) -> i64 {
        self.wdl.map_or(0, |wdl| wdl.into_iter().map(i64::from).sum::<i64>() - 1000)
    }

    /// Whether win, draw and loss sum to 1000 but for rounding.
    pub fn is_whole(&self) -> bool {
        self.excess().unsigned_abs() <= ROUNDING
    }

    /// The last verdict with W/D/L, or else the last: not every line of every engine has them. A bound counts only where there is
    /// nothing else.
    pub fn last(lines: &[String]) -> Verdict {
        let found = || lines.iter().rev().filter_map(|line| Some((Verdict::from_info(line)?, is_bound(line))));
        let last = |is_wanted: fn(&Verdict, bool) -> bool| {
            found().find(|(verdict, is_bound)| is_wanted(verdict, *is_bound)).map(|(verdict, _)| verdict)
        };
        last(|verdict, is_bound| verdict.wdl.is_some() && !is_bound)
            .or_else(|| last(|verdict, _| verdict.wdl.is_some()))
            .or_else(|| last(|_, is_bound| !is_bound))
            .or_else(|| last(|_, _| true))
            .unwrap_or_default()
    }

    /// Reads an `info` line with the score of the best line; `None` for other lines.
    fn from_info(line: &str) -> Option<Verdict> {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        // What follows these may hold anything.
        let end = words.iter().position(|word| matches!(*word, "pv" | "string")).unwrap_or(words.len());
        let words = words[..end].strip_prefix(&["info"])?;
        let after = |key: &str| words.iter().position(|word| *word == key).map(|at| &words[at + 1..]);
        if after("multipv").is_some_and(|rest| rest.first() != Some(&"1")) {
            return None;
        }
        let number = |word: &&str| word.parse::<i32>().ok();
        let (centipawns, mate) = match after("score")? {
            ["cp", value, ..] => (number(value)?, None),
            ["mate", value, ..] => {
                let moves = number(value)?;
                (if moves > 0 { MATE } else { -MATE }, Some(moves))
            }
            _ => return None,
        };
        let wdl = after("wdl").and_then(|rest| {
            let [win, draw, loss] =
                rest.get(..3)?.iter().map(|word| word.parse().ok()).collect::<Option<Vec<u32>>>()?[..]
            else {
                return None;
            };
            Some([win, draw, loss])
        });
        Some(Verdict { wdl, centipawns: Some(centipawns), mate })
    }
}

/// Whether the score of an `info` line is a bound.
fn is_bound(line: &str) -> bool {
    line.split_ascii_whitespace()
        .take_while(|word| !matches!(*word, "pv" | "string"))
        .any(|word| matches!(word, "lowerbound" | "upperbound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_best_line() {
        let verdict = |wdl, centipawns| Some(Verdict { wdl, centipawns: Some(centipawns), mate: None });
        let mate = |wdl, centipawns, moves| Some(Verdict { wdl, centipawns: Some(centipawns), mate: Some(moves) });
        for (line, expected) in [
            ("info depth 9 score cp -31 wdl 20 900 80 nodes 5 pv e2e4", verdict(Some([20, 900, 80]), -31)),
            ("info depth 9 multipv 1 score cp 5 lowerbound nodes 5", verdict(None, 5)),
            ("info depth 9 score mate -3 wdl 0 0 1000", mate(Some([0, 0, 1000]), -MATE, -3)),
            ("info score mate 12", mate(None, MATE, 12)),
            ("info score mate 0", mate(None, -MATE, 0)),
            ("info depth 9 multipv 2 score cp 5 wdl 1 2 3", None),
            ("info depth 9 currmove e2e4", None),
            ("info string score cp 5", None),
            ("info depth 3 pv e2e4 score cp 5", None),
            ("info score cp", None),
            ("bestmove e2e4", None),
        ] {
            assert_eq!(Verdict::from_info(line), expected, "{line}");
        }
    }

    #[test]
    fn the_last_line_with_wdl_counts() {
        let lines = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let both = lines(&["info score cp 9 wdl 333 333 333", "info score cp 5 lowerbound", "info currmovenumber 3"]);
        let verdict = Verdict::last(&both);
        assert_eq!((verdict.wdl, verdict.centipawns, verdict.excess()), (Some([333; 3]), Some(9), -1));
        assert_eq!(Verdict::last(&lines(&["info score cp 9", "info score cp 5"])).centipawns, Some(5));
        let bound = lines(&["info score cp 9 wdl 1 2 997", "info score cp 50 lowerbound wdl 3 4 993 pv e2e4"]);
        assert_eq!(Verdict::last(&bound).centipawns, Some(9));
        assert_eq!(Verdict::last(&bound[1..]).wdl, Some([3, 4, 993]));
        assert_eq!(Verdict::last(&lines(&["info score cp 9", "info score cp 5 upperbound"])).centipawns, Some(9));
        assert_eq!(Verdict::last(&lines(&["info string nothing"])), Verdict::default());
    }
}
