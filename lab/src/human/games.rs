//! Rated games of people, and which of their positions are taken.

use crate::progress;
use crate::reading;
use anyhow::{Result, bail};
use halfpoint::games::{GameRecord, ReadOptions};
use halfpoint::human::Player;
use halfpoint::position::{GameHistory, Move, Position};
use halfpoint::printing::{TimeClass, TimeControl};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Where games were played: ratings of one place are not those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Platform {
    Lichess,
    ChessCom,
    OverTheBoard,
}

impl Platform {
    pub fn name(self) -> &'static str {
        match self {
            Platform::Lichess => "lichess",
            Platform::ChessCom => "chess.com",
            Platform::OverTheBoard => "over the board",
        }
    }

    /// From the tag `Site`.
    fn of(site: &str) -> Option<Platform> {
        let site = site.to_ascii_lowercase();
        let is_over_the_board = site.split(|c: char| !c.is_alphanumeric()).any(|word| word == "otb");
        let known = [
            (site.contains("lichess"), Platform::Lichess),
            (site.contains("chess.com"), Platform::ChessCom),
            (is_over_the_board, Platform::OverTheBoard),
        ];
        known.into_iter().find(|(is_it, _)| *is_it).map(|(_, platform)| platform)
    }
}

/// A game with ratings.
#[derive(Clone, Debug)]
pub struct Game {
    /// The name of its file, without ending.
    pub source: String,
    /// Its number in the file, from 1.
    pub number: usize,
    pub platform: Platform,
    pub class: TimeClass,
    pub control: Option<TimeControl>,
    /// White's name and Black's; `?` if it is not known.
    pub names: [String; 2],
    /// White's rating and Black's, Elo.
    pub ratings: [u32; 2],
    /// White's points: 1, ½ or 0.
    pub white_points: f64,
    pub start: Position,
    pub moves: Vec<Move>,
    /// What the clock of who moved shows after each move, seconds.
    pub clocks: Vec<Option<f64>>,
}

impl Game {
    /// A standard game with ratings and a time class from blitz on; else `None`.
    fn new(path: &Path, record: &GameRecord) -> Option<Game> {
        let outcome = record.counted_outcome()?;
        let class = record.tags.time_class()?;
        let is_slow_enough = matches!(class, TimeClass::Blitz | TimeClass::Rapid | TimeClass::Classical);
        let ratings = record.tags.ratings();
        let (white, black) = ratings.white.zip(ratings.black).filter(|_| is_slow_enough)?;
        let name = path.file_name()?.to_string_lossy();
        Some(Game {
            source: [".gz", ".zst", ".pgn"]
                .iter()
                .fold(&*name, |name, end| name.strip_suffix(end).unwrap_or(name))
                .to_owned(),
            number: record.number,
            platform: Platform::of(record.tags.known("Site"))?,
            class,
            control: record.tags.time_control(),
            names: ["White", "Black"].map(|name| record.tags.get(name).unwrap_or("?").to_owned()),
            ratings: [white, black],
            white_points: outcome.winner().map_or(0.5, |winner| winner.fold_wb(1.0, 0.0)),
            start: Position::from_chess(&record.start),
            moves: record.moves.iter().map(|played| Position::from_shakmaty(played.m)).collect(),
            clocks: record.moves.iter().map(|played| played.remarks.clock.map(|left| left.as_secs_f64())).collect(),
        })
    }

    /// The place of who moves at this ply among names and ratings.
    fn side(&self, ply: usize) -> usize {
        (ply + usize::from(self.start.turn().is_black())) % 2
    }

    /// Rating of who moves at this ply.
    pub fn elo(&self, ply: usize) -> f64 {
        f64::from(self.ratings[self.side(ply)])
    }

    /// Points of who moves at this ply.
    pub fn points(&self, ply: usize) -> f64 {
        if self.side(ply) == 0 { self.white_points } else { 1.0 - self.white_points }
    }

    /// Name of who moves at this ply.
    pub fn name(&self, ply: usize) -> &str {
        &self.names[self.side(ply)]
    }

    /// Number of who moves at this ply: the same for the same name.
    pub fn person(&self, ply: usize) -> u64 {
        let name = self.name(ply);
        // Who has no name is like nobody else.
        let person = if name == "?" { format!("{} {}", self.source, self.number) } else { name.to_owned() };
        person.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)))
    }

    /// Seconds on the clock of who moves at this ply, if they are known.
    pub fn seconds_left(&self, ply: usize) -> Option<f64> {
        match ply {
            0 | 1 => self.clocks[ply].and(self.control).map(|control| control.base),
            _ => self.clocks[ply - 2],
        }
    }

    /// Who moves at this ply.
    pub fn player(&self, ply: usize) -> Player {
        let player = Player::of_class(self.elo(ply), self.class);
        Player { seconds_left: self.seconds_left(ply), ..self.control.map_or(player, |control| player.with(control)) }
    }

    /// The game before this ply.
    pub fn history(&self, ply: usize) -> GameHistory {
        let mut game = GameHistory::new(self.start);
        self.moves[..ply].iter().for_each(|&m| game.play(m));
        game
    }

    /// Games that are as many as each other in the sample.
    fn cell(&self) -> (Platform, TimeClass, bool, u32) {
        let has_clocks = self.clocks.iter().any(Option::is_some);
        (self.platform, self.class, has_clocks, (self.ratings[0] + self.ratings[1]) / 2 / BAND)
    }
}

/// Width of a band of ratings, Elo.
pub const BAND: u32 = 200;

/// Which games and positions are taken.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Which games of a platform, time class and band of ratings, with or without clocks, in their random order.
    pub games_of_cell: Range<usize>,
    /// Most positions of a game.
    pub positions_per_game: usize,
    pub seed: u64,
}

/// The games of these files; those that do not count are left out. In the order of files and games.
pub fn read(paths: &[PathBuf], recursive: bool) -> Result<Vec<Game>> {
    let files = reading::find(paths, recursive)?;
    let progress = progress::bytes(&files);
    let take = |games: &mut Vec<Game>, path: &Path, record: GameRecord| games.extend(Game::new(path, &record));
    let merge = |all: &mut Vec<Game>, more: Vec<Game>| all.extend(more);
    let (log, mut games) = reading::gather_games(&files, &ReadOptions::default(), &progress, take, merge)?;
    progress.finish_and_clear();
    log.warn_of_all();
    if games.is_empty() {
        bail!("no game with ratings, place and time control{}", log.explanation());
    }
    games.sort_by(|a, b| (&a.source, a.number).cmp(&(&b.source, b.number)));
    // Collections share games: one in two of them would be on both sides of a fold.
    let mut seen = HashSet::new();
    games.retain(|game| seen.insert((game.names.clone(), game.ratings, game.moves.clone())));
    Ok(games)
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the game.
    pub game: usize,
    /// Plies before it.
    pub ply: usize,
}

/// Chosen positions, by game and ply: games at random within each cell, positions at random within each game.
pub fn choose(games: &[Game], choice: &Choice) -> Vec<Place> {
    let mut random = StdRng::seed_from_u64(choice.seed);
    let mut order: Vec<_> = (0..games.len()).collect();
    order.shuffle(&mut random);
    let mut taken: HashMap<_, usize> = HashMap::new();
    order.retain(|&game| {
        let count = taken.entry(games[game].cell()).or_default();
        *count += 1;
        choice.games_of_cell.contains(&(*count - 1))
    });
    order.sort_unstable();
    let mut places = Vec::new();
    for game in order {
        // A game has the same positions however many others there are.
        let mut random = StdRng::seed_from_u64(choice.seed ^ (game as u64).rotate_left(32));
        let mut plies: Vec<_> = (0..games[game].moves.len()).collect();
        plies.shuffle(&mut random);
        plies.truncate(choice.positions_per_game);
        plies.sort_unstable();
        places.extend(plies.into_iter().map(|ply| Place { game, ply }));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize, plies: usize) -> Game {
        Game {
            source: "a".to_owned(),
            number,
            platform: Platform::Lichess,
            class: TimeClass::Blitz,
            control: TimeControl::of_tag("300+3"),
            names: ["x".to_owned(), "y".to_owned()],
            ratings: [1500, 1700],
            white_points: 1.0,
            start: Position::default(),
            moves: vec![Move::NONE; plies],
            clocks: (0..plies).map(|ply| Some(300.0 - ply as f64)).collect(),
        }
    }

    #[test]
    fn the_clock_is_that_before_the_move() {
        let game = game(1, 10);
        assert_eq!([0, 1, 2, 7].map(|ply| game.seconds_left(ply)), [300.0, 300.0, 300.0, 295.0].map(Some));
        assert_eq!((game.elo(2), game.elo(3), game.name(3)), (1500.0, 1700.0, "y"));
        assert_eq!(game.player(3).seconds_left, Some(299.0));
    }

    #[test]
    fn a_cell_and_a_game_have_no_more_than_asked_for() {
        let games: Vec<_> = (1..=20).map(|number| game(number, 3 * number)).collect();
        let choice = Choice { games_of_cell: 0..7, positions_per_game: 5, seed: 1 };
        let places = choose(&games, &choice);
        assert_eq!(places, choose(&games, &choice));
        let chosen: std::collections::BTreeSet<_> = places.iter().map(|place| place.game).collect();
        assert_eq!(chosen.len(), 7);
        for game in chosen {
            let plies: Vec<_> = places.iter().filter(|place| place.game == game).map(|place| place.ply).collect();
            assert_eq!(plies.len(), games[game].moves.len().min(5));
            assert!(plies.is_sorted() && plies.iter().all(|&ply| ply < games[game].moves.len()));
        }
        let others = choose(&games, &Choice { games_of_cell: 7..usize::MAX, ..choice });
        let others: std::collections::BTreeSet<_> = others.iter().map(|place| place.game).collect();
        assert!(others.len() == 13 && places.iter().all(|place| !others.contains(&place.game)));
    }

    #[test]
    fn platforms_are_read_from_the_site() {
        let found = ["lichess.org", "https://lichess.org/abc", "Chess.com", "OTB", "freechess.org"].map(Platform::of);
        let [lichess, chess_com, board] = [Platform::Lichess, Platform::ChessCom, Platform::OverTheBoard].map(Some);
        assert_eq!(found, [lichess, lichess, chess_com, board, None]);
    }
}
