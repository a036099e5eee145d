//! Chances of errors: corrected by what happened in games that no weight was fitted to, and how true they are.

use super::judge::Judged;
use super::report::{AXES, Z, section};
use crate::figures::{TITLE, blue, green, key, reliability_chart, sheet, square};
use crate::stats::{Bin, Case, Games, Regression, area_under_curve, cross_validate, equal_bins, worst};
use anyhow::Result;
use halfpoint::human::{BLUNDER, Difficulty, ErrorChances, MISTAKE};
use plotters::prelude::*;
use std::fmt::Write as _;

/// Parts for cross-validation of the corrections.
const FOLDS: usize = 5;
/// Bins of equal numbers of moves.
const BINS: usize = 10;
/// Moves of a bin in which chance alone makes a distance of 0.03 likely, and least chance that such bins are counted from.
const SMALL_BIN: usize = 300;
const RARE: f64 = 0.02;
/// Distance of a chance from 0 and 1 from which on its logit counts.
const LEAST: f64 = 1e-6;

/// An error, with its chance.
struct Kind {
    name: &'static str,
    least: f64,
    chance: fn(&Difficulty) -> f64,
}

const KINDS: [Kind; 2] = [
    Kind { name: "mistake", least: MISTAKE, chance: |difficulty| difficulty.mistake },
    Kind { name: "blunder", least: BLUNDER, chance: |difficulty| difficulty.blunder },
];

/// The correction that these moves ask for.
pub fn fitted(judged: &[&Judged]) -> ErrorChances {
    let [mistake, blunder] = KINDS.map(|Kind { least, chance, .. }| {
        let cases = judged.iter().map(|judged| {
            let p = chance(&judged.raw).clamp(LEAST, 1.0 - LEAST);
            let yes = f64::from(u8::from(judged.loss >= least));
            Case { offset: 0.0, features: [1.0, (p / (1.0 - p)).ln()], yes, no: 1.0 - yes }
        });
        Regression::fit::<2, _>(cases, 2, None).coefficients
    });
    ErrorChances {
        mistake_offset: mistake[0],
        mistake_scale: mistake[1],
        blunder_offset: blunder[0],
        blunder_scale: blunder[1],
    }
}

/// Difficulties of moves: as the probabilities add up, and corrected by what was fitted to other games.
pub struct Foreseen<'a> {
    judged: &'a [Judged],
    corrected: Vec<Difficulty>,
}

impl<'a> Foreseen<'a> {
    pub fn new(judged: &'a [Judged], seed: u64) -> Foreseen<'a> {
        let folds = Games::new(judged.iter().map(|judged| judged.place.game)).folds(FOLDS, seed);
        // What is corrected in the end is fitted to the main moves, too.
        let fit = |rest: &[usize]| {
            fitted(&rest.iter().map(|&index| &judged[index]).filter(|judged| judged.is_main).collect::<Vec<_>>())
        };
        let correct = |errors: &ErrorChances, index: usize| errors.corrected(judged[index].raw);
        Foreseen { judged, corrected: cross_validate(&folds, fit, correct) }
    }

    /// Game, chance and whether it happened, of the main moves or of all.
    fn forecasts(&self, kind: &Kind, is_corrected: bool, only_main: bool) -> Vec<(usize, f64, bool)> {
        let all = self.judged.iter().zip(&self.corrected).filter(|(judged, _)| judged.is_main || !only_main);
        all.map(|(judged, corrected)| {
            let difficulty = if is_corrected { corrected } else { &judged.raw };
            (judged.place.game, (kind.chance)(difficulty), judged.loss >= kind.least)
        })
        .collect()
    }

    fn bins(&self, kind: &Kind, is_corrected: bool, only_main: bool) -> Vec<Bin> {
        equal_bins(self.forecasts(kind, is_corrected, only_main), BINS)
    }

    /// The reliability of both kinds of errors, as Markdown.
    pub fn tell(&self, text: &mut String) {
        section(text, "Chances of errors");
        let _ = writeln!(
            text,
            "In {BINS} bins of equal numbers of moves: foreseen, happened ± standard error over games. Corrected: by \
             corrections fitted to the first kind of moves of other games, {FOLDS} parts."
        );
        for (only_main, group) in [(true, "Lichess, blitz and rapid, after ply 10, 30 seconds or more"), (false, "All")]
        {
            for kind in &KINDS {
                let forecasts = self.forecasts(kind, true, only_main);
                let count = forecasts.len();
                let area = area_under_curve(forecasts.into_iter().map(|(_, p, happened)| (p, happened)));
                let [raw, corrected] = [false, true].map(|is_corrected| self.bins(kind, is_corrected, only_main));
                let _ = writeln!(
                    text,
                    "\n{group}: a {}, a loss of {} or more. {count} moves; area under the curve {}.\n\n\
                     | moves | as probabilities add up | | corrected | |\n|---|---|---|---|---|",
                    kind.name,
                    kind.least,
                    area.map_or("–".to_owned(), |area| format!("{area:.3}"))
                );
                let figures =
                    |bin: &Bin| format!("{:.3} | {:.3} ± {:.3}", bin.predicted, bin.observed, bin.standard_error);
                for (raw, corrected) in raw.iter().zip(&corrected) {
                    let _ = writeln!(text, "| {} | {} | {} |", raw.positions, figures(raw), figures(corrected));
                }
                let off = |bins: &[Bin]| worst(bins, 1, 1).map_or(0.0, |bin| bin.distance().abs());
                let small = equal_bins(self.forecasts(kind, true, only_main), count / SMALL_BIN);
                let told: Vec<f64> = small.iter().filter(|bin| bin.predicted >= RARE).map(Bin::t_value).collect();
                let scatter = told.iter().map(|t| t * t).sum::<f64>() / told.len().max(1) as f64;
                let _ = writeln!(
                    text,
                    "\nFarthest off: {:.3}, corrected {:.3}. In {} bins of {SMALL_BIN} moves with {RARE} or more foreseen: \
                     {:.2} standard errors off in root mean square, where chance alone makes 1.",
                    off(&raw),
                    off(&corrected),
                    told.len(),
                    scatter.sqrt()
                );
            }
        }
    }

    /// Foreseen against observed shares of each kind of error, of the main moves.
    pub fn diagram(&self) -> Result<String> {
        sheet((420 * KINDS.len() as u32, 420), |area| {
            for (kind, area) in KINDS.iter().zip(area.split_evenly((1, KINDS.len()))) {
                let sets = [("as probabilities add up", green(), false), ("corrected", blue(), true)]
                    .map(|(name, color, is_corrected)| (name, color, self.bins(kind, is_corrected, true)));
                let top = sets.iter().flat_map(|(_, _, bins)| bins).map(|bin| bin.predicted.max(bin.observed));
                let top = top.fold(0.1, f64::max) * 1.05;
                let title = format!("loss of {} or more", kind.least);
                let mut chart = reliability_chart(&area, (&title, TITLE), top, AXES)?;
                for (name, color, bins) in &sets {
                    chart.draw_series(bins.iter().map(|bin| {
                        let half = Z * bin.standard_error;
                        let ends = [bin.observed - half, bin.observed + half];
                        PathElement::new(ends.map(|end| (bin.predicted, end)), color.mix(0.6))
                    }))?;
                    let color = *color;
                    chart
                        .draw_series(
                            bins.iter().map(|bin| Circle::new((bin.predicted, bin.observed), 4, color.filled())),
                        )?
                        .label(*name)
                        .legend(move |(x, y)| square(x, y, color));
                }
                key(&mut chart, SeriesLabelPosition::LowerRight)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::games::Place;
    use crate::human::ratings::Evidence;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Moves whose losses happen with corrected chances: mistakes by logit(q) = −0.5 + 0.8·logit(p), no more of them blunders
    /// than foreseen.
    fn judged(count: usize) -> Vec<Judged> {
        let mut random = StdRng::seed_from_u64(11);
        let mut one = |index: usize| {
            let mistake: f64 = random.random_range(0.01..0.99);
            let happens = 1.0 / (1.0 + (0.5 - 0.8 * (mistake / (1.0 - mistake)).ln()).exp());
            let number: f64 = random.random_range(0.0..1.0);
            let loss = if number < happens / 4.0 {
                BLUNDER
            } else if number < happens {
                MISTAKE
            } else {
                0.0
            };
            Judged {
                place: Place { game: index / 10, ply: 20 },
                person: 0,
                elo: 1500.0,
                is_main: !index.is_multiple_of(10),
                raw: Difficulty { mistake, blunder: happens / 4.0, expected_loss: 0.0 },
                loss,
                evidence: Evidence::default(),
            }
        };
        (0..count).map(&mut one).collect()
    }

    #[test]
    fn corrections_are_found() {
        let judged = judged(20_000);
        let errors = fitted(&judged.iter().collect::<Vec<_>>());
        let found = [errors.mistake_offset, errors.mistake_scale, errors.blunder_offset, errors.blunder_scale];
        for (found, truth) in found.into_iter().zip([-0.5, 0.8, 0.0, 1.0]) {
            assert!((found - truth).abs() < 0.15, "{errors:?}");
        }
    }

    #[test]
    fn corrected_chances_are_truer() {
        let judged = judged(20_000);
        let foreseen = Foreseen::new(&judged, 1);
        let off = |is_corrected: bool| {
            let bins = foreseen.bins(&KINDS[0], is_corrected, true);
            assert!(bins.len() == BINS && bins.iter().all(|bin| bin.positions == 1800));
            bins.iter().map(|bin| bin.distance().abs()).fold(0.0, f64::max)
        };
        assert!(off(false) > 0.1 && off(true) < 0.03, "{} {}", off(false), off(true));
        let mut text = String::new();
        foreseen.tell(&mut text);
        assert_eq!(text.matches("Farthest off: ").count(), 4);
        assert!(foreseen.diagram().unwrap().contains("loss of 0.1 or more"));
    }
}
