//! Games to files of rows in random order.

use super::options::Options;
use super::row::{BYTES, Pieces, Row};
use crate::dataset::Eval;
use crate::outcome::Outcome;
use crate::progress;
use crate::reading::ReadLog;
use crate::tuning::data::{self, Numbered};
use crate::tuning::knots::Knots;
use crate::tuning::options::{Noisy, Take};
use crate::tuning::quiet::Quiescence;
use crate::tuning::selection::{Candidate, Chosen, Selection, Split};
use crate::tuning::target::Reader;
use crate::writing::{self, cannot_write};
use anyhow::{Context, Result, bail};
use flate2::CrcReader;
use halfpoint::eval::network::applies;
use halfpoint::eval::tuning::evaluate_before_curve;
use halfpoint::eval::{Weights, evaluate, phase};
use halfpoint::params;
use halfpoint::position::Position;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

/// Files over which rows are strewn; each fits in memory.
pub const BUCKETS: usize = 64;
/// Bytes of a position held out: its row, the number of its game, and w and d of the baseline.
const HELD_OUT_BYTES: usize = BYTES + 8;
/// Random numbers of the choice of buckets.
const STREAM: u64 = u64::MAX;

/// Within the first line of rows.txt, by which the files of rows are known as this command's.
const MARK: &str = ", weights ";

/// What rows depend on: files and choices.
pub struct Origin {
    text: String,
}

/// All rows.
pub struct Rows {
    folder: PathBuf,
    /// Another run must not replace them under this one. `None` where folders take no lock.
    #[expect(dead_code, reason = "held, not read")]
    lock: Option<File>,
    /// Number of rows to train with.
    pub training: u64,
    /// Positions of games held out, those of a game one after the other.
    pub held_out: Vec<HeldOut>,
}

/// A position of a game held out.
pub struct HeldOut {
    pub row: Row,
    /// Number of the game.
    pub game: usize,
    /// Wilo of the baseline, centipawns, and its draw score, hundredths of a logit.
    pub baseline: (i16, i16),
}

/// Writes the rows of all games, unless they are there from a run of the same origin. An attempt that fails leaves none.
pub fn prepare(options: &Options, origin: &Origin) -> Result<Rows> {
    let (folder, path) = (&options.rows, options.rows.join("rows.txt"));
    let is_new = !folder.exists();
    fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
    let lock = lock(folder)?;
    let written = fs::read_to_string(&path).ok();
    let rows = match written.as_deref().and_then(|text| text.strip_prefix(&origin.text)) {
        // One line follows, written when all was done; otherwise more files do, or nothing.
        Some(lengths) if lengths.lines().count() == 1 => Rows::open(options, lengths)?,
        _ => {
            check_replaceable(options, &path)?;
            let made = write_rows(options, origin, &path).and_then(|lengths| Rows::open(options, &lengths));
            if made.is_err() {
                clear(folder, &path, is_new);
            }
            made?
        }
    };
    if rows.held_out.is_empty() {
        bail!("no game with positions to judge by is held out: more games are needed, or a larger --held-out");
    }
    Ok(Rows { lock, ..rows })
}

/// The folder of rows for this process alone, if it takes a lock.
fn lock(folder: &Path) -> Result<Option<File>> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("'{}': in use by another process", folder.display()),
        taken => Ok(taken.is_ok().then_some(file)),
    }
}

/// Checks that the files of rows that are there are this command's, unless they are to be replaced in any case.
fn check_replaceable(options: &Options, path: &Path) -> Result<()> {
    writing::check_own(path, MARK, options.overwrite)?;
    if path.exists() {
        return Ok(());
    }
    let all = (0..BUCKETS).map(|bucket| bucket_path(&options.rows, bucket)).chain([held_out_path(&options.rows)]);
    for path in all {
        halfpoint::files::check_own(&path, |_| false, options.overwrite).with_context(|| cannot_write(&path))?;
    }
    Ok(())
}

/// Removes what an attempt has written, and the folder if it was made for it.
fn clear(folder: &Path, path: &Path, is_new: bool) {
    // What went wrong first is what the user has to know.
    let _ = fs::remove_file(path);
    (0..BUCKETS).for_each(|bucket| drop(fs::remove_file(bucket_path(folder, bucket))));
    let _ = fs::remove_file(held_out_path(folder));
    if is_new {
        let _ = fs::remove_dir(folder);
    }
}

impl Origin {
    /// The origin of the rows for these options.
    ///
    /// # Errors
    ///
    /// That a file cannot be read, or is none that can be read twice.
    pub fn of(options: &Options) -> Result<Origin> {
        let mut text = format!(
            "rows 3{MARK}{:08x}, held out {}, left out {}, seed {}\n",
            crc32(halfpoint::eval::tuning::SHIPPED.as_bytes()),
            options.held_out,
            options.skip,
            options.seed
        );
        for path in options.data.iter().map(|file| &file.path).chain(&options.baseline) {
            text += &format!("{}, CRC-32 {:08x}\n", path.display(), checksum(path)?);
        }
        Ok(Origin { text })
    }

    /// CRC-32 of it.
    pub fn checksum(&self) -> u32 {
        crc32(self.text.as_bytes())
    }
}

/// CRC-32 of a file's content.
pub fn checksum(path: &Path) -> Result<u32> {
    let metadata = fs::metadata(path).with_context(|| path.display().to_string())?;
    if !metadata.is_file() {
        bail!("{}: not a regular file, and training reads its files more than once", path.display());
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let mut reader = CrcReader::new(file);
    io::copy(&mut reader, &mut io::sink()).with_context(|| path.display().to_string())?;
    Ok(reader.crc().sum())
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut checksum = flate2::Crc::new();
    checksum.update(bytes);
    checksum.sum()
}

/// Writes the files of rows, and last into the file of their origin how long they are; returns this.
fn write_rows(options: &Options, origin: &Origin, path: &Path) -> Result<String> {
    data::check_files(&options.data)?;
    let weights = Weights::terms();
    let baseline = match &options.baseline {
        Some(path) => params::read(&path.display().to_string(), &params::read_text(path)?)?,
        None => (*weights).clone(),
    };
    let (knots, selection) = (Knots::default(), selection(options));
    let maker = RowMaker { selection, weights: &weights, baseline: &baseline, reader: Reader::new(&weights, &knots) };
    writing::write(path, &origin.text)?;
    let mut files = Files::create(options)?;
    let bar = progress::spinner("reading");
    let mut games = 0;
    let (sender, receiver) = mpsc::sync_channel(2);
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || data::read_files(&options.data, &sender));
        for batch in receiver {
            let batch: Vec<Numbered> = batch;
            games += batch.len();
            let made: Vec<_> = batch
                .into_par_iter()
                .map_init(|| Quiescence::new(&weights), |quiescence, game| maker.rows(game, quiescence))
                .collect();
            made.iter().try_for_each(|game| files.add(game))?;
            bar.set_message(format!("{games} games, {} positions", files.written));
        }
        // The thread only ends after all that it sent, or with an error.
        let (log, _): (ReadLog, _) = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        log.warn_of_all();
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    if files.written == 0 {
        bail!("no quiet positions with evaluations to train with among {games} games");
    }
    files.finish()?;
    let lengths = lengths(&options.rows)?;
    writing::write(path, format!("{}{lengths}", origin.text))?;
    Ok(lengths)
}

/// The lengths of the files of rows in bytes, on a line.
fn lengths(folder: &Path) -> Result<String> {
    let all = (0..BUCKETS).map(|bucket| bucket_path(folder, bucket)).chain([held_out_path(folder)]);
    let length = |path: PathBuf| fs::metadata(&path).with_context(|| path.display().to_string());
    let lengths = all.map(|path| Ok(length(path)?.len().to_string())).collect::<Result<Vec<_>>>()?;
    Ok(format!("bytes {}\n", lengths.join(" ")))
}

/// Quiet positions that a search has scored, and the games of `tune --test`.
fn selection(options: &Options) -> Selection {
    Selection {
        seed: options.seed,
        positions: 0,
        skip_plies: 0,
        checks: Take::Skip,
        noisy: Noisy::Skip,
        mates: Take::Skip,
        validation: options.skip * (1.0 - options.held_out),
        test: options.held_out,
    }
}

/// Makes rows of games.
struct RowMaker<'a> {
    selection: Selection,
    weights: &'a Weights,
    baseline: &'a Weights,
    reader: Reader<'a>,
}

/// Bytes of a game's rows.
struct GameRows {
    is_held_out: bool,
    bytes: Vec<u8>,
}

impl RowMaker<'_> {
    fn rows(&self, game: Numbered, quiescence: &mut Quiescence) -> GameRows {
        let Chosen { split, positions, .. } = self.selection.choose(game.game.positions, game.number, quiescence);
        let mut rows = GameRows { is_held_out: split == Split::Test, bytes: Vec::new() };
        if split == Split::Validation {
            return rows;
        }
        for Candidate { position, eval, outcome } in positions {
            let Some(row) = eval.and_then(|eval| self.row(&position, eval, outcome)) else { continue };
            rows.bytes.extend(row.to_bytes());
            if rows.is_held_out {
                let of_baseline = evaluate(&position, self.baseline);
                rows.bytes.extend(game.number.to_le_bytes());
                rows.bytes.extend(clipped(position.turn().fold_wb(of_baseline.wilo, -of_baseline.wilo)).to_le_bytes());
                rows.bytes.extend(clipped(of_baseline.draw).to_le_bytes());
            }
        }
        rows
    }

    fn row(&self, position: &Position, eval: Eval, outcome: Outcome) -> Option<Row> {
        let scores = evaluate_before_curve(position, self.weights);
        let search = self.reader.search_eval(eval, position, phase(position) as u8);
        let draw = (f64::from(search.draw) / (1.0 - f64::from(search.draw))).ln();
        let pieces = applies(position).then(|| Pieces::of(position))??;
        Some(Row {
            pieces,
            wilo: clipped(position.turn().fold_wb(scores.wilo, -scores.wilo)),
            draw: clipped(scores.draw),
            search_wilo: search.log_odds,
            search_draw: draw as f32,
            outcome,
        })
    }
}

fn clipped(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// The files while they are written.
struct Files {
    folder: PathBuf,
    buckets: Vec<BufWriter<File>>,
    held_out: BufWriter<File>,
    random: ChaCha8Rng,
    written: u64,
}

fn bucket_path(folder: &Path, bucket: usize) -> PathBuf {
    folder.join(format!("{bucket:02}.rows"))
}

fn held_out_path(folder: &Path) -> PathBuf {
    folder.join("held-out.rows")
}

impl Files {
    fn create(options: &Options) -> Result<Files> {
        let create = |path: PathBuf| File::create(&path).map(BufWriter::new).with_context(|| cannot_write(&path));
        let mut random = ChaCha8Rng::seed_from_u64(options.seed);
        random.set_stream(STREAM);
        Ok(Files {
            folder: options.rows.clone(),
            buckets: (0..BUCKETS).map(|bucket| create(bucket_path(&options.rows, bucket))).collect::<Result<_>>()?,
            held_out: create(held_out_path(&options.rows))?,
            random,
            written: 0,
        })
    }

    fn add(&mut self, game: &GameRows) -> Result<()> {
        if game.is_held_out {
            return self.held_out.write_all(&game.bytes).with_context(|| cannot_write(&self.folder));
        }
        for row in game.bytes.chunks_exact(BYTES) {
            let bucket = self.random.random_range(0..BUCKETS);
            self.buckets[bucket].write_all(row).with_context(|| cannot_write(&self.folder))?;
            self.written += 1;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        let mut all = self.buckets.into_iter().chain([self.held_out]);
        all.try_for_each(|mut file| file.flush()).with_context(|| cannot_write(&self.folder))
    }
}

impl Rows {
    /// The rows in files of these lengths.
    fn open(options: &Options, expected: &str) -> Result<Rows> {
        let folder = options.rows.clone();
        if lengths(&folder)? != expected {
            bail!("'{}': a file of rows is not as long as it was; remove this folder", folder.display());
        }
        let mut training = 0;
        for bucket in 0..BUCKETS {
            let path = bucket_path(&folder, bucket);
            training += fs::metadata(&path).with_context(|| path.display().to_string())?.len() / BYTES as u64;
        }
        let path = held_out_path(&folder);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        let held_out = bytes.as_chunks::<HELD_OUT_BYTES>().0.iter().map(|bytes| {
            let (row, rest) = bytes.split_at(BYTES);
            let mut of_row = [0; BYTES];
            of_row.copy_from_slice(row);
            let number = |place: usize| i16::from_le_bytes([rest[place], rest[place + 1]]);
            HeldOut {
                row: Row::from_bytes(&of_row),
                game: u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize,
                baseline: (number(4), number(6)),
            }
        });
        let held_out = held_out.collect();
        Ok(Rows { folder, lock: None, training, held_out })
    }

    /// The rows of a bucket, as they are in the file.
    pub fn bucket(&self, bucket: usize) -> Result<Vec<[u8; BYTES]>> {
        let path = bucket_path(&self.folder, bucket);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        Ok(bytes.as_chunks::<BYTES>().0.to_vec())
    }

    /// Training rows of whole buckets, in no order, at least `least` if there are as many.
    pub fn sample(&self, least: usize) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for bucket in 0..BUCKETS {
            if rows.len() >= least {
                break;
            }
            rows.extend(self.bucket(bucket)?.iter().map(Row::from_bytes));
        }
        Ok(rows)
    }

    /// The rows of a bucket in the random order of an epoch.
    pub fn shuffled(&self, bucket: usize, epoch: u32, seed: u64) -> Result<Vec<[u8; BYTES]>> {
        let mut rows = self.bucket(bucket)?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(u64::from(epoch) * BUCKETS as u64 + bucket as u64);
        rows.shuffle(&mut random);
        Ok(rows)
    }
}
