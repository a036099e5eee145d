//! The report: people and model side by side, on what nothing was fitted to.

use super::design::Sample;
use super::games::{BAND, Platform};
use super::run::{Fitter, Part, Predictions, thinking};
use super::scores::{ERRORS, Scores, scores};
use crate::figures::{blue, green, key, reliability_chart, sheet};
use crate::stats::{Clustered, worst};
use anyhow::Result;
use halfpoint::human::{FEATURES, ThinkingTime, softmax};
use halfpoint::params::NumberTable;
use halfpoint::printing::TimeClass;
use plotters::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The first line of the report.
pub const TITLE: &str = "# How people move: the fit";
/// Standard errors of a 95 % interval to either side.
pub const Z: f64 = 1.96;
/// What stands at the axes of reliability diagrams.
pub const AXES: [&str; 2] = ["foreseen", "happened"];
/// Fewest positions of a bin that counts.
const WELL_FILLED: usize = 300;
/// Fewest moves of a band that counts.
const FULL_BAND: usize = 1000;
/// Time classes of the data.
const CLASSES: [TimeClass; 3] = [TimeClass::Blitz, TimeClass::Rapid, TimeClass::Classical];
const PLATFORMS: [Platform; 3] = [Platform::Lichess, Platform::ChessCom, Platform::OverTheBoard];

/// What the fits found.
pub struct Findings<'a> {
    fitter: &'a Fitter<'a>,
    /// The sources that nothing was fitted to, with the predictions of the final fit.
    tests: Vec<(&'a Sample, Vec<f64>)>,
    /// Predictions held out by game, by what the model may use.
    by_part: Vec<(Part, Predictions)>,
    by_person: Predictions,
    pub parameters: Vec<f64>,
    pub thinking: ThinkingTime,
    gains: Vec<(&'static str, Clustered)>,
}

impl<'a> Findings<'a> {
    pub fn new(fitter: &'a Fitter<'a>, tests: Vec<&'a Sample>, folds: usize, gains: bool) -> Findings<'a> {
        let by_game = fitter.folds_by_game(folds);
        let by_part: Vec<_> = Part::ALL.into_iter().map(|part| (part, fitter.held_out(&by_game, part))).collect();
        let by_person = fitter.held_out(&fitter.folds_by_person(folds), Part::All);
        let parameters = fitter.fit_all();
        let tests = tests.into_iter().map(|sample| (sample, softmax(&sample.utilities(&parameters)))).collect();
        let thinking = thinking(&fitter.samples, &by_part[by_part.len() - 1].1).unwrap_or_default();
        let gains = if gains { fitter.gains(&by_game) } else { Vec::new() };
        Findings { fitter, tests, by_part, by_person, parameters, thinking, gains }
    }

    /// Predictions of the whole model, held out by game.
    fn whole(&self) -> &Predictions {
        &self.by_part[self.by_part.len() - 1].1
    }

    fn main(&self) -> Scores {
        self.fitter.scores(self.whole(), Sample::is_main)
    }

    fn main_band(&self, band: u32) -> Scores {
        self.fitter.scores(self.whole(), |sample| sample.is_main() && band_of(sample) == band)
    }

    fn bands(&self) -> BTreeSet<u32> {
        self.fitter.samples.iter().filter(|sample| sample.is_main()).map(|sample| band_of(sample)).collect()
    }
}

/// Lowest rating of a sample's band.
fn band_of(sample: &Sample) -> u32 {
    sample.player.elo as u32 / BAND * BAND
}

fn games<'a>(samples: impl Iterator<Item = &'a Sample>) -> usize {
    samples.map(|sample| sample.place.game).collect::<BTreeSet<_>>().len()
}

/// What the fit was made of, for the head of the model's file.
pub fn heading(found: &Findings<'_>) -> Vec<String> {
    let samples = &found.fitter.samples;
    let scores = found.main();
    vec![
        format!(
            "Fitted by halfpoint-lab human to {} moves of {} games.",
            samples.len(),
            games(samples.iter().copied())
        ),
        format!(
            "Held out by game, lichess blitz and rapid after the opening: log loss {:.3} ± {:.3} over {} moves.",
            scores.log_loss.mean(),
            Z * scores.log_loss.standard_error(),
            scores.log_loss.count
        ),
    ]
}

/// The report as Markdown.
pub fn text(found: &Findings<'_>) -> String {
    let mut text = format!("{TITLE}\n\n");
    data(found, &mut text);
    models(found, &mut text);
    section(&mut text, "Lichess, blitz and rapid, after ply 10, 30 seconds or more: held out by game");
    table(
        &mut text,
        [("all".to_owned(), found.main())].into_iter().chain(
            found.bands().into_iter().map(|band| (format!("{band} to {}", band + BAND - 1), found.main_band(band))),
        ),
    );
    worst_band(found, &mut text);
    section(&mut text, "The same, held out by person");
    table(&mut text, [("all".to_owned(), found.fitter.scores(&found.by_person, Sample::is_main))]);
    section(&mut text, "By platform and time class, all plies, held out by game");
    let cells = PLATFORMS.into_iter().flat_map(|platform| CLASSES.map(|class| (platform, class)));
    table(
        &mut text,
        cells.map(|(platform, class)| {
            let keep = |sample: &Sample| sample.platform == platform && sample.class == class;
            (format!("{}, {class}", platform.name()), found.fitter.scores(found.whole(), keep))
        }),
    );
    let sources: BTreeSet<_> = found.tests.iter().map(|(sample, _)| sample.source.clone()).collect();
    if !sources.is_empty() {
        section(&mut text, "Sources that nothing was fitted to");
        let of = |keep: &dyn Fn(&Sample) -> bool| {
            scores(found.tests.iter().filter(|(sample, _)| keep(sample)).map(|(sample, p)| (*sample, p.as_slice())))
        };
        let each = sources.iter().map(|source| (source.clone(), of(&|sample| sample.source == *source)));
        let main = ("of these lichess, blitz and rapid, as above".to_owned(), of(&|sample| sample.is_main()));
        table(&mut text, each.chain([main]));
    }
    errors(found, &mut text);
    retakes(found, &mut text);
    section(&mut text, "Thinking time");
    for (index, number) in ThinkingTime::NUMBERS.iter().enumerate() {
        let _ = writeln!(text, "- {}: {:.3}. {}", number.name, found.thinking.get(index), number.meaning);
    }
    if !found.gains.is_empty() {
        section(&mut text, "What each feature lowers the log loss of the first fold by");
        let mut gains = found.gains.clone();
        gains.sort_by(|a, b| b.1.mean().total_cmp(&a.1.mean()));
        text += "| feature | nats | in standard errors |\n|---|---|---|\n";
        for (name, gain) in gains {
            let _ = writeln!(text, "| {name} | {:+.5} | {:+.1} |", gain.mean(), gain.t_value());
        }
    }
    text
}

pub fn section(text: &mut String, title: &str) {
    let _ = write!(text, "\n## {title}\n\n");
}

fn data(found: &Findings<'_>, text: &mut String) {
    let samples = &found.fitter.samples;
    let sources: BTreeSet<_> = samples.iter().map(|sample| &sample.source).collect();
    let people: BTreeSet<_> = samples.iter().map(|sample| sample.person).collect();
    let _ = writeln!(
        text,
        "{} moves of {} games and {} people from {} sources.\n",
        samples.len(),
        games(samples.iter().copied()),
        people.len(),
        sources.len()
    );
    text.push_str("| | moves | games | with a clock |\n|---|---|---|---|\n");
    for platform in PLATFORMS {
        for class in CLASSES {
            let of = || samples.iter().copied().filter(|sample| sample.platform == platform && sample.class == class);
            let timed = of().filter(|sample| sample.player.seconds_left.is_some()).count();
            let _ = writeln!(text, "| {}, {class} | {} | {} | {timed} |", platform.name(), of().count(), games(of()));
        }
    }
}

fn models(found: &Findings<'_>, text: &mut String) {
    section(text, "What the model uses: all moves, held out by game");
    text.push_str("| | top 1 | log loss | perplexity |\n|---|---|---|---|\n");
    for (part, predictions) in &found.by_part {
        let scores = found.fitter.scores(predictions, |_| true);
        let loss = scores.log_loss;
        let top = if *part == Part::Nothing { "–".to_owned() } else { format!("{:.3}", scores.top.mean()) };
        let (mean, error) = (loss.mean(), Z * loss.standard_error());
        let _ = writeln!(text, "| {} | {top} | {mean:.3} ± {error:.3} | {:.2} |", part.name(), mean.exp());
    }
}

/// Scores in rows: people / model.
fn table(text: &mut String, rows: impl IntoIterator<Item = (String, Scores)>) {
    text.push_str(
        "People / model. Intervals are of 95 %, over games.\n\n\
         | | moves | log loss | perplexity | top 1 | mean loss | ≥ 0.05 | ≥ 0.1 | ≥ 0.2 |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, scores) in rows.into_iter().filter(|(_, scores)| scores.log_loss.count > 0) {
        let loss = scores.log_loss;
        let _ = write!(
            text,
            "| {name} | {} | {:.3} ± {:.3} | {:.2} | {:.3} | {:.4} ± {:.4} / {:.4} |",
            loss.count,
            loss.mean(),
            Z * loss.standard_error(),
            loss.mean().exp(),
            scores.top.mean(),
            scores.loss.mean(),
            Z * scores.loss.standard_error(),
            scores.expected_loss.mean()
        );
        for [people, model] in scores.errors {
            let _ = write!(text, " {:.3} / {:.3} |", people.mean(), model.mean());
        }
        text.push('\n');
    }
}

/// The full band whose mean loss is the farthest off.
fn worst_band(found: &Findings<'_>, text: &mut String) {
    let ratio = |scores: &Scores| scores.expected_loss.mean() / scores.loss.mean() - 1.0;
    let bands = found.bands().into_iter().map(|band| (band, found.main_band(band)));
    let full = bands.filter(|(_, scores)| scores.loss.count >= FULL_BAND).map(|(band, scores)| (band, ratio(&scores)));
    if let Some((band, ratio)) = full.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) {
        let _ = writeln!(
            text,
            "\nOf the bands of {FULL_BAND} moves or more, the model's mean loss is farthest off from {band} on: {:+.1} %.",
            100.0 * ratio
        );
    }
}

fn errors(found: &Findings<'_>, text: &mut String) {
    section(text, "Whether an error will come: lichess, blitz and rapid, as above");
    text.push_str(
        "| loss of at least | area under the curve | worst bin of 300 or more: foreseen, happened |\n|---|---|---|\n",
    );
    let scores = found.main();
    for (index, least) in ERRORS.into_iter().enumerate() {
        let area = scores.areas[index].map_or("–".to_owned(), |area| format!("{area:.3}"));
        let bin = worst(&scores.bins[index], WELL_FILLED, 1);
        let bin = bin
            .map_or("–".to_owned(), |bin| format!("{:.3}, {:.3} of {}", bin.predicted, bin.observed, bin.positions));
        let _ = writeln!(text, "| {least} | {area} | {bin} |");
    }
}

/// How often a retake that was possible was played.
fn retakes(found: &Findings<'_>, text: &mut String) {
    let Some(retake) = FEATURES.iter().position(|feature| feature.name == "retake") else { return };
    let (mut people, mut model) = (Clustered::default(), Clustered::default());
    for (sample, probabilities) in found.fitter.samples.iter().zip(found.whole()).filter(|(sample, _)| sample.is_main())
    {
        let retakes: Vec<f64> = sample.feature(retake).collect();
        if retakes.iter().any(|&is| is > 0.0) {
            people.add(sample.place.game, retakes[sample.played]);
            model.add(sample.place.game, retakes.iter().zip(probabilities).map(|(is, p)| is * p).sum());
        }
    }
    section(text, "Retakes");
    let _ = writeln!(
        text,
        "Of {} positions in which a retake was possible, people played one in {:.3} ± {:.3}, the model in {:.3}.",
        people.count,
        people.mean(),
        Z * people.standard_error(),
        model.mean()
    );
}

/// Mean loss by band, of people and of the model.
pub fn losses(found: &Findings<'_>) -> Result<String> {
    let bands: Vec<_> =
        found.bands().into_iter().map(|band| (f64::from(band + BAND / 2), found.main_band(band))).collect();
    let bands: Vec<_> = bands.into_iter().filter(|(_, scores)| scores.loss.count >= WELL_FILLED).collect();
    let (low, high) =
        bands.iter().fold((f64::MAX, 0.0), |(low, high): (f64, f64), (band, _)| (low.min(*band), high.max(*band)));
    let top = bands.iter().map(|(_, scores)| scores.loss.mean()).fold(0.01, f64::max) * 1.3;
    sheet((640, 400), |area| {
        let mut chart = ChartBuilder::on(area)
            .caption("Expected points lost with a move", crate::figures::TITLE)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(low - 100.0..high.max(low) + 100.0, 0.0..top)?;
        chart.configure_mesh().x_desc("rating").y_desc("loss").light_line_style(TRANSPARENT).draw()?;
        let mean = |(band, scores): &(f64, Scores)| (*band, scores.loss.mean());
        let expected = |(band, scores): &(f64, Scores)| (*band, scores.expected_loss.mean());
        let whisker = |(band, scores): &(f64, Scores)| {
            let (mean, half) = (scores.loss.mean(), Z * scores.loss.standard_error());
            PathElement::new([(*band, mean - half), (*band, mean + half)], blue())
        };
        chart.draw_series(bands.iter().map(whisker))?;
        chart
            .draw_series(bands.iter().map(|band| Circle::new(mean(band), 4, blue().filled())))?
            .label("people")
            .legend(|(x, y)| crate::figures::square(x, y, blue()));
        chart
            .draw_series(LineSeries::new(bands.iter().map(expected), green()))?
            .label("model")
            .legend(|(x, y)| crate::figures::square(x, y, green()));
        key(&mut chart, SeriesLabelPosition::UpperRight)
    })
}

/// Foreseen against observed shares of each kind of error.
pub fn reliability(found: &Findings<'_>) -> Result<String> {
    let scores = found.main();
    sheet((380 * ERRORS.len() as u32, 380), |area| {
        for (index, area) in area.split_evenly((1, ERRORS.len())).iter().enumerate() {
            let title = format!("loss of {} or more", ERRORS[index]);
            let mut chart = reliability_chart(area, (&title, crate::figures::TITLE), 1.0, AXES)?;
            let bins: Vec<_> = scores.bins[index].iter().filter(|bin| bin.positions >= WELL_FILLED / 10).collect();
            chart.draw_series(bins.iter().map(|bin| {
                let (low, high) = bin.interval();
                PathElement::new([(bin.predicted, low), (bin.predicted, high)], blue().mix(0.6))
            }))?;
            chart.draw_series(bins.iter().map(|bin| Circle::new((bin.predicted, bin.observed), 4, blue().filled())))?;
        }
        Ok(())
    })
}
