//! The two players of a game, by their ratings.

use super::Pace;
use super::Profiles;
use super::RatingGap;
use super::TimeClass;
use super::TimeControl;
use super::WdlFor;
use shakmaty::{ByColor, Color};
use std::time::Duration;

/// Largest number that is taken to be a rating, Elo.
pub const MAX_RATING: u32 = 10_000;
/// Elo that 2.7 times (e) the opponent's time left is worth in blitz and bullet games.
const CLOCK_ELO: f64 = 150.0;
/// What counts as left beyond the clock: seconds, and increments. Who has no more than his increment still moves.
const SPARE_SECONDS: f64 = 5.0;
const SPARE_INCREMENTS: f64 = 10.0;

/// The ratings of the players, Elo; `None` if one is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    /// White's.
    pub white: Option<u32>,
    /// Black's.
    pub black: Option<u32>,
}

impl Ratings {
    /// Both, White's first: a rating that is not known is taken to be that of the opponent. `None` if none is known.
    #[must_use]
    pub fn both(self) -> Option<(u32, u32)> {
        self.white.or(self.black).zip(self.black.or(self.white))
    }

    /// The mean rating, if both are known.
    #[must_use]
    pub fn mean(self) -> Option<f64> {
        let (white, black) = self.white.zip(self.black)?;
        Some((f64::from(white) + f64::from(black)) / 2.0)
    }

    /// White's rating less Black's, Elo; 0 unless both are known.
    #[must_use]
    pub fn white_advantage(self) -> i32 {
        const MOST: i64 = i32::MAX as i64;
        let difference = |(white, black)| (i64::from(white) - i64::from(black)).clamp(-MOST, MOST) as i32;
        self.white.zip(self.black).map_or(0, difference)
    }

    /// W/D/L for a game of theirs: the numbers of their mean rating, and the difference. Of a difference of which more is worth
    /// nothing, more does not raise the mean: a better player would draw more. `None` if no rating is known, or there are no
    /// numbers for such games.
    #[must_use]
    pub fn wdl_for(self, profiles: &Profiles, pace: Pace) -> Option<WdlFor> {
        let (white, black) = self.both()?;
        let difference = f64::from(white.abs_diff(black)).min(RatingGap::shipped().limit_elo);
        let numbers = profiles.at(f64::from(white.min(black)) + difference / 2.0, pace)?;
        Some(WdlFor::Profile { numbers, white_advantage: self.white_advantage() })
    }
}

/// The clocks of both sides before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Time left.
    pub left: ByColor<Duration>,
    /// Time that each move adds.
    pub increment: ByColor<Duration>,
}

impl Clocks {
    /// Those before a move of a game, by its index; `first` moves first, `shown` is what the mover's clock shows after a move.
    /// Before a player's first move it is the time of the whole game. `None` if one is not known.
    #[must_use]
    pub fn before(
        ply: usize,
        first: Color,
        control: Option<TimeControl>,
        shown: impl Fn(usize) -> Option<Duration>,
    ) -> Option<Clocks> {
        let whole = control.filter(|control| control.moves.is_none());
        let at_start = whole.map(|control| Duration::from_secs_f64(control.base));
        let increment = Duration::from_secs_f64(control.map_or(0.0, |control| control.increment));
        let left = |color: Color| {
            let mover = if color == first { 0 } else { 1 };
            let last = [1, 2].into_iter().filter_map(|back| ply.checked_sub(back)).find(|index| index % 2 == mover);
            last.map_or(at_start, &shown)
        };
        let left = ByColor { white: left(Color::White)?, black: left(Color::Black)? };
        Some(Clocks { left, increment: ByColor { white: increment, black: increment } })
    }

    /// What the difference of the clocks is worth to White, Elo.
    #[must_use]
    pub fn white_advantage(self) -> i32 {
        let ByColor { white, black } = self
            .left
            .zip(self.increment)
            .map(|(left, increment)| left.as_secs_f64() + SPARE_SECONDS + SPARE_INCREMENTS * increment.as_secs_f64());
        (CLOCK_ELO * (white / black).ln()).round() as i32
    }

    /// Whether time counts in games of this class: where it was measured.
    #[must_use]
    pub fn count_in(class: TimeClass) -> bool {
        matches!(class, TimeClass::Blitz | TimeClass::Bullet)
    }

    /// W/D/L for players with these clocks.
    #[must_use]
    pub fn wdl_for(self, wdl_for: WdlFor, class: TimeClass) -> WdlFor {
        match wdl_for {
            WdlFor::Profile { numbers, white_advantage } if Clocks::count_in(class) => {
                WdlFor::Profile { numbers, white_advantage: white_advantage.saturating_add(self.white_advantage()) }
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_time_is_worth_rating_where_there_is_little() {
        let elo = |white: u64, black: u64, increment: u64| {
            let time = |white, black| ByColor { white, black }.map(Duration::from_secs);
            Clocks { left: time(white, black), increment: time(increment, increment) }.white_advantage()
        };
        assert_eq!(elo(30, 30, 2), 0);
        assert_eq!(elo(35, 5, 0), 208);
        assert_eq!(elo(35, 5, 0), -elo(5, 35, 0));
        assert!(elo(35, 5, 2) < elo(35, 5, 0) && elo(35, 5, 0) < elo(35, 1, 0));
        assert!(elo(180, 150, 0) < 30);
    }

    #[test]
    fn differences_of_any_ratings_keep_their_sign() {
        let advantage = |white, black| Ratings { white: Some(white), black: Some(black) }.white_advantage();
        assert_eq!((advantage(2400, 2500), advantage(7, 7), advantage(u32::MAX, u32::MAX)), (-100, 0, 0));
        assert_eq!((advantage(0, u32::MAX), advantage(u32::MAX, 0)), (-i32::MAX, i32::MAX));
    }

    #[test]
    fn clocks_before_a_move_are_those_after_the_last_two() {
        let control = TimeControl::of_tag("180+2");
        let before = |ply, first, control| {
            let clocks = Clocks::before(ply, first, control, |index| Some(Duration::from_secs(100 - index as u64)))?;
            Some([clocks.left.white, clocks.left.black].map(|left| left.as_secs()))
        };
        assert_eq!(before(0, Color::White, control), Some([180, 180]));
        assert_eq!(before(1, Color::White, control), Some([100, 180]));
        assert_eq!(before(6, Color::White, control), Some([96, 95]));
        assert_eq!(before(6, Color::Black, control), Some([95, 96]));
        assert_eq!(before(1, Color::White, None), None);
        assert_eq!(before(2, Color::White, None), Some([100, 99]));
        assert_eq!(before(1, Color::White, TimeControl::of_tag("40/7200")), None);
    }

    #[test]
    fn one_rating_stands_for_both() {
        let wdl_for =
            |white, black| Ratings { white, black }.wdl_for(&Profiles::shipped(), Pace::of_class(TimeClass::Classical));
        assert_eq!(wdl_for(None, None), None);
        assert_eq!(wdl_for(Some(2500), None), wdl_for(None, Some(2500)));
        assert_eq!(wdl_for(Some(2500), None), wdl_for(Some(2500), Some(2500)));
        let (Some(WdlFor::Profile { numbers, white_advantage }), Some(WdlFor::Profile { numbers: same, .. })) =
            (wdl_for(Some(2664), Some(2775)), wdl_for(Some(2775), Some(2664)))
        else {
            panic!("there are profiles of classical games");
        };
        assert_eq!(white_advantage, -111);
        assert_eq!(numbers, same);
    }
}
