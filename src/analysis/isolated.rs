//! Names among other text, whichever way they are written.

use std::borrow::Cow;

/// FIRST STRONG ISOLATE, which begins a text with a direction of its own.
const BEGIN: char = '\u{2068}';
/// POP DIRECTIONAL ISOLATE, which ends it.
const END: char = '\u{2069}';

/// A name so that it does not turn the text around it: `אבג 1-0` is shown with the result on the left. A name that cannot do
/// so stays as it is. Marks and controls of the direction are left out: they could end the isolation.
///
/// ```
/// use halfpoint::analysis::isolated;
///
/// assert_eq!(isolated("Tal, M."), "Tal, M.");
/// assert_eq!(isolated("טל"), "\u{2068}טל\u{2069}");
/// assert_eq!(isolated("\u{202e}laT"), "laT");
/// ```
#[must_use]
pub fn isolated(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return Cow::Borrowed(name);
    }
    let text: String = name.chars().filter(|&c| !is_direction(c)).collect();
    if text.chars().any(is_right_to_left) { format!("{BEGIN}{text}{END}").into() } else { text.into() }
}

/// Marks, embeddings, overrides and isolates.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a letter may be of a script from right to left: the blocks that Unicode keeps for them.
fn is_right_to_left(c: char) -> bool {
    matches!(
        c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'
    )
}
