//! The searches of one game: what was found, and what is to be searched next.

use super::assess_game::is_over;
use super::assess_position::Printing;
use super::measures::Thresholds;
use super::pairing::Players;
use super::people::{PeopleReport, people_at};
use super::searcher::Found;
use super::second_look::{self, LOOKS, Seen, WIDE_LINES};
use super::sides::mover;
use super::source::Source;
use crate::human::{Player, Valuer};
use crate::position::GameHistory;
use crate::search::Signals;
use shakmaty::CastlingMode;
use std::sync::Arc;

/// What is to be searched next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// A position for its best line, after so many looks.
    Deep { ply: usize, looks: usize },
    /// A position for several lines.
    Wide { ply: usize },
    /// A position for what people do there.
    People { ply: usize, player: Player },
}

/// The searches of one game. Positions are searched from the last to the first with a common table, so that what follows is
/// known; then those on which a verdict hangs once more. What is next depends on what was found alone.
#[derive(Clone, Debug)]
pub struct GameSearch {
    pub source: Arc<Source>,
    pub players: Arc<Players>,
    thresholds: Thresholds,
    /// Whether it is to be known of each position what people do there.
    all_people: bool,
    /// By ply.
    found: Vec<Option<Found>>,
    seen: Vec<Option<Seen>>,
}

impl GameSearch {
    /// A game of which nothing was searched.
    pub fn new(source: Source, players: Players, thresholds: Thresholds, all_people: bool) -> GameSearch {
        let plies = source.positions();
        GameSearch {
            source: Arc::new(source),
            players: Arc::new(players),
            thresholds,
            all_people,
            found: vec![None; plies],
            seen: vec![None; plies],
        }
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.found.fill(None);
        self.seen.fill(None);
    }

    /// Positions that were searched.
    pub fn done(&self) -> usize {
        self.found.iter().flatten().count()
    }

    /// What was found, if nothing is left to be searched.
    pub fn settled(&self) -> Option<Vec<Found>> {
        if self.next().is_some() { None } else { self.found.iter().cloned().collect() }
    }

    /// What is to be searched next.
    pub fn next(&self) -> Option<Look> {
        if let Some(ply) = self.found.iter().rposition(Option::is_none) {
            return Some(Look::Deep { ply, looks: 0 });
        }
        let seen: Vec<Seen> = self.seen.iter().flatten().copied().collect();
        let (first, moves) = (self.source.start.turn(), &self.source.moves);
        if let Some(ply) = second_look::next(first, moves, &seen, &self.thresholds) {
            return Some(Look::Deep { ply, looks: seen[ply].looks });
        }
        if let Some(ply) = second_look::next_wide(first, moves, &seen, &self.thresholds) {
            return Some(Look::Wide { ply });
        }
        let is_rated = |color| self.players.person(color, None).is_some();
        let ply = second_look::next_people(first, moves, &seen, &self.thresholds, is_rated, self.all_people)?;
        let player = self.players.person(mover(first, ply), self.source.seconds_before(ply))?;
        Some(Look::People { ply, player })
    }

    /// Takes what was found, and says whether nothing was known of the position. One that the game does not have is ignored. After a
    /// look for several lines the best line stays that of the deepest search, unless a better one is proven.
    pub fn take(&mut self, ply: usize, found: Found) -> bool {
        let Some(known) = self.found.get_mut(ply) else { return false };
        let is_new = known.is_none();
        let found = match known.take() {
            Some(known) if found.people.is_some() => Found { people: found.people, ..known },
            Some(known) if found.is_wide => known.widened(found),
            _ => found,
        };
        self.seen[ply] = Some(self.see(ply, &found));
        self.found[ply] = Some(found);
        is_new
    }

    /// What people do at a position whose best move is known.
    pub fn people_at(&self, ply: usize, player: &Player, valuer: &mut Valuer, signals: &Signals) -> PeopleReport {
        let best = self.seen.get(ply).and_then(Option::as_ref).and_then(|seen| seen.best);
        let opponent = self.players.person(!mover(self.source.start.turn(), ply), self.source.seconds_before(ply + 1));
        people_at(&self.source, [player, &opponent.unwrap_or(*player)], ply, best, valuer, signals)
    }

    fn see(&self, ply: usize, found: &Found) -> Seen {
        let game: GameHistory = self.source.history(ply);
        let Players { wdl_for, equals, .. } = &*self.players;
        let printing = Printing { wdl_for, equals, chess960: self.source.mode == CastlingMode::Chess960 };
        let ends = ply + 1 == self.found.len() && is_over(&self.source, game.position());
        let assessment = printing.assess(&game, found, ends);
        let of_white = |wdl: crate::wdl::model::Wdl| assessment.turn.fold_wb(wdl.expected(), 1.0 - wdl.expected());
        // Where the game is over there is nothing to be seen. Moves may follow: files go on after insufficient material.
        let is_over = found.lines.is_empty();
        Seen {
            expected: assessment.by_equals.map(of_white),
            looks: if is_over { LOOKS.len() } else { found.looks },
            best: assessment.best,
            is_wide: is_over || found.is_wide || found.lines.len() >= WIDE_LINES,
            has_people: is_over || found.people.is_some(),
        }
    }
}
