//! PGN cut into games, so that a broken game does not hide the next.

mod comments;

use super::line_ends::LineReader;
use super::result::{Marker, is_both_lose};
use super::scan::{self, MAX_MALFORMED_TAGS, MAX_TEXT_IN_TAGS, TagText};
use super::signs::plain;
use comments::Comment;
use std::collections::HashSet;
use std::io::{self, BufRead};
use std::ops::Range;

/// Most bytes that one game may take.
const MAX_GAME_BYTES: usize = 16 << 20;

/// The text of one game, which [`GameText::parse`] reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// Its first line, from 1.
    pub line: usize,
    pub(super) bytes: Vec<u8>,
    /// The game went on beyond the limit.
    pub(super) is_too_long: bool,
    /// Games stand before it and none behind it, and it has neither tags nor a first move.
    pub(super) is_behind_games: bool,
    /// Text behind tags, which is left out.
    pub(super) left_out: Vec<Range<usize>>,
}

/// Cuts PGN into games, each with its number and line. The text is read as it is needed; only one game is held.
///
/// A game ends with its result, or where tags begin again: behind moves, or with a name that was there before an empty line.
/// Tags and results in comments do not end it, unless the comment has no end: then the game ends before the tags.
pub struct GameTexts<R> {
    reader: LineReader<R>,
    games: usize,
    /// Line of the first byte of the game that is being read.
    line: usize,
    is_skipping: bool,
    is_done: bool,
    /// What the reader said behind the text so far.
    failure: Option<io::Error>,
    state: State,
}

/// What is known of the game that is being read.
#[derive(Default)]
struct State {
    /// Text read so far, whole lines: the game, and what follows it.
    text: Vec<u8>,
    /// Where the game begins in the text.
    game: usize,
    /// Where its first tag, comment or move stands.
    lead: Option<usize>,
    /// Up to where the text has been looked through.
    at: usize,
    /// End of the line in which that is.
    line_end: usize,
    phase: Phase,
    /// Names of its tags.
    names: HashSet<Box<[u8]>>,
    /// Number of its malformed tags.
    malformed: usize,
    /// An empty line follows the last tag.
    is_gap: bool,
    /// The value of the last tag has no closing quote.
    is_open: bool,
    /// Where text begins that follows the last tag without an empty line. The next lines say whether it is text or moves.
    text_in_tags: Option<usize>,
    /// What stands before this place was found to be no such text.
    no_text_in_tags: usize,
    /// What was found to be such text, which the parser leaves out.
    left_out: Vec<Range<usize>>,
    /// An empty line stands before.
    is_behind_empty_line: bool,
    /// A move stands before, or what may be one.
    has_moves: bool,
    /// Variations that are open.
    variations: usize,
    comment: Option<Comment>,
    /// Opening braces of comments that are never closed, up to where they were looked for.
    unclosed: (Vec<usize>, usize),
    /// Whether the last word is a move number.
    is_behind_number: bool,
    /// The last word was `0-0`, castling or a result.
    may_have_ended: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    /// Nothing yet but comments.
    #[default]
    Start,
    /// Lines of text that is neither tags nor moves.
    Text,
    Tags,
    Moves,
    /// The result has been read.
    Ended,
}

impl<R: BufRead> GameTexts<R> {
    /// Reads PGN.
    pub fn new(reader: R) -> GameTexts<R> {
        GameTexts {
            reader: LineReader::new(reader),
            games: 0,
            line: 1,
            is_skipping: false,
            is_done: false,
            failure: None,
            state: State::default(),
        }
    }

    fn next_game(&mut self) -> io::Result<Option<GameText>> {
        self.state.begin();
        loop {
            let is_end = !self.next_line();
            if self.is_skipping && !is_end {
                let line = &self.state.text[self.state.at..];
                if !scan::is_quoted_tag(&line[scan::space(line)..]) {
                    self.advance(self.state.line_end);
                    self.state.begin();
                    continue;
                }
                self.is_skipping = false;
            }
            let is_too_long = self.state.line_end - self.state.game > MAX_GAME_BYTES;
            let cut = if is_end { None } else { self.state.scan_line() };
            // What seems to go on to the end of the file may be a comment without an end.
            let cut = cut.or_else(|| if is_end || is_too_long { self.state.give_up_comment() } else { None });
            let cut = cut.or_else(|| if is_end { self.state.give_up_text_in_tags() } else { None });
            match cut {
                Some(Cut { at, ends_game: false }) => self.state.at = at,
                Some(Cut { at, ends_game: true }) => {
                    if let Some(game) = self.finish(at, false) {
                        return Ok(Some(game));
                    }
                    self.state.begin();
                }
                None if is_end => {
                    // Of a text that is cut, a game is whole if its result is there.
                    let is_whole = self.failure.is_none() || self.state.phase == Phase::Ended;
                    let game = if is_whole { self.finish(self.state.text.len(), false) } else { None };
                    return game.map_or_else(|| self.failure.take().map_or(Ok(None), Err), |game| Ok(Some(game)));
                }
                None if is_too_long => {
                    self.is_skipping = true;
                    return Ok(self.finish(self.state.line_end, true));
                }
                None => self.state.at = self.state.line_end,
            }
        }
    }

    /// Makes sure that a line, or the rest of one, follows in the text. False at the end. A line has a limit, so that what is
    /// no text does not fill the memory.
    fn next_line(&mut self) -> bool {
        let state = &mut self.state;
        if state.at == state.line_end && state.at == state.text.len() && self.failure.is_none() {
            self.failure = self.reader.read(MAX_GAME_BYTES, &mut state.text).err();
        }
        if state.at == state.line_end {
            let rest = &state.text[state.at..];
            state.line_end = state.at + (scan::line(rest) + 1).min(rest.len());
        }
        state.at < state.line_end
    }

    /// Leaves what stands before `end` behind.
    fn advance(&mut self, end: usize) {
        let state = &mut self.state;
        self.line += scan::lines(&state.text[state.game..end]);
        (state.game, state.at) = (end, end);
    }

    /// The game that ends at `end`, if there is one.
    fn finish(&mut self, end: usize, is_too_long: bool) -> Option<GameText> {
        let state = &self.state;
        // Comments alone are no game.
        let lead = state.lead.filter(|_| state.phase != Phase::Start || state.comment.is_some());
        let game = lead.map(|lead| {
            self.games += 1;
            let line = self.line + scan::lines(&state.text[state.game..lead]);
            let bytes = state.text[lead..end].to_vec();
            let is_last = end == state.text.len() && state.phase != Phase::Ended;
            let is_behind_games =
                self.games > 1 && is_last && !bytes.split(|&byte| byte == b'\n').any(scan::begins_game);
            let left_out = state.left_out.iter().map(|text| text.start - lead..text.end - lead).collect();
            GameText { number: self.games, line, bytes, is_too_long, is_behind_games, left_out }
        });
        self.advance(end);
        game
    }
}

impl<R: BufRead> Iterator for GameTexts<R> {
    type Item = io::Result<GameText>;

    fn next(&mut self) -> Option<io::Result<GameText>> {
        if self.is_done {
            return None;
        }
        let game = self.next_game().transpose();
        self.is_done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// What a line says of the text behind a tag.
enum TextInTags {
    /// The next tag follows.
    Tag,
    /// It goes on.
    Goes,
    /// It ends with this line.
    Ends,
    /// It is no text between tags.
    Never,
}

/// Where text of another game, or text to be read anew, begins.
struct Cut {
    at: usize,
    ends_game: bool,
}

impl State {
    /// Makes ready for the next game.
    fn begin(&mut self) {
        // Games are short, so that little is moved, and seldom.
        if self.game > self.text.len() / 2 {
            self.text.drain(..self.game);
            self.at -= self.game;
            self.line_end -= self.game;
            self.game = 0;
        }
        // Clearing takes as long as there ever were tags.
        self.names = HashSet::new();
        (self.lead, self.phase) = (None, Phase::Start);
        (self.is_gap, self.is_open, self.variations, self.comment) = (false, false, 0, None);
        (self.text_in_tags, self.no_text_in_tags, self.is_behind_empty_line) = (None, self.game, false);
        self.left_out.clear();
        (self.malformed, self.unclosed) = (0, (Vec::new(), 0));
        (self.has_moves, self.is_behind_number, self.may_have_ended) = (false, false, false);
    }

    /// Looks through the line, or the rest of it.
    fn scan_line(&mut self) -> Option<Cut> {
        let is_start = self.at == 0 || self.text[self.at - 1] == b'\n';
        let first = self.at + scan::space(&self.text[self.at..self.line_end]);
        if let Some(text) = self.text_in_tags {
            match self.scan_text_in_tags(text, first) {
                TextInTags::Tag => self.leave_out(text..first),
                TextInTags::Goes => return None,
                TextInTags::Ends => {
                    self.leave_out(text..self.line_end);
                    return None;
                }
                TextInTags::Never => return self.give_up_text_in_tags(),
            }
        }
        if first == self.line_end {
            self.is_gap |= is_start && self.comment.is_none();
            self.is_behind_empty_line |= is_start;
            return None;
        }
        if is_start && self.comment.is_none() && self.text[first] == b'%' && first == self.at {
            return None;
        }
        let mut at = first;
        if self.comment.is_some() {
            if is_start
                && self.begins_like_game(first)
                && let Some(cut) = self.game_in_comment(first)
            {
                return Some(cut);
            }
        } else if is_start && self.begins_next(first) {
            return Some(Cut { at: first, ends_game: true });
        } else if is_start && self.is_text(first) {
            self.lead.get_or_insert(first);
            self.phase = Phase::Text;
            return None;
        }
        self.is_behind_empty_line = false;
        loop {
            if self.comment.is_some() {
                at = self.scan_comment(at)?;
            }
            at += scan::space(&self.text[at..self.line_end]);
            if at == self.line_end {
                return None;
            }
            if self.phase == Phase::Tags && !self.is_gap && at >= self.no_text_in_tags {
                match scan::tag_text(&self.text[at..self.line_end], self.is_open) {
                    TagText::Text => {
                        self.leave_out(at..self.line_end);
                        return None;
                    }
                    TagText::Perhaps => {
                        self.text_in_tags = Some(at);
                        return None;
                    }
                    TagText::No => {}
                }
            }
            match self.text[at] {
                b'{' => {
                    self.lead.get_or_insert(at);
                    self.comment = Some(Comment {
                        depth: 1,
                        is_nested: false,
                        is_unclosed: at < self.unclosed.1 && self.unclosed.0.binary_search(&at).is_ok(),
                        first_close: None,
                        first_game: None,
                    });
                    at += 1;
                }
                b';' => return None,
                b'(' => {
                    self.begin_moves(at);
                    self.variations += 1;
                    at += 1;
                }
                b')' => {
                    self.begin_moves(at);
                    self.variations = self.variations.saturating_sub(1);
                    at += 1;
                }
                b'[' => match self.scan_tag(at) {
                    Ok(end) => at = end,
                    Err(cut) => return Some(cut),
                },
                _ => match self.scan_word(at) {
                    Ok(end) => at = end,
                    Err(cut) => return Some(cut),
                },
            }
        }
    }

    /// What the line whose first word stands at `first` says of the text that began at `text`, behind a tag.
    fn scan_text_in_tags(&self, text: usize, first: usize) -> TextInTags {
        let line = &self.text[first..self.line_end];
        if let Some(tag) = scan::tag(line).filter(|tag| tag.is_quoted) {
            let is_other_game = self.names.contains(&line[tag.name]);
            return if is_other_game { TextInTags::Never } else { TextInTags::Tag };
        }
        match scan::tag_text(line, self.is_open) {
            _ if line.is_empty() || self.line_end - text > MAX_TEXT_IN_TAGS => TextInTags::Never,
            TagText::Text => TextInTags::Ends,
            TagText::Perhaps => TextInTags::Goes,
            TagText::No => TextInTags::Never,
        }
    }

    /// What follows a tag is text.
    fn leave_out(&mut self, text: Range<usize>) {
        self.text_in_tags = None;
        self.left_out.push(text);
    }

    /// What follows a tag is no text: it is read anew.
    fn give_up_text_in_tags(&mut self) -> Option<Cut> {
        let at = self.text_in_tags.take()?;
        (self.no_text_in_tags, self.line_end) = (at + 1, at);
        Some(Cut { at, ends_game: false })
    }

    /// Whether a line begins the next game: behind a result everything but a comment or the result once more, behind `0-0`, or
    /// moves and an empty line, a first move.
    fn begins_next(&self, first: usize) -> bool {
        let line = &self.text[first..self.line_end];
        match self.phase {
            Phase::Ended => {
                let word = plain(&line[..scan::word(line)]);
                line[0] != b';' && !is_both_lose(&word) && !matches!(Marker::split(&word), Some(([], _)))
            }
            Phase::Moves => {
                let may_be_next =
                    self.may_have_ended || self.is_behind_empty_line && self.has_moves && self.variations == 0;
                may_be_next && line.starts_with(b"1.") && !line.starts_with(b"1...")
            }
            _ => false,
        }
    }

    /// Whether a line is text before a game.
    fn is_text(&self, first: usize) -> bool {
        let line = &self.text[first..self.line_end];
        match self.phase {
            Phase::Start => !matches!(line[0], b'{' | b';' | b'[') && !scan::begins_moves(line),
            Phase::Text => !scan::begins_game(line),
            _ => false,
        }
    }

    fn begin_moves(&mut self, at: usize) {
        self.lead.get_or_insert(at);
        if self.phase != Phase::Ended {
            self.phase = Phase::Moves;
        }
    }

    /// A tag pair, or a word that begins like one. Its end, or where the next game begins.
    fn scan_tag(&mut self, at: usize) -> Result<usize, Cut> {
        let in_tags = matches!(self.phase, Phase::Start | Phase::Text | Phase::Tags);
        let is_limited = in_tags && self.malformed < MAX_MALFORMED_TAGS;
        // Among moves most brackets are none, and soon passed.
        let text = &self.text[at..self.line_end];
        let Some(tag) = (if is_limited || scan::is_quoted_tag(text) { scan::tag(text) } else { None }) else {
            return self.scan_word(at);
        };
        let name = &self.text[at + tag.name.start..at + tag.name.end];
        if !in_tags || self.is_gap && self.names.contains(name) {
            return Err(Cut { at, ends_game: true });
        }
        if tag.value.is_some() {
            self.names.insert(name.into());
        } else {
            self.malformed += 1;
        }
        self.lead.get_or_insert(at);
        self.phase = Phase::Tags;
        (self.is_gap, self.is_open) = (false, tag.is_open());
        Ok(at + tag.end)
    }

    /// A word among the moves. Its end, or where the next game begins.
    fn scan_word(&mut self, at: usize) -> Result<usize, Cut> {
        let length = scan::word(&self.text[at..self.line_end]).max(1);
        let word = plain(&self.text[at..at + length]);
        let marker = Marker::split(&word);
        if self.variations > 0 {
            self.begin_moves(at);
        } else if self.phase == Phase::Ended {
            // Judgements may follow the result, and the result once more.
            let is_result = is_both_lose(&word) || matches!(marker, Some(([], _)));
            if !is_result && !matches!(word.first(), Some(b'$' | b'!' | b'?')) {
                return Err(Cut { at, ends_game: true });
            }
        } else {
            let (ends, both_lose) = (marker.is_some(), is_both_lose(&word));
            if !word.starts_with(b"$") {
                self.may_have_ended = both_lose && !self.is_behind_number;
                self.is_behind_number = word.first().is_some_and(u8::is_ascii_digit) && word.ends_with(b".");
                self.has_moves |= !self.is_behind_number;
            }
            self.lead.get_or_insert(at);
            self.phase = if ends { Phase::Ended } else { Phase::Moves };
        }
        Ok(at + length)
    }
}
