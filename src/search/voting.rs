//! The vote of the threads on the move to play.

use super::params::SearchParams;
use super::root::Root;
use super::root_move::RootMove;
use crate::position::Move;
use crate::wdl::score::Score;

/// The choice of one thread.
pub struct Vote {
    root_move: RootMove,
    score: Score,
    /// Last completed iteration, plies.
    depth: usize,
}

impl Vote {
    /// What the thread with this root would play.
    pub fn of(root: &Root) -> Vote {
        let best = root.best();
        Vote { root_move: best.clone(), score: best.last_score(), depth: root.completed() }
    }

    /// Makes this the choice of another thread.
    pub fn adopt(self, root: &mut Root) {
        root.adopt(RootMove { score: self.score, ..self.root_move }, self.depth);
    }

    /// The winning vote: the deepest one for the move with most weight. The first vote wins ties, and always if it has a proven
    /// win. A proven loss may be that of one move alone, where the search was stopped before the others.
    pub fn elect(votes: Vec<Vote>, params: &SearchParams) -> Option<Vote> {
        let value = |vote: &Vote| vote.score.printed_score_cp();
        // A thread that has completed nothing has no score.
        let lowest = votes.iter().filter(|vote| vote.depth > 0).map(value).min()?;
        let weight = |vote: &Vote| i64::from(value(vote) - lowest + params.vote_floor_score_cp) * vote.depth as i64;
        let for_move = |m: Move| votes.iter().filter(|vote| vote.root_move.ranked.m == m).map(weight).sum::<i64>();
        let mut best = 0;
        if !votes[0].score.is_win() {
            for (index, vote) in votes.iter().enumerate() {
                let rank = |vote: &Vote| (for_move(vote.root_move.ranked.m), vote.depth);
                if rank(vote) > rank(&votes[best]) {
                    best = index;
                }
            }
        }
        votes.into_iter().nth(best)
    }

    /// The move voted for.
    pub fn m(&self) -> Move {
        self.root_move.ranked.m
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::tablebase::RankedMove;

    #[test]
    fn weight_and_depth_elect_unless_the_first_vote_is_proven() {
        let vote = |text: &str, wilo: i32, depth: usize| {
            let m = Position::default().parse_move(text).unwrap();
            Vote { root_move: RootMove::new(RankedMove::unknown(m)), score: Score::heuristic(wilo, 0), depth }
        };
        let start = Position::default();
        let elected =
            |votes: Vec<Vote>| start.format_move(Vote::elect(votes, &SearchParams::default()).unwrap().m(), false);
        assert!(Vote::elect(Vec::new(), &SearchParams::default()).is_none());
        assert_eq!(elected(vec![vote("e2e4", 20, 9), vote("d2d4", 20, 9)]), "e2e4", "the first wins ties");
        assert_eq!(elected(vec![vote("e2e4", 20, 9), vote("d2d4", 20, 11)]), "d2d4", "depth counts");
        assert_eq!(elected(vec![vote("e2e4", 20, 9), vote("d2d4", 60, 9)]), "d2d4", "the score counts");
        let three = vec![vote("e2e4", 20, 9), vote("d2d4", 20, 10), vote("e2e4", 20, 9)];
        assert_eq!(elected(three), "e2e4", "two outweigh one");
        let idle = Vote { score: -Score::INFINITE, ..vote("g1f3", 0, 0) };
        assert_eq!(
            elected(vec![vote("e2e4", 200, 9), vote("d2d4", 20, 10), idle]),
            "e2e4",
            "an idle thread has no vote"
        );
        let proven = Vote { score: Score::mate_in(3), ..vote("e2e4", 0, 5) };
        assert_eq!(elected(vec![proven, vote("d2d4", 900, 20)]), "e2e4");
        let lost = Vote { score: Score::mated_in(6), ..vote("e2e4", 0, 9) };
        assert_eq!(elected(vec![lost, vote("d2d4", 10, 9)]), "d2d4", "a loss may be that of one move");
    }
}
