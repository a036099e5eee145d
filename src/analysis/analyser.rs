//! The way in: positions and games to reports.

use super::assess_position::Printing;
use super::games_text::{InputError, Selection, read};
use super::own_stack::on_own_stack;
use super::pairing::Equals;
use super::requests::{Reply, answer_request, stopped_reply};
use super::schema::{GameReport, PositionReport};
use super::searcher::{SearchProgress, Searcher, Stopped, Watch};
use super::steps::{Analysis, AnalysisOptions};
use crate::position::GameHistory;
use crate::printing::{Profiles, UnknownProfile, WdlFor};
use crate::search::OutOfMemory;
use shakmaty::{CastlingMode, Position as _};
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use thiserror::Error;

/// Why there is no report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The text cannot be read.
    #[error("{0}")]
    Input(#[from] InputError),
    /// The options name a profile that does not exist.
    #[error("{0}")]
    Profile(#[from] UnknownProfile),
    /// There is no memory for the transposition table.
    #[error("{0}")]
    Memory(#[from] OutOfMemory),
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
    /// Who watched the analysis has stopped it.
    #[error("the analysis was stopped")]
    Stopped,
}

impl From<Stopped> for AnalysisError {
    fn from(_: Stopped) -> AnalysisError {
        AnalysisError::Stopped
    }
}

/// How far an analysis is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Positions whose search is done.
    pub done: usize,
    /// All positions.
    pub positions: usize,
    /// Depth of the running search, plies.
    pub depth: usize,
    /// Nodes of the running search.
    pub nodes: u64,
}

impl Progress {
    fn of(done: usize, positions: usize, search: &SearchProgress) -> Progress {
        Progress { done, positions, depth: search.depth, nodes: search.nodes }
    }
}

/// An engine that analyses positions and games, one search after the other. The searches have a thread of their own with the
/// stack that they need; on WebAssembly they run at once, and the module needs
/// [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
///
/// The same position with the same options gives the same report, whatever was analysed before, unless time limits the
/// search.
///
/// ```
/// use halfpoint::analysis::{Analyser, AnalysisOptions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut options = AnalysisOptions::default();
/// options.search.nodes = Some(1000);
/// let mut analyser = Analyser::new(options)?;
/// let report = analyser.game("1. f3 e5 2. g4 Qh4# 0-1")?;
/// assert_eq!(report.players.white.analysis.blunder, 1);
/// println!("{}", report.moments[0].text);
/// # Ok(())
/// # }
/// ```
pub struct Analyser {
    searcher: Searcher,
    options: AnalysisOptions,
    profiles: Profiles,
}

impl fmt::Debug for Analyser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyser").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Analyser {
    /// An analyser with these options.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Profile`] and [`AnalysisError::Memory`].
    pub fn new(options: AnalysisOptions) -> Result<Analyser, AnalysisError> {
        let profiles = Profiles::shipped();
        options.players.check(&profiles)?;
        Ok(Analyser { searcher: Searcher::new(&options.search)?, options, profiles })
    }

    /// What a search says of the last position of a game, with W/D/L for these players.
    ///
    /// ```
    /// use halfpoint::analysis::{Analyser, AnalysisOptions};
    /// use halfpoint::position::{GameHistory, Position};
    /// use halfpoint::printing::{Profiles, WdlFor};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let position = Position::from_fen("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", false)?;
    /// let mut options = AnalysisOptions::default();
    /// options.search.depth = Some(6);
    /// let report = Analyser::new(options)?
    ///     .position(&GameHistory::new(position), &WdlFor::named("club-rapid", &Profiles::shipped())?)?;
    /// assert!(report.wdl[0] > 700);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Thread`].
    pub fn position(&mut self, game: &GameHistory, wdl_for: &WdlFor) -> Result<PositionReport, AnalysisError> {
        self.position_watched(game, wdl_for, &mut |_| ControlFlow::Continue(()))
    }

    /// The same; `watch` is called at least every tenth of a second, and may stop the search.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Thread`] and [`AnalysisError::Stopped`].
    pub fn position_watched(
        &mut self,
        game: &GameHistory,
        wdl_for: &WdlFor,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<PositionReport, AnalysisError> {
        let searcher = &mut self.searcher;
        let mut watch = |progress: &SearchProgress| watch(&Progress::of(0, 1, progress));
        let found = on_own_stack(&searcher.signals(), &mut watch, |watch: &mut Watch<'_>| {
            searcher.clear();
            searcher.search(game, watch)
        });
        let (found, said) = found.map_err(AnalysisError::Thread)?;
        let found = found?;
        if said.is_break() {
            return Err(AnalysisError::Stopped);
        }
        let chess960 = game.position().to_chess().castles().mode() == CastlingMode::Chess960;
        Ok(Printing { wdl_for, equals: &Equals::at(wdl_for), chess960 }.assess(game, &found, true).report)
    }

    /// The report of the first game of a text in PGN, or of its first position in FEN or EPD.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Input`] if it cannot be read, and [`AnalysisError::Thread`].
    pub fn game(&mut self, text: &str) -> Result<GameReport, AnalysisError> {
        let input = read("", text.as_bytes(), &Selection::only(1), false)?;
        if let Some(fault) = input.faults.first() {
            return Err(InputError::new("", fault).into());
        }
        let mut analysis = Analysis::new(input.sources, &self.options, [])?;
        self.run(&mut analysis, &mut |_| ControlFlow::Continue(()))?;
        // All searches are there.
        analysis.report(0).ok_or(AnalysisError::Stopped)
    }

    /// Does the searches that an analysis waits for. `watch` is called at least every tenth of a second, and may stop it;
    /// another call goes on: with the same position where time is the limit, else with the same game from its start, so that it
    /// does not matter where the searches were stopped.
    ///
    /// ```
    /// use halfpoint::analysis::{Analyser, Analysis, AnalysisOptions, Selection, html_page, read};
    /// use std::ops::ControlFlow;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut options = AnalysisOptions::default();
    /// options.search.nodes = Some(500);
    /// let input = read("games", "1. e4 e5 *\n\n1. d4 d5 *".as_bytes(), &Selection::default(), false)?;
    /// let mut analysis = Analysis::new(input.sources, &options, [])?;
    /// Analyser::new(options)?.run(&mut analysis, &mut |progress| {
    ///     println!("{} of {} positions", progress.done, progress.positions);
    ///     ControlFlow::Continue(())
    /// })?;
    /// let reports = analysis.reports().unwrap_or_default();
    /// assert!(html_page(&reports, false, "two games").starts_with("<!DOCTYPE html>"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Thread`] and [`AnalysisError::Stopped`].
    pub fn run(
        &mut self,
        analysis: &mut Analysis,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let searcher = &mut self.searcher;
        while let Some(mut batch) = analysis.next_batch() {
            loop {
                let (done, positions) = (analysis.done(), analysis.positions());
                let mut watch = |progress: &SearchProgress| watch(&Progress::of(done, positions, progress));
                let signals = searcher.signals();
                let step = on_own_stack(&signals, &mut watch, |watch: &mut Watch<'_>| batch.step(searcher, watch));
                let error = match step {
                    Ok((None, _)) => break,
                    Ok((Some(Ok(searched)), said)) => {
                        analysis.add(searched);
                        if said.is_continue() {
                            continue;
                        }
                        AnalysisError::Stopped
                    }
                    Ok((Some(Err(stopped)), _)) => stopped.into(),
                    Err(error) => AnalysisError::Thread(error),
                };
                analysis.give_back(batch);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Answers a request of `halfpoint analyse --json-lines`, a JSON object.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Thread`]; what is wrong with the request stands in the answer.
    pub fn answer(&mut self, request: &str) -> Result<Reply, AnalysisError> {
        self.answer_watched(request, &mut |_| ControlFlow::Continue(()))
    }

    /// The same; `watch` is called at least every tenth of a second, and may stop the search. Then the answer is an error.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Thread`].
    pub fn answer_watched(
        &mut self,
        request: &str,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Reply, AnalysisError> {
        let Analyser { searcher, options, profiles } = self;
        let (signals, mut watch) =
            (searcher.signals(), |progress: &SearchProgress| watch(&Progress::of(0, 1, progress)));
        let answer = |watch: &mut Watch<'_>| answer_request(searcher, request, options, profiles, watch);
        let (reply, said) = on_own_stack(&signals, &mut watch, answer).map_err(AnalysisError::Thread)?;
        Ok(if said.is_break() && reply.is_answered { stopped_reply(request) } else { reply })
    }
}
