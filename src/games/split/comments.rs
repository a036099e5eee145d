//! Comments in braces, and those that have no end.

use super::{Cut, State};
use crate::games::scan;

/// A comment in braces that is open.
pub(super) struct Comment {
    pub depth: usize,
    /// There is a brace within.
    pub is_nested: bool,
    /// Its braces do not balance, so that the first closing one ends it.
    pub is_unclosed: bool,
    /// Behind its first closing brace.
    pub first_close: Option<usize>,
    /// A line within that looks like the first one of a game.
    pub first_game: Option<usize>,
}

impl State {
    /// Goes on in a comment to its end; none if it goes on in the next line.
    pub(super) fn scan_comment(&mut self, at: usize) -> Option<usize> {
        let comment = self.comment.as_mut()?;
        for (place, byte) in self.text[..self.line_end].iter().enumerate().skip(at) {
            match byte {
                b'{' => {
                    comment.depth += 1;
                    comment.is_nested = true;
                }
                b'}' => {
                    comment.depth -= 1;
                    comment.first_close.get_or_insert(place + 1);
                    if comment.depth == 0 || comment.is_unclosed {
                        self.comment = None;
                        return Some(place + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether a line looks like the first one of a game.
    pub(super) fn begins_like_game(&self, at: usize) -> bool {
        let line = &self.text[at..self.line_end];
        scan::is_quoted_tag(line) || self.is_behind_empty_line && line.starts_with(b"1.")
    }

    /// A line in a comment looks like the first one of a game. It may be cited, or the comment has no end.
    pub(super) fn game_in_comment(&mut self, at: usize) -> Option<Cut> {
        let comment = self.comment.as_mut()?;
        if comment.is_nested && (comment.first_close.is_some() || comment.first_game.is_some()) {
            return self.give_up_comment();
        }
        comment.first_game.get_or_insert(at);
        None
    }

    /// An open comment that has no end of its own: it ended with its first closing brace, or should have ended before the game
    /// within.
    pub(super) fn give_up_comment(&mut self) -> Option<Cut> {
        let comment = self.comment.as_ref()?;
        let cut = match (comment.first_close, comment.first_game) {
            (Some(close), None) => Cut { at: close, ends_game: false },
            (Some(close), Some(tag)) if close < tag => Cut { at: close, ends_game: false },
            (_, Some(tag)) => Cut { at: tag, ends_game: true },
            (None, None) => return None,
        };
        if !cut.ends_game {
            self.comment = None;
            // So that those behind it are not read to here again.
            if self.unclosed.1 <= cut.at {
                self.unclosed = (scan::unclosed(&self.text[..self.line_end], cut.at), self.line_end);
            }
        }
        // The cut is in an earlier line.
        self.line_end = cut.at;
        Some(cut)
    }
}
