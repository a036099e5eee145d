//! The analysis of games, a search at a time. It starts no thread and opens no file: who drives it chooses on which thread,
//! process or machine each search runs, hands the results in and takes the reports out.

use super::assess_game::Assessor;
use super::measures::Thresholds;
use super::pairing::{PlayerOptions, Players};
use super::schema::GameReport;
use super::searcher::{Found, SearchOptions, Searcher, Stopped, Watch};
use super::source::Source;
use crate::printing::{Profiles, UnknownProfile};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Positions of a game that are searched one after the other with a common table, from the last to the first, so that what
/// follows is known. It depends neither on who searches nor on how many do, nor does what is found.
const BATCH: usize = 8;

/// What an analysis is done with.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct AnalysisOptions {
    /// How each position is searched.
    pub search: SearchOptions,
    /// Whom W/D/L are for, where the tags of a game are not to say it.
    pub players: PlayerOptions,
    /// From where on moves are bad.
    pub thresholds: Thresholds,
}

/// The search of one position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// Index of the game.
    pub game: usize,
    /// Moves before the position.
    pub ply: usize,
    /// What the search found; without lines where the game is over.
    pub found: Found,
}

/// Games in analysis: hands out what is to be searched, takes what was found, and makes the reports.
///
/// ```
/// use halfpoint::analysis::{Analysis, AnalysisOptions, Searcher, Selection, read};
/// use std::ops::ControlFlow;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut options = AnalysisOptions::default();
/// options.search.nodes = Some(500);
/// let input = read("games", "1. f3 e5 2. g4 Qh4# 0-1".as_bytes(), &Selection::default(), false)?;
/// let mut analysis = Analysis::new(input.sources, &options, [])?;
/// let mut searcher = Searcher::new(&options.search)?;
/// # std::thread::Builder::new().stack_size(halfpoint::search::STACK_BYTES).spawn(move || {
/// // On a thread with `search::STACK_BYTES` of stack, or on several.
/// while let Some(mut batch) = analysis.next_batch() {
///     while let Some(searched) = batch.step(&mut searcher, &mut |_| ControlFlow::Continue(())) {
///         analysis.add(searched.unwrap());
///         println!("{} of {} positions", analysis.done(), analysis.positions());
///     }
/// }
/// assert!(analysis.report(0).unwrap().moments.iter().any(|moment| moment.ply == 3));
/// # })?.join().unwrap();
/// # Ok(())
/// # }
/// ```
pub struct Analysis {
    options: AnalysisOptions,
    profiles: Profiles,
    sources: Vec<Arc<Source>>,
    /// By game and ply.
    found: Vec<Vec<Option<Found>>>,
    batches: VecDeque<Batch>,
    done: usize,
}

impl Analysis {
    /// The analysis of games, of which some positions may have been searched before with the same options.
    ///
    /// # Errors
    ///
    /// [`UnknownProfile`] if the options name one that does not exist.
    pub fn new(
        sources: Vec<Source>,
        options: &AnalysisOptions,
        known: impl IntoIterator<Item = Searched>,
    ) -> Result<Analysis, UnknownProfile> {
        let profiles = Profiles::shipped();
        options.players.check(&profiles)?;
        let mut found: Vec<Vec<Option<Found>>> = sources.iter().map(|source| vec![None; source.positions()]).collect();
        for Searched { game, ply, found: known } in known {
            if let Some(place) = found.get_mut(game).and_then(|plies| plies.get_mut(ply)) {
                *place = Some(known);
            }
        }
        let sources: Vec<Arc<Source>> = sources.into_iter().map(Arc::new).collect();
        let batches = batches(&sources, &mut found, options.search.is_repeatable());
        let done = found.iter().flatten().flatten().count();
        Ok(Analysis { options: options.clone(), profiles, sources, found, batches, done })
    }

    /// The games.
    #[must_use]
    pub fn sources(&self) -> &[Arc<Source>] {
        &self.sources
    }

    /// Number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.found.iter().map(Vec::len).sum()
    }

    /// Number of positions whose search is there.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done
    }

    /// Number of batches that were not handed out yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.batches.len()
    }

    /// What is to be searched next; `None` if all has been handed out.
    pub fn next_batch(&mut self) -> Option<Batch> {
        self.batches.pop_front()
    }

    /// Takes back a batch whose searches were stopped: it is the next to be handed out, and begins anew.
    pub fn give_back(&mut self, batch: Batch) {
        self.batches.push_front(Batch { left: batch.plies.clone(), ..batch });
    }

    /// Takes the search of a position. One that the games do not have is ignored.
    pub fn add(&mut self, searched: Searched) {
        if let Some(place) = self.found.get_mut(searched.game).and_then(|plies| plies.get_mut(searched.ply)) {
            self.done += usize::from(place.is_none());
            *place = Some(searched.found);
        }
    }

    /// The report of a game by its index; `None` as long as one of its searches is missing.
    #[must_use]
    pub fn report(&self, game: usize) -> Option<GameReport> {
        let source = self.sources.get(game)?;
        let found = self.found.get(game)?.iter().cloned().collect::<Option<Vec<_>>>()?;
        let AnalysisOptions { search, players, thresholds } = &self.options;
        let players = Players::of(&source.tags, players, &self.profiles);
        Some(Assessor { thresholds, limits: &search.describe() }.report(source, &players, &found))
    }

    /// All reports; `None` as long as a search is missing.
    #[must_use]
    pub fn reports(&self) -> Option<Vec<GameReport>> {
        (0..self.sources.len()).map(|game| self.report(game)).collect()
    }
}

/// Some positions of a game, to be searched one after the other by one searcher.
#[derive(Debug)]
pub struct Batch {
    game: usize,
    source: Arc<Source>,
    plies: Range<usize>,
    /// Those that are not searched yet.
    left: Range<usize>,
}

impl Batch {
    fn new(game: usize, source: &Arc<Source>, plies: Range<usize>) -> Batch {
        Batch { game, source: Arc::clone(source), left: plies.clone(), plies }
    }

    /// Searches the next position; `None` if there is none. The searcher forgets what it knew before the first.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `watch` breaks the search off; see [`Analysis::give_back`].
    pub fn step(&mut self, searcher: &mut Searcher, watch: &mut Watch<'_>) -> Option<Result<Searched, Stopped>> {
        if self.left == self.plies {
            searcher.clear();
        }
        let ply = self.left.next_back()?;
        let game = self.source.history(ply);
        let position = game.position();
        let is_over = position.has_no_moves() || position.is_insufficient_material();
        let found = if is_over { Ok(Found::default()) } else { searcher.search(&game, watch) };
        Some(found.map(|found| Searched { game: self.game, ply, found }))
    }
}

/// What is to be searched. Where searches can be repeated, a batch is done as a whole, so that it does not matter where work
/// was interrupted.
fn batches(sources: &[Arc<Source>], results: &mut [Vec<Option<Found>>], as_whole: bool) -> VecDeque<Batch> {
    let mut batches = VecDeque::new();
    for (game, (source, found)) in sources.iter().zip(results).enumerate() {
        for start in (0..found.len()).step_by(BATCH) {
            let plies = start..found.len().min(start + BATCH);
            if as_whole && found[plies.clone()].iter().any(Option::is_none) {
                found[plies.clone()].fill(None);
            }
            if as_whole && found[start].is_none() {
                batches.push_back(Batch::new(game, source, plies));
            } else if !as_whole {
                let missing = plies.filter(|&ply| found[ply].is_none());
                batches.extend(missing.map(|ply| Batch::new(game, source, ply..ply + 1)));
            }
        }
    }
    batches
}
