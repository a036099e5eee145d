//! Play at the strength of people: `UCI_LimitStrength` and `UCI_Elo`.

use crate::clock;
use crate::human::{
    DEFAULT_ELO, Decision, Draws, Effort, HumanModel, Moment, MoveValues, Player, Recent, Valuer, drawn,
    thinking_parts, wins_without_fail,
};
use crate::output::info_string;
use crate::position::GameHistory;
use crate::printing::{Profiles, TimeClass};
use crate::search::{Answer, Bound, Event, Limits, OutOfMemory, SearchReport, Settings, Signals, Spent, Stopwatch};
use crate::tablebase::Tables;
use crate::wdl::score::Score;
use once_cell::sync::Lazy;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::time::Duration;

/// Time between two looks at whether the thinking is to end.
const LOOK_INTERVAL: Duration = Duration::from_millis(2);
/// Nodes of the search of an opponent that wins without fail.
const WINNING_NODES: u64 = 30_000;
/// Share of nodes and time that go to the values of all moves where the search may have the last word: one in so many.
const VALUES_SHARE: u32 = 2;

/// The options of the strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// `UCI_LimitStrength`.
    pub is_limited: bool,
    /// `UCI_Elo`.
    pub elo: i32,
    /// `HumanSeed`; 0 for another game each time.
    pub seed: i32,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength { is_limited: false, elo: DEFAULT_ELO, seed: 0 }
    }
}

/// What the opponent plays in.
pub struct Turn<'a> {
    /// The game so far.
    pub game: &'a GameHistory,
    /// Its last moves.
    pub recent: Recent,
    /// What `go` asked for.
    pub limits: &'a Limits,
    /// How the engine would search.
    pub settings: &'a Settings,
    /// Class of the players' games.
    pub class: TimeClass,
    /// How people move.
    pub model: &'a HumanModel,
}

/// What the opponent plays.
pub enum Play {
    /// This, after so long.
    Move(Chosen),
    /// What the engine finds with these limits.
    Search(Box<Limits>),
}

/// A move that was drawn.
pub struct Chosen {
    /// The move, with its scores.
    values: MoveValues,
    nodes: u64,
    /// Since `go`.
    stopwatch: Stopwatch,
    /// Time to think, if people would take time.
    thinking: Option<Duration>,
}

impl Chosen {
    fn score(&self) -> Score {
        self.values.scores.last().copied().unwrap_or(Score::DRAW)
    }

    /// The line of the move, for `info`.
    pub fn report(&self) -> Event<'_> {
        let (score, depth) = (self.score(), self.values.depth());
        Event::Report(SearchReport {
            depth,
            selective_depth: depth,
            line: 1,
            score,
            estimate: score.estimate(),
            objective: score.estimate(),
            bound: Bound::Exact,
            from_syzygy: false,
            nodes: self.nodes,
            threads: 1,
            syzygy_hits: 0,
            hashfull: 0,
            elapsed: self.stopwatch.elapsed(),
            pv: std::slice::from_ref(&self.values.m),
        })
    }

    /// The answer to `go`. No reply is expected, as nobody ponders.
    pub fn answer(&self) -> Answer {
        Answer { best: Some(self.values.m), ponder: None, score: self.score(), nodes: self.nodes }
    }

    /// Waits as long as people think, until the search is stopped, or until the clock allows no more.
    pub fn think(&self, turn: &Turn<'_>, signals: &Signals) {
        let budget = turn.limits.soft_time(turn.settings);
        let time = self.thinking.zip(budget).map_or(Duration::ZERO, |(time, budget)| time.min(budget));
        let spent = || match turn.limits.ponder {
            true => signals.since_ponder_hit(),
            false => Some(signals.age()),
        };
        while !signals.is_stopped() && spent().is_none_or(|spent| spent < time) {
            clock::pause(LOOK_INTERVAL);
        }
    }
}

/// The searches of the opponent; there are none before they are needed.
pub struct Opponent {
    valuer: Option<Valuer>,
    /// Most pieces that its endgame tables have.
    table_pieces: usize,
    profiles: Lazy<Profiles>,
    /// Drawn for each game.
    own_seed: u64,
}

impl Opponent {
    pub fn new() -> Opponent {
        Opponent {
            valuer: None,
            table_pieces: 0,
            profiles: Lazy::new(Profiles::shipped),
            own_seed: RandomState::new().hash_one(0),
        }
    }

    /// Plays other moves from now on.
    pub fn new_game(&mut self) {
        self.own_seed = RandomState::new().hash_one(0);
    }

    /// Forgets the searches, as the endgame tables have changed.
    pub fn reset(&mut self) {
        self.valuer = None;
    }

    /// Makes the searches ready. False, with a message to the user, if there is no memory for them.
    pub fn prepare(&mut self, tables: Option<&Arc<Tables>>) -> bool {
        if self.valuer.is_none() {
            let made = Valuer::new().map(|mut valuer| {
                valuer.set_syzygy(tables.cloned());
                valuer
            });
            let failed = |reason: OutOfMemory| info_string(format_args!("UCI_LimitStrength: {reason}"));
            self.valuer = made.map_err(failed).ok();
            self.table_pieces = tables.map_or(0, |tables| tables.max_pieces());
            Lazy::force(&self.profiles);
        }
        self.valuer.is_some()
    }

    /// What the opponent plays; `None` before [`Opponent::prepare`] and in finished games.
    pub fn play(&mut self, strength: Strength, turn: &Turn<'_>, signals: &Signals) -> Option<Play> {
        let Turn { game, limits, model, .. } = *turn;
        let stopwatch = Stopwatch::start();
        let table_pieces = self.table_pieces.min(turn.settings.syzygy.pieces);
        let wins_with = |best| wins_without_fail(f64::from(strength.elo), game.position(), best, table_pieces);
        let search = |spent: Spent| {
            let most = WINNING_NODES + spent.nodes;
            let nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
            Some(Play::Search(Box::new(Limits { nodes, spent, ..limits.clone() })))
        };
        let valuer = self.valuer.as_mut()?;
        if wins_with(None) {
            return search(Spent::default());
        }
        let share = if game.position().board().occupied().count() <= table_pieces { VALUES_SHARE } else { 1 };
        let time = limits.soft_time(turn.settings);
        let effort = Effort {
            depth: limits.depth,
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(u64::from(share))),
            time: time.map(|time| time / share),
        };
        valuer.set_probe_settings(turn.settings.syzygy);
        let mut values = valuer.values(game, effort, signals);
        values.retain(|values| limits.search_moves.is_empty() || limits.search_moves.contains(&values.m));
        let best = values.first()?.scores.last().copied();
        let spent = Spent { nodes: valuer.nodes(), time: stopwatch.elapsed() };
        let is_left = limits.nodes.is_none_or(|most| spent.nodes < most) && time.is_none_or(|most| spent.time < most);
        let wins = wins_with(best);
        if wins && is_left {
            return search(spent);
        }
        let level = model.levels.at(f64::from(strength.elo));
        let clock = limits.clock;
        let player = Player {
            seconds_left: clock.map(|clock| clock.remaining.as_secs_f64()),
            ..Player::of_class(f64::from(strength.elo), turn.class)
        };
        let decision = Decision::new(game, turn.recent, &values, &player, &self.profiles);
        let probabilities = level.probabilities(model, &decision, &player);
        let seed = if strength.seed == 0 { self.own_seed } else { u64::from(strength.seed.unsigned_abs()) };
        let mut draws = Draws::new(seed, game);
        // Drawn in any case, so that the draws behind it are the same.
        let any = drawn(&probabilities, draws.next());
        let index = if wins { 0 } else { any };
        let has_time = limits.nodes.is_none() && limits.depth.is_none() && limits.move_time.is_none();
        let thinking = clock.filter(|_| has_time).map(|clock| {
            let m = values[index].m;
            let moment = Moment {
                left: clock.remaining.as_secs_f64(),
                increment: clock.increment.as_secs_f64(),
                plies: plies_played(game),
                is_check: game.position().is_check(),
                is_retake: turn.recent.is_retake(m),
            };
            model.thinking.draw(&thinking_parts(moment, &probabilities), [draws.next(), draws.next()])
        });
        Some(Play::Move(Chosen { values: values.swap_remove(index), nodes: spent.nodes, stopwatch, thinking }))
    }
}

/// Plies of the whole game, by its moves or by the number of the present one: a client may send the position alone.
fn plies_played(game: &GameHistory) -> usize {
    let position = game.position();
    let by_number = 2 * (position.fullmoves().max(1) as usize - 1) + usize::from(position.turn().is_black());
    by_number.max(game.keys().len())
}
