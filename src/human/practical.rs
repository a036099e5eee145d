//! Practical chances: what moves are worth against an opponent who does not always find the best reply.

use super::decision::Decision;
use super::model::HumanModel;
use super::player::Player;
use super::scene::Recent;
use super::values::MoveValues;
use crate::position::{GameHistory, Move};
use crate::printing::Profiles;

/// Expected points of a player in a lost position in which the opponent can still go wrong.
pub const LOST: std::ops::RangeInclusive<f64> = 0.02..=0.25;
/// How many of the best moves of a lost position are compared.
pub const CANDIDATES: usize = 6;

/// A move, and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PracticalMove {
    /// The move.
    pub m: Move,
    /// Expected points after the opponent's best reply.
    pub value: f64,
    /// Expected points that the opponent is likely to lose with the reply.
    pub reply_loss: f64,
}

impl PracticalMove {
    /// A legal move against an opponent; `recent`: the last moves before it; `replies`: values of all replies.
    #[must_use]
    pub fn new(
        (before, recent, m): (&GameHistory, Recent, Move),
        replies: &[MoveValues],
        opponent: &Player,
        model: &HumanModel,
        profiles: &Profiles,
    ) -> PracticalMove {
        let mut after = before.clone();
        after.play(m);
        let recent = recent.after(m, before.position().captured(m).is_some());
        let decision = Decision::new(&after, recent, replies, opponent, profiles);
        let reply_loss = model.difficulty(&decision, &model.probabilities(&decision, opponent)).expected_loss;
        let best = decision.choices.iter().map(|choice| choice.wdl.expected()).reduce(f64::max);
        // Without a reply it is mate or stalemate.
        let over = if after.position().is_check() { 0.0 } else { 0.5 };
        PracticalMove { m, value: 1.0 - best.unwrap_or(over), reply_loss }
    }

    /// Expected points against this opponent.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.value + self.reply_loss
    }
}
