//! The text of a game to a game.

mod words;

use super::comment::Remarks;
use super::fault::{BrokenGame, GameFault, GameWarning, Quoted, WarningKind};
use super::notes::{NoteKeeper, Notes};
use super::result::{Exclusion, Marker, ResultConflict};
use super::scan::{self, Comments, MAX_MALFORMED_TAGS};
use super::split::GameText;
use super::start::{self, CastlingRights, Variant};
use super::tags::{Tags, is_rating, text_of};
use crate::printing::TimeControl;
use shakmaty::{Chess, KnownOutcome, Move, Position as _};
use std::ops::Range;

/// Tags without which the moves would be those of another game.
const NEEDED: [&[u8]; 3] = [b"FEN", b"SetUp", b"Variant"];

/// Bytes that a move takes without comments, with its share of the number.
const BYTES_A_MOVE: usize = 8;

/// Most plies of a game that is read; by the rules it ends before 17,700.
pub const MAX_PLIES: usize = 20_000;

/// How games are read.
#[derive(Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// FENs may have castling rights of Chess960 though no tag says so.
    pub chess960: bool,
    /// Applied to the FENs of tags.
    pub replace_fen: Option<&'a ReplaceFen<'a>>,
    /// Keep comments, judgements and variations: [`GameRecord::notes`].
    pub keep_notes: bool,
}

/// Another FEN in the place of one, or why there is none.
pub type ReplaceFen<'a> = dyn Fn(&str) -> Result<String, String> + Sync + 'a;

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// Its first line, from 1.
    pub line: usize,
    /// The tag pairs.
    pub tags: Tags,
    /// Where it began.
    pub start: Chess,
    /// The moves of the main line.
    pub moves: Vec<PlayedMove>,
    /// The result: the tag's if it is known, else the one behind the moves.
    pub outcome: Option<KnownOutcome>,
    /// The same with what is no result of a game: `0-0` and `*`.
    pub result: Marker,
    /// Why the result says nothing about the positions; none if the game counts.
    pub exclusion: Option<Exclusion>,
    /// That the tag and the end of the moves disagree.
    pub conflict: Option<ResultConflict>,
    /// What is wrong with it though it can be read.
    pub warnings: Vec<GameWarning>,
    /// Comments, judgements and variations, if they were asked for.
    pub notes: Option<Notes>,
}

/// A move with what the comments behind it say.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove {
    /// The move.
    pub m: Move,
    /// Evaluations, clock and time.
    pub remarks: Remarks,
}

impl GameRecord {
    /// The result, if the game counts.
    #[must_use]
    pub fn counted_outcome(&self) -> Option<KnownOutcome> {
        self.outcome.filter(|_| self.exclusion.is_none())
    }

    /// The position at the end.
    #[must_use]
    pub fn last_position(&self) -> Chess {
        let mut position = self.start.clone();
        self.moves.iter().for_each(|played| position.play_unchecked(played.m));
        position
    }
}

impl GameText {
    /// Reads the game. All of it has to be right, for moves that are dropped or guessed make another game of it.
    ///
    /// # Errors
    ///
    /// [`BrokenGame`] with the place of the first fault.
    pub fn parse(&self, options: &ReadOptions<'_>) -> Result<GameRecord, BrokenGame> {
        let mut parser = Parser::new(&self.bytes);
        parser.left_out = &self.left_out;
        parser.notes = options.keep_notes.then(NoteKeeper::default);
        let fault = if self.is_too_long { Err(GameFault::TooLong) } else { parser.read(options) };
        match fault {
            Ok(()) => Ok(parser.finish(self)),
            Err(_) if self.is_behind_games && parser.moves.is_empty() => {
                let text = Quoted::new(&self.bytes[..scan::line(&self.bytes)]);
                Err(BrokenGame { number: self.number, line: self.line, fault: GameFault::TextBehind(text) })
            }
            Err(fault) => Err(BrokenGame { number: self.number, line: self.line_of(parser.at), fault }),
        }
    }

    /// The line of the file in which a byte stands.
    fn line_of(&self, at: usize) -> usize {
        self.line + scan::lines(&self.bytes[..at])
    }
}

/// Reads one game.
struct Parser<'a> {
    text: &'a [u8],
    /// What is being read.
    at: usize,
    tags: Tags,
    start: Chess,
    position: Chess,
    moves: Vec<PlayedMove>,
    /// The marker behind the moves.
    marker: Option<Marker>,
    variant: Variant,
    comments: Comments,
    /// Text behind tags that is yet to be left out.
    left_out: &'a [Range<usize>],
    /// Malformed tags and such texts so far.
    malformed: usize,
    /// What is found wrong, and where.
    warnings: Vec<(usize, WarningKind)>,
    /// The last word is a move number.
    is_behind_number: bool,
    /// Comments behind the last move, which may say how the game ended.
    ending: Vec<&'a [u8]>,
    /// Open variations; their moves are not read.
    variations: Vec<usize>,
    /// Keeps what else the text says.
    notes: Option<NoteKeeper>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8]) -> Parser<'a> {
        Parser {
            text,
            at: 0,
            tags: Tags::default(),
            start: Chess::default(),
            position: Chess::default(),
            moves: Vec::with_capacity((text.len() / BYTES_A_MOVE).min(MAX_PLIES)),
            marker: None,
            variant: Variant::Unsaid,
            comments: Comments::default(),
            left_out: &[],
            malformed: 0,
            warnings: Vec::new(),
            is_behind_number: false,
            ending: Vec::new(),
            variations: Vec::new(),
            notes: None,
        }
    }

    fn read(&mut self, options: &ReadOptions<'_>) -> Result<(), GameFault> {
        let mut in_tags = true;
        let mut fen_place = 0;
        self.leave_out_text()?;
        loop {
            let space = scan::space(&self.text[self.at..]);
            let begins_line = self.at + space == 0 || self.text[..self.at + space].ends_with(b"\n");
            self.at += space;
            let rest = &self.text[self.at..];
            let Some(&byte) = rest.first() else { break };
            if let Some(text) = self.left_out.first().filter(|text| text.start == self.at) {
                self.leave_out(WarningKind::TextInTags(Quoted::new(&rest[..scan::line(rest)])))?;
                self.at = text.end;
                self.left_out = &self.left_out[1..];
                continue;
            }
            if byte == b';' || byte == b'%' && begins_line {
                // Lines behind the result may be about the next game.
                if byte == b';' && self.marker.is_none() {
                    self.comment(&rest[1..scan::line(rest)]);
                }
                self.at += scan::line(rest);
                continue;
            }
            if byte == b'{' {
                let end = self.comments.end(self.text, self.at).ok_or(GameFault::UnterminatedComment)?;
                self.comment(&self.text[self.at + 1..end - 1]);
                self.at = end;
                continue;
            }
            if in_tags && byte == b'[' {
                self.tag(rest, &mut fen_place)?;
                continue;
            }
            if in_tags {
                in_tags = false;
                self.begin(options, fen_place)?;
            }
            if self.variant == Variant::Other {
                return Ok(());
            }
            match byte {
                b'(' => {
                    self.keep(|notes, depth| notes.open(depth));
                    self.variations.push(self.at);
                    self.at += 1;
                }
                b')' if self.variations.pop().is_some() => {
                    self.keep(|notes, depth| notes.close(depth));
                    self.at += 1;
                }
                _ => {
                    let length = match scan::word(rest) {
                        0 => 1 + scan::word(&rest[1..]),
                        length => length,
                    };
                    if self.variations.is_empty() {
                        self.word(&rest[..length])?;
                    } else {
                        self.keep(|notes, _| notes.word_in_variation(&rest[..length]));
                    }
                    self.at += length;
                }
            }
        }
        if in_tags {
            self.begin(options, fen_place)?;
        }
        if let Some(&place) = self.variations.first() {
            self.at = place;
            return Err(GameFault::UnterminatedVariation);
        }
        // Tags alone, or a result alone behind them, are a game without moves.
        if self.moves.is_empty() && self.tags.iter().next().is_none() {
            self.at = 0;
            return Err(GameFault::Empty);
        }
        Ok(())
    }

    /// Goes to the first tag or move behind lines of text; the game begins with them if there are any.
    fn leave_out_text(&mut self) -> Result<(), GameFault> {
        let text = self.text;
        if matches!(text.first(), None | Some(b'{' | b';' | b'%' | b'[')) || scan::begins_moves(text) {
            return Ok(());
        }
        while self.at < text.len() && !scan::begins_game(&text[self.at..]) {
            self.at += scan::line(&text[self.at..]);
            self.at += scan::space(&text[self.at..]);
        }
        if self.at == text.len() {
            self.at = 0;
            return Err(GameFault::NotAMove(Quoted::new(&text[..scan::word(text).max(1)])));
        }
        self.warnings.push((0, WarningKind::Text(Quoted::new(&text[..scan::line(text)]))));
        Ok(())
    }

    /// Notes what is left out among the tags.
    fn leave_out(&mut self, warning: WarningKind) -> Result<(), GameFault> {
        if self.malformed == MAX_MALFORMED_TAGS {
            return Err(GameFault::TooManyTags);
        }
        self.malformed += 1;
        self.warnings.push((self.at, warning));
        Ok(())
    }

    /// Reads the tag at the start of `rest`.
    fn tag(&mut self, rest: &[u8], fen_place: &mut usize) -> Result<(), GameFault> {
        let Some(tag) = scan::tag(rest) else { return Err(GameFault::NotAMove(Quoted::new(rest))) };
        let written = &rest[tag.name];
        // Those by which the moves are read, in any letters.
        let name = NEEDED.iter().copied().find(|needed| written.eq_ignore_ascii_case(needed)).unwrap_or(written);
        match tag.value {
            Some(value) => {
                if name == b"FEN" {
                    *fen_place = self.at;
                }
                self.tags.push(name, &rest[value]);
            }
            // Without it the moves would be those of another game.
            None if NEEDED.contains(&name) => return Err(GameFault::Tag(Quoted::new(&rest[..tag.end]))),
            None => {
                let quoted = Quoted::new(&rest[..tag.end]);
                self.leave_out(if tag.is_too_long { WarningKind::LongTag(quoted) } else { WarningKind::Tag(quoted) })?;
            }
        }
        self.at += tag.end;
        Ok(())
    }

    /// The tags are complete: sets up the first position, whose FEN stands at `place`.
    fn begin(&mut self, options: &ReadOptions<'_>, place: usize) -> Result<(), GameFault> {
        self.variant = Variant::from_tag(self.tags.known("Variant"));
        let time_control = self.tags.known("TimeControl");
        if !TimeControl::is_understood(time_control) {
            self.warnings.push((0, WarningKind::TimeControl(Quoted::new(time_control.as_bytes()))));
        }
        for name in ["WhiteElo", "BlackElo"] {
            let rating = self.tags.known(name);
            if !is_rating(rating) {
                self.warnings.push((0, WarningKind::Rating(name, Quoted::new(rating.as_bytes()))));
            }
        }
        let result = self.tags.known("Result");
        if !matches!(result, "" | "*" | "-") && Marker::from_tag(result).is_none() {
            self.warnings.push((0, WarningKind::Result(Quoted::new(result.as_bytes()))));
        }
        if self.variant == Variant::Other {
            return Ok(());
        }
        let set_up = |fen: &str| match (options.chess960, self.variant) {
            (true, _) | (_, Variant::Chess960) => start::set_up(fen, CastlingRights::Chess960),
            (_, Variant::Chess) => start::set_up_chess(fen),
            (_, Variant::Unsaid | Variant::Other) => start::set_up(fen, CastlingRights::Chess),
        };
        let replaced = |fen: &str| options.replace_fen.map_or_else(|| Ok(fen.to_owned()), |replace| replace(fen));
        let fen = start::fen_of(&self.tags, self.variant);
        match fen.and_then(|fen| fen.map(|fen| replaced(fen).and_then(|fen| set_up(&fen))).transpose()) {
            Ok(None) => Ok(()),
            Ok(Some((start, mends))) => {
                self.warnings.extend(mends.into_iter().map(|mend| (place, WarningKind::Mended(mend))));
                self.position = start.clone();
                self.start = start;
                Ok(())
            }
            Err(reason) => {
                self.at = place;
                Err(GameFault::Start(reason))
            }
        }
    }

    /// Lets the keeper of notes, if there is one, have something; it is told how many variations are open.
    fn keep(&mut self, note: impl FnOnce(&mut NoteKeeper, usize)) {
        if let Some(notes) = &mut self.notes {
            note(notes, self.variations.len());
        }
    }

    fn comment(&mut self, comment: &'a [u8]) {
        self.keep(|notes, depth| notes.comment(&text_of(comment), depth));
        if !self.variations.is_empty() {
            return;
        }
        if let Some(last) = self.moves.last_mut().filter(|_| self.marker.is_none()) {
            last.remarks.add(&text_of(comment));
        }
        self.ending.push(comment);
    }

    fn finish(mut self, text: &GameText) -> GameRecord {
        self.tags.first_clock = self.moves.iter().take(2).filter_map(|played| played.remarks.clock).max();
        let tag = self.tags.get("Result").and_then(Marker::from_tag);
        let conflict = match (tag, self.marker) {
            (Some(tag), Some(marker)) if marker != tag => Some(ResultConflict { tag, marker }),
            _ => None,
        };
        let result = tag.or(self.marker);
        let outcome = result.and_then(Marker::known);
        let exclusion = match self.variant {
            Variant::Other => Some(Exclusion::OtherVariant),
            _ => Exclusion::from_termination(self.tags.known("Termination"))
                .or_else(|| self.ending.iter().find_map(|comment| Exclusion::from_comment(&text_of(comment))))
                .or_else(|| (result == Some(Marker::BothLose)).then_some(Exclusion::BothLose))
                .or_else(|| outcome.is_none().then_some(Exclusion::NoResult)),
        };
        GameRecord {
            number: text.number,
            line: text.line,
            tags: self.tags,
            start: self.start,
            moves: self.moves,
            outcome,
            result: result.unwrap_or(Marker::Unknown),
            exclusion,
            conflict,
            warnings: self
                .warnings
                .into_iter()
                .map(|(at, kind)| GameWarning { line: text.line_of(at), kind })
                .collect(),
            notes: self.notes.map(NoteKeeper::finish),
        }
    }
}
