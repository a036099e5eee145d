//! How true a model is on whole games that it was not fitted to, and what is corrected by them.

use super::errors::{self, Foreseen};
use super::games::{self, Choice, Game, Place, Platform};
use super::ratings::{self, Evidence};
use super::run::is_main;
use super::valuation::{self, Values, key};
use super::{Options, model_file};
use crate::{figures, writing};
use anyhow::{Result, bail};
use halfpoint::human::{Decision, Difficulty, HumanModel, Recent};
use halfpoint::output::{error_line, line};
use halfpoint::params;
use halfpoint::printing::Profiles;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The first line of the report.
pub const TITLE: &str = "# How people move: the model judged";
/// The files of the report.
pub const REPORT: &str = "judged.md";
pub const FIGURE: &str = "judged.svg";

/// Fewest moves that are worth a judgement.
const MIN_MOVES: usize = 1000;

/// A move of a person, as the model foresaw it.
#[derive(Clone, Debug)]
pub struct Judged {
    pub place: Place,
    /// Number of who moved; the same for the same name.
    pub person: u64,
    pub elo: f64,
    pub is_main: bool,
    /// As the probabilities add up.
    pub raw: Difficulty,
    /// Loss of the move that was played, expected points.
    pub loss: f64,
    pub evidence: Evidence,
}

impl Judged {
    fn new(games: &[Game], place: Place, values: &Values, model: &HumanModel, profiles: &Profiles) -> Option<Judged> {
        let game = &games[place.game];
        let history = game.history(place.ply);
        let values = values.get(&key(&history)).filter(|values| values.len() > 1)?;
        let (player, m) = (game.player(place.ply), game.moves[place.ply]);
        let recent = Recent::of(&game.start, &game.moves[..place.ply]);
        let decision = Decision::new(&history, recent, values, &player, profiles);
        let raw = Difficulty::of(&decision, &model.probabilities(&decision, &player));
        Some(Judged {
            place,
            person: game.person(place.ply),
            elo: player.elo,
            is_main: is_main(game.platform, game.class, place.ply, player.seconds_left),
            raw,
            loss: decision.choices.iter().find(|choice| choice.m == m)?.loss,
            evidence: Evidence::of_move(&history, recent, values, (m, &player), (model, profiles))?,
        })
    }
}

/// Judges the model of the options on games that its fit, which took `fitted`, has left out.
pub fn run(options: &Options, games: &[Game], fitted: &Choice, count: usize) -> Result<()> {
    let model: HumanModel = params::read_file(&options.output)?;
    let first = fitted.games_of_cell.end;
    let rest = Choice { games_of_cell: first..first.saturating_add(count), positions_per_game: usize::MAX, ..*fitted };
    let mut places = games::choose(games, &rest);
    let is_judged = |game: &Game| game.platform == Platform::Lichess && game.clocks.iter().any(Option::is_some);
    places.retain(|place| is_judged(&games[place.game]));
    error_line(format_args!("{} positions chosen", places.len()));
    let most = options.search_at_most.unwrap_or(usize::MAX);
    let positions = places.iter().map(|place| games[place.game].history(place.ply));
    let values = valuation::value(&options.values, positions, options.threads.get(), most)?;
    let profiles = Profiles::shipped();
    let judged: Vec<Judged> =
        places.par_iter().filter_map(|&place| Judged::new(games, place, &values, &model, &profiles)).collect();
    drop(values);
    let main: Vec<&Judged> = judged.iter().filter(|judged| judged.is_main).collect();
    if main.len() < MIN_MOVES {
        bail!("{} moves are too few to judge by, at least {MIN_MOVES} are needed", main.len());
    }
    let foreseen = Foreseen::new(&judged, options.seed);
    let text = text(&judged, &foreseen);
    if let Some(folder) = &options.report {
        writing::write(&folder.join(REPORT), &text)?;
        figures::save(&folder.join(FIGURE), &foreseen.diagram()?)?;
    }
    line(text.trim_end());
    let count = |of: &[&Judged]| of.iter().map(|judged| judged.place.game).collect::<BTreeSet<_>>().len();
    let heading = format!(
        "Corrects chances of errors: fitted by halfpoint-lab human --judge to {} moves of {} other games.",
        main.len(),
        count(&main)
    );
    model_file::set_errors(&options.output, &heading, &errors::fitted(&main))?;
    line(format_args!("corrections written to {}", options.output.display()));
    Ok(())
}

/// The report as Markdown.
fn text(judged: &[Judged], foreseen: &Foreseen<'_>) -> String {
    let count = |of: fn(&Judged) -> u64| judged.iter().map(of).collect::<BTreeSet<_>>().len();
    let mut text = format!(
        "{TITLE}\n\n{} moves of {} games and {} people on lichess, with clocks; nothing of the model was fitted to them.\n",
        judged.len(),
        count(|judged| judged.place.game as u64),
        count(|judged| judged.person)
    );
    foreseen.tell(&mut text);
    ratings::tell(judged, &mut text);
    text
}
