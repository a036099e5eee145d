//! Positions whose game's result is known.

use super::reservoir::{Choice, Place, Reservoir};
use crate::MAX_SEED;
use crate::dataset;
use crate::outcome::Outcome;
use crate::progress;
use crate::reading::{self, Content, LineGames, Opened, ReadLog};
use crate::writing::check_apart;
use anyhow::{Result, bail};
use clap::Args;
use halfpoint::games::{CastlingRights, GameRecord, ReadOptions};
use halfpoint::output::error_line;
use halfpoint::position;
use halfpoint::printing::{BoardFacts, Clocks, Pace, Ratings, TimeClass};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Position};
use std::io::BufRead;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A position and how its game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub fen: String,
    pub turn: Color,
    /// How the game ended for the side to move.
    pub outcome: Outcome,
    /// What profiles need of the position.
    pub board: BoardFacts,
    /// Number that the positions of one game have in common.
    pub game: usize,
    /// The same of one file.
    pub file: usize,
    pub ratings: Ratings,
    /// Whether the ratings are those after the game, so that their difference tells who won. `board` has none then.
    pub are_rated_after: bool,
    /// Time class of the game, by its tags or presumed; `None` of positions on lines.
    pub time_class: Option<TimeClass>,
    /// Whether the tags name that class.
    pub is_told: bool,
    /// Seconds that each player has for 60 moves, if the tags say.
    pub seconds: Option<f64>,
    /// The clocks before the move, if comments tell them.
    pub clocks: Option<Clocks>,
}

impl Sample {
    /// The ratings of the players, without a difference that tells who won.
    pub fn fair_ratings(&self) -> Ratings {
        match self.ratings.mean().filter(|_| self.are_rated_after) {
            Some(mean) => Ratings { white: Some(mean.round() as u32), black: Some(mean.round() as u32) },
            None => self.ratings,
        }
    }
}

/// Where positions come from, and which of a game's are taken.
#[derive(Debug, Args)]
pub struct SampleSource {
    /// Games in PGN, folders of .pgn files, datasets of `datagen` (.vf), or positions on lines: `FEN;result` (White's result:
    /// 1, 0.5, 0 or as in PGN) or EPD with the result in c9; .gz or .zst may follow. Lines `FEN;result;name;name` are of one
    /// game if both names are the same, others if they follow each other with rising move numbers, if they have any, and the same result; White's
    /// and Black's ratings may follow the names
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Look into folders within folders
    #[arg(short, long)]
    recursive: bool,
    #[command(flatten)]
    pub options: SampleOptions,
}

/// Which positions of a game are taken.
#[derive(Clone, Debug, Args)]
pub struct SampleOptions {
    /// One position in so many plies is taken; of an even number, all of a game are of the same side to move
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    spacing: u16,
    /// Plies at the start of a game from which no position is taken
    #[arg(long, default_value_t = 16)]
    skip_first: u16,
    /// Most positions of all games, in `law nominal` of each speed, chosen at random; any number if missing
    #[arg(long)]
    limit: Option<NonZeroUsize>,
    /// Chooses the positions and the parts for cross-validation
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    pub seed: u64,
}

impl SampleSource {
    /// Files, with these options.
    pub fn new(paths: Vec<PathBuf>, options: SampleOptions) -> SampleSource {
        SampleSource { paths, recursive: false, options }
    }

    /// Reads the positions, in an order that depends on the files and the seed alone.
    pub fn read(&self) -> Result<Vec<Sample>> {
        let mut found = Reservoir::default();
        let mut log = ReadLog::default();
        let mut games = Vec::new();
        for (number, path) in self.paths.iter().enumerate() {
            // Games in PGN come first.
            let source = number + 1;
            if path.is_dir() {
                games.push(path.clone());
                continue;
            }
            let Opened { content, reader } = Opened::new(path)?;
            match content {
                Content::Pgn if path.is_file() => games.push(path.clone()),
                Content::Pgn => self.read_pipe(path, reader, &mut found, &mut log),
                Content::Dataset => self.read_dataset(source, dataset::Reader::new(path, reader), path, &mut found)?,
                Content::Lines => self.read_lines(source, path, reader, &mut found, &mut log),
            }
        }
        if !games.is_empty() {
            let (of_games, read) = self.read_games(&games)?;
            log.merge(of_games);
            found.merge(self.choice(), read);
        }
        if found.games == 0 {
            bail!("no game with a known result found{}", log.explanation());
        }
        log.warn_of_all();
        // Under a limit only those that were kept are known.
        if found.repeated > 0 && self.options.limit.is_none() {
            error_line(format_args!("note: {} positions occurred before and do not count again", found.repeated));
        }
        let games = found.games;
        let samples = found.into_samples();
        if samples.is_empty() {
            let skipped = self.options.skip_first;
            bail!("no position to take: of {games} games none lasts long beyond {skipped} plies");
        }
        Ok(samples)
    }

    /// Refuses outputs that are the same file, or one that is read.
    pub fn check_apart(&self, outputs: &[&Path]) -> Result<()> {
        let mut inputs = Vec::new();
        for path in &self.paths {
            match path.is_dir() {
                true => inputs.extend(reading::find(std::slice::from_ref(path), self.recursive).unwrap_or_default()),
                false => inputs.push(path.clone()),
            }
        }
        check_apart(outputs, inputs.iter().map(PathBuf::as_path))
    }

    fn choice(&self) -> Choice {
        Choice { limit: self.options.limit.map(NonZeroUsize::get), seed: self.options.seed }
    }

    fn read_games(&self, paths: &[PathBuf]) -> Result<(ReadLog, Reservoir)> {
        let files = reading::find(paths, self.recursive)?;
        let progress = progress::bytes(&files);
        let take = |found: &mut Reservoir, path: &Path, game: GameRecord| self.add_game(found, path, &game);
        let merge = |a: &mut Reservoir, b| a.merge(self.choice(), b);
        let read = reading::gather_games(&files, &ReadOptions::default(), &progress, take, merge)?;
        progress.finish_and_clear();
        Ok(read)
    }

    /// Reads the games of a pipe, which can be read but once.
    fn read_pipe(&self, path: &Path, reader: impl BufRead, found: &mut Reservoir, log: &mut ReadLog) {
        reading::read_games(path, reader, &ReadOptions::default(), log, |_, game| {
            self.add_game(found, path, &game);
            true
        });
    }

    /// Offers the positions of a game if it counts.
    fn add_game(&self, found: &mut Reservoir, path: &Path, game: &GameRecord) {
        if let Some(outcome) = game.counted_outcome() {
            self.add(found, 0, path, game.number - 1, self.samples(game, outcome.into()));
        }
    }

    fn read_dataset(&self, source: usize, games: dataset::Reader, path: &Path, found: &mut Reservoir) -> Result<()> {
        for (index, game) in games.enumerate() {
            let game = game?;
            let outcome = Outcome::from(game.outcome);
            let positions: Vec<_> = game.positions().collect();
            let key = game_key(game.start.key(), game.plies.iter().map(|ply| ply.m));
            let chosen = self.choose(positions.len(), key).map(|ply| positions[ply].0.to_chess());
            let samples = chosen.map(|position| sample(&position, outcome, Ratings::default())).collect();
            self.add(found, source, path, index, samples);
        }
        Ok(())
    }

    /// Offers the positions of a game.
    fn add(&self, found: &mut Reservoir, source: usize, path: &Path, game: usize, samples: Vec<Sample>) {
        found.games += 1;
        let path: Arc<Path> = path.into();
        for (position, sample) in samples.into_iter().enumerate() {
            found.add(self.choice(), Place { source, path: path.clone(), game, position }, sample);
        }
    }

    /// Reads lines with positions and results.
    fn read_lines(&self, source: usize, path: &Path, reader: impl BufRead, found: &mut Reservoir, log: &mut ReadLog) {
        let mut games = LineGames::default();
        let shared: Arc<Path> = path.into();
        reading::read_lines(path, reader, CastlingRights::Either, log, |log, line| {
            let Some(outcome) = line.outcome else {
                log.add_broken(path, line.number, format!("line {}: no result", line.number));
                return true;
            };
            let game = games.game_of(&line, outcome);
            let place = Place { source, path: shared.clone(), game, position: line.number };
            found.add(self.choice(), place, sample(&line.position, outcome.into(), line.ratings));
            true
        });
        found.games += games.count();
    }

    /// Samples of a game that ended so.
    fn samples(&self, game: &GameRecord, outcome: Outcome) -> Vec<Sample> {
        let start = position::Position::from_chess(&game.start);
        let moves = game.moves.iter().map(|played| position::Position::from_shakmaty(played.m));
        let mut chosen = self.choose(game.moves.len(), game_key(start.key(), moves)).peekable();
        let site = game.tags.get("Site").unwrap_or_default();
        let told = game.tags.time_class();
        let time_class = Some(told.unwrap_or_else(|| TimeClass::presumed(site)));
        let is_told = told.is_some();
        let control = game.tags.time_control();
        let are_rated_after = reading::are_rated_after(&game.tags);
        let mut samples = Vec::new();
        let mut position = game.start.clone();
        for (ply, played) in game.moves.iter().enumerate() {
            if chosen.next_if_eq(&ply).is_some() {
                let shown = |index: usize| game.moves[index].remarks.clock;
                let clocks = Clocks::before(ply, game.start.turn(), control, shown);
                let seconds = control.and_then(Pace::of).map(|pace| pace.seconds);
                let mut taken = Sample {
                    are_rated_after,
                    time_class,
                    is_told,
                    seconds,
                    clocks,
                    ..sample(&position, outcome, game.tags.ratings())
                };
                if are_rated_after {
                    taken.board.advantage = 0;
                }
                samples.push(taken);
            }
            position.play_unchecked(played.m);
        }
        samples
    }

    /// Chooses positions of a game, by the plies before them; the same for the same `key`. Each is as likely to be
    /// taken, however long the game goes on: its length depends on its result.
    fn choose(&self, plies: usize, key: u64) -> impl Iterator<Item = usize> {
        let mut random = StdRng::seed_from_u64(self.options.seed ^ key);
        let spacing = usize::from(self.options.spacing);
        (usize::from(self.options.skip_first) + random.random_range(0..spacing)..plies).step_by(spacing)
    }
}

/// Tells a game from others by its start and its moves: where it occurs again, the same positions are chosen, and do not count
/// again.
fn game_key(start: u64, moves: impl Iterator<Item = position::Move>) -> u64 {
    // An odd number with bits all over.
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    moves.fold(start, |key, m| (key.rotate_left(5) ^ u64::from(m.bits())).wrapping_mul(MIX))
}

fn sample(position: &Chess, outcome: Outcome, ratings: Ratings) -> Sample {
    let advantage = position.turn().fold_wb(ratings.white_advantage(), -ratings.white_advantage());
    Sample {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        turn: position.turn(),
        outcome: outcome.of(position.turn()),
        board: BoardFacts { advantage, ..BoardFacts::of(position.board(), position.turn(), position.halfmoves()) },
        game: 0,
        file: 0,
        ratings,
        are_rated_after: false,
        time_class: None,
        is_told: false,
        seconds: None,
        clocks: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;
    use tempfile::TempDir;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        source: SampleSource,
    }

    fn source(arguments: &[&str]) -> SampleSource {
        CommandLine::try_parse_from([&["verify"], arguments].concat()).unwrap().source
    }

    const GAMES: &str = "../tests/data/engine-games.pgn";

    #[test]
    fn positions_keep_their_distance_and_come_again() {
        let source = source(&[GAMES, "--spacing", "10", "--skip-first", "4"]);
        let samples = source.read().unwrap();
        assert_eq!(samples, source.read().unwrap());
        assert!(samples.iter().all(|sample| sample.time_class == Some(TimeClass::Bullet)));
        let moves = |sample: &Sample| sample.fen.rsplit(' ').next().unwrap().parse::<u32>().unwrap();
        for pair in samples.windows(2).filter(|pair| pair[0].game == pair[1].game) {
            assert_eq!(moves(&pair[1]) - moves(&pair[0]), 5, "{pair:?}");
        }
        let limited = |limit, seed| {
            let options = SampleOptions { limit: NonZeroUsize::new(limit), seed, ..source.options.clone() };
            SampleSource { paths: source.paths.clone(), options, ..source }
        };
        let other = limited(4, 1);
        let chosen = other.read().unwrap();
        assert_eq!(chosen, other.read().unwrap());
        assert!(chosen.iter().all(|chosen| samples.iter().any(|sample| sample.fen == chosen.fen)));
        assert_ne!(samples, limited(0, 2).read().unwrap());
        assert_eq!(limited(4, 2).read().unwrap().len(), 4);
    }

    #[test]
    fn a_game_in_two_files_counts_once() {
        let folder = TempDir::new().unwrap();
        let write = |name: &str, text: String| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let games = fs::read_to_string(GAMES).unwrap();
        let other = "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
        let (first, second) = (write("a.pgn", games.clone()), write("b.pgn", other.to_owned() + &games));
        let count = |paths: &[&str]| source(paths).read().unwrap().len();
        assert_eq!(count(&[&first, &second]), count(&[&first]));
    }

    #[test]
    fn ratings_after_the_game_do_not_tell_who_won() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("games.pgn");
        let samples = |site: &str| {
            let tags = format!("[Site \"{site}\"]\n[WhiteElo \"1510\"]\n[BlackElo \"1491\"]\n[Result \"1-0\"]\n\n");
            fs::write(&path, tags + "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n").unwrap();
            source(&[path.to_str().unwrap(), "--skip-first", "1", "--spacing", "2"]).read().unwrap()
        };
        for sample in samples("Chess.com") {
            assert_eq!((sample.board.advantage, sample.fair_ratings().white_advantage()), (0, 0));
            assert_eq!(sample.ratings.mean(), Some(1500.5));
        }
        assert!(samples("https://lichess.org/abcdefgh").iter().all(|sample| sample.board.advantage.abs() == 19));
    }

    #[test]
    fn what_is_missing_is_reported() {
        let folder = TempDir::new().unwrap();
        let reason = |text: &str| {
            let path = folder.path().join("games.pgn");
            fs::write(&path, text).unwrap();
            source(&[path.to_str().unwrap()]).read().unwrap_err().to_string()
        };
        assert_eq!(reason("[Result \"*\"]\n\n1. e4 *\n"), "no game with a known result found; 1 without a result");
        let error = reason("[Result \"1-0\"]\n\n1. Sf3 1-0\n");
        assert!(
            error.starts_with("no game with a known result found; ")
                && error.ends_with("game 1, line 3: 'Sf3' is no move")
        );
        assert!(reason("[Result \"1-0\"]\n\n1. e4 e5 1-0\n").ends_with("of 1 games none lasts long beyond 16 plies"));
    }

    #[test]
    fn every_position_is_as_likely() {
        let source = source(&[GAMES, "--spacing", "3", "--skip-first", "5"]);
        for plies in [0, 5, 6, 30] {
            let mut times = vec![0; plies];
            (0..3000).flat_map(|key| source.choose(plies, key)).for_each(|ply| times[ply] += 1);
            let (skipped, others) = times.split_at(plies.min(5));
            assert!(skipped.iter().all(|&times| times == 0));
            assert!(others.iter().all(|times| (900..1100).contains(times)), "{times:?}");
        }
    }

    #[test]
    fn datasets_are_read_as_games() {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("games.vf");
        let mut written = Vec::new();
        let mut bytes = Vec::new();
        for outcome in ["0-1", "1/2-1/2"] {
            let start = position::Position::default();
            let mut now = start;
            let mut plies = Vec::new();
            for text in ["d2d4", "d7d5", "c2c4", "e7e6", "b1c3", "g8f6"] {
                let m = now.parse_move(text).unwrap();
                plies.push(dataset::Ply { m, eval: dataset::Eval::default() });
                written.push(now.fen());
                now = now.play(m);
            }
            let outcome = outcome.parse().unwrap();
            let game = dataset::Game { start, plies, outcome, ending: dataset::Ending::Unknown };
            dataset::encode(&game, &mut bytes).unwrap();
        }
        fs::write(&path, bytes).unwrap();
        let path = path.to_str().unwrap();
        let samples = source(&[path, "--skip-first", "3", "--spacing", "1"]).read().unwrap();
        // The same positions of the second game do not count again.
        assert_eq!(
            samples.iter().map(|s| (s.fen.as_str(), s.outcome, s.game)).collect::<Vec<_>>(),
            [
                (written[3].as_str(), Outcome::Win, 0),
                (written[4].as_str(), Outcome::Loss, 0),
                (written[5].as_str(), Outcome::Win, 0)
            ]
        );
        fs::write(path, [1; 64]).unwrap();
        let error = source(&[path]).read().unwrap_err().to_string();
        assert!(error.contains("games.vf: corrupt at byte 0"), "{error}");
    }

    #[test]
    fn lines_with_results_are_seen_by_the_side_to_move() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("lines.txt");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            source(&[path.to_str().unwrap()]).read()
        };
        let samples =
            read("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1;1-0;A;B;2600;2500\n\n4k3/8/8/8/8/8/8/4K2R w K - 0 1;0.5;A;B;?;3\n")
                .unwrap();
        assert_eq!(samples.iter().map(|s| s.board.advantage).collect::<Vec<_>>(), [-100, 0]);
        assert_eq!((samples[0].ratings.mean(), samples[1].ratings.black), (Some(2550.0), Some(3)));
        assert_eq!(
            samples.iter().map(|s| (s.outcome, s.board.material, s.game)).collect::<Vec<_>>(),
            [(Outcome::Loss, 1, 0), (Outcome::Draw, 5, 0)]
        );
        let results = [(5, "1"), (6, "1"), (7, "0"), (8, "0"), (8, "0"), (2, "0")];
        let line = |(file, (number, result)): (usize, &(u32, &str))| {
            let pawn = format!("{file}P{}", 7 - file).replace('0', "");
            format!("4k3/8/8/8/8/8/{pawn}/4K3 w - - 0 {number};{result}\n")
        };
        let lines: Vec<_> = results.iter().enumerate().map(line).collect();
        let games: Vec<_> = read(&lines.concat()).unwrap().iter().map(|sample| sample.game).collect();
        assert_eq!(games, [0, 0, 1, 1, 2, 3]);
        // Names between them, or names that are empty, change nothing.
        let named = |(index, line): (usize, &String)| match index {
            1 => format!("4k3/8/8/8/8/8/4P3/4K3 b - - 0 6;1;A;B\n{line}"),
            _ => line.replace('\n', ";;\n"),
        };
        let lines: String = lines.iter().enumerate().map(named).collect();
        let games: Vec<_> = read(&lines).unwrap().iter().map(|sample| sample.game).collect();
        assert_eq!(games, [0, 0, 1, 2, 2, 3, 4]);
        for (text, why) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "line 1: no result"),
            ("\n4k3/8/8/8/8/8/8/4K3 w - - 0 1;2", "line 2: '2' is no result"),
            ("nonsense;1", "nonsense"),
            ("", "no game with a known result"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
