//! The analysis of games, a search at a time. It starts no thread and opens no file: who drives it chooses on which thread,
//! process or machine each search runs, hands the results in and takes the reports out.

use super::assess_game::Assessor;
use super::game_search::{GameSearch, Look};
use super::measures::Thresholds;
use super::pairing::{PlayerOptions, Players};
use super::schema::GameReport;
use super::searcher::{Found, SearchOptions, Searcher, Stopped, Watch};
use super::source::Source;
use crate::human::Valuer;
use crate::printing::{Profiles, UnknownProfile};
use crate::search::Signals;
use std::collections::VecDeque;
use std::fmt;

/// What an analysis is done with.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AnalysisOptions {
    /// How each position is searched.
    pub search: SearchOptions,
    /// Whom W/D/L are for, where the tags of a game are not to say it.
    pub players: PlayerOptions,
    /// From where on moves are bad.
    pub thresholds: Thresholds,
    /// Whether it is told of each position what people do there, and not of those before bad moves alone.
    pub people: bool,
    /// Whether requests that do not say it have positions of Chess960.
    pub chess960: bool,
}

/// The search of one position of a game.
#[derive(Clone, Debug, PartialEq)]
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
    games: Vec<GameSearch>,
    /// Positions that were searched.
    done: usize,
    batches: VecDeque<Batch>,
}

impl fmt::Debug for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Analysis");
        text.field("games", &self.games.len())
            .field("waiting", &self.waiting())
            .field("options", &self.options)
            .finish()
    }
}

impl Analysis {
    /// The analysis of games, of which some positions may have been searched before with the same options. Where searches can
    /// be repeated, a game is searched as a whole, so that it does not matter where work was interrupted.
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
        let search = |source: Source| {
            let players = Players::of(&source.tags, &options.players, &profiles);
            GameSearch::new(source, players, options.thresholds, options.people)
        };
        let mut games: Vec<GameSearch> = sources.into_iter().map(search).collect();
        for Searched { game, ply, found } in known {
            if let Some(game) = games.get_mut(game) {
                game.take(ply, found);
            }
        }
        let as_whole = options.search.is_repeatable();
        let mut batches = VecDeque::new();
        for (game, search) in games.iter_mut().enumerate().filter(|(_, search)| search.next().is_some()) {
            if as_whole {
                search.clear();
            }
            batches.push_back(Batch { game, search: search.clone(), as_whole, is_started: false });
        }
        let done = games.iter().map(GameSearch::done).sum();
        Ok(Analysis { options: options.clone(), games, done, batches })
    }

    /// The games.
    pub fn sources(&self) -> impl ExactSizeIterator<Item = &Source> {
        self.games.iter().map(|game| &*game.source)
    }

    /// Number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.sources().map(Source::positions).sum()
    }

    /// Number of positions that were searched; of some the second look may be missing.
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

    /// Takes back a batch whose searches were stopped: it is the next to be handed out, and begins anew where its searches can
    /// be repeated. One without any left is done.
    pub fn give_back(&mut self, mut batch: Batch) {
        if batch.search.next().is_none() {
            return;
        }
        batch.is_started = false;
        if batch.as_whole {
            batch.search.clear();
            let game = &mut self.games[batch.game];
            self.done -= game.done();
            game.clear();
        }
        self.batches.push_front(batch);
    }

    /// Takes the search of a position. One that the games do not have is ignored.
    pub fn add(&mut self, searched: Searched) {
        let Searched { game, ply, found } = searched;
        if let Some(game) = self.games.get_mut(game) {
            self.done += usize::from(game.take(ply, found));
        }
    }

    /// The report of a game by its index; `None` as long as one of its searches is missing.
    #[must_use]
    pub fn report(&self, game: usize) -> Option<GameReport> {
        let game = self.games.get(game)?;
        let found = game.settled()?;
        let AnalysisOptions { search, thresholds, .. } = &self.options;
        Some(Assessor { thresholds, limits: &search.describe() }.report(&game.source, &game.players, &found))
    }

    /// All reports; `None` as long as a search is missing.
    #[must_use]
    pub fn reports(&self) -> Option<Vec<GameReport>> {
        (0..self.games.len()).map(|game| self.report(game)).collect()
    }
}

/// The searches of a game, done one after the other by one searcher.
#[derive(Debug)]
pub struct Batch {
    game: usize,
    search: GameSearch,
    as_whole: bool,
    is_started: bool,
}

impl Batch {
    /// Searches the next position; `None` if there is none. A position may come again, with more nodes. The searcher forgets
    /// what it knew before the first.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `watch` breaks the search off; see [`Analysis::give_back`].
    pub fn step(&mut self, searcher: &mut Searcher, watch: &mut Watch<'_>) -> Option<Result<Searched, Stopped>> {
        if !std::mem::replace(&mut self.is_started, true) {
            searcher.clear();
        }
        let look = self.search.next()?;
        let (Look::Deep { ply, .. } | Look::Wide { ply } | Look::People { ply, .. }) = look;
        let game = self.search.source.history(ply);
        let position = game.position();
        let is_over = position.has_no_moves() || position.is_insufficient_material();
        let found = match look {
            _ if is_over => Ok(Found::default()),
            Look::Deep { looks, .. } => searcher.look_again(&game, looks, watch),
            Look::Wide { .. } => searcher.look_wide(&game, watch),
            Look::People { player, .. } => {
                let work =
                    |valuer: &mut Valuer, signals: &Signals| self.search.people_at(ply, &player, valuer, signals);
                searcher.value_moves(work).map(|people| Found { people: Some(people), ..Found::default() })
            }
        };
        Some(found.map(|found| {
            self.search.take(ply, found.clone());
            Searched { game: self.game, ply, found }
        }))
    }
}
