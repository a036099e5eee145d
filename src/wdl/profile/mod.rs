//! Level profiles: win, draw and loss for the game being watched.
//!
//! What a search finds counts for more or less than an evaluation would, as it has seen much or little: [`Nominal`] says
//! what it stands for in games between equals of the engine's strength, for scores and probabilities as they are printed.
//! Weaker players and faster games turn an advantage less surely into a win, and draw more or less often; that is for a
//! profile of their own to say, in place of the nominal one and for printed probabilities alone. In the terms of the draw
//! model all this is a factor on `w`, an offset on `d`, and what else games have shown. The search knows nothing of it.
//!
//! ```
//! use halfpoint::wdl::model::Wdl;
//! use halfpoint::wdl::profile::{Traits, Profile};
//! use shakmaty::{Board, Color};
//!
//! let nominal = Wdl::from_scores(3.0, 0.0); // three pawns up
//! let club = Profile { wilo_factor: 0.5, draw_offset: -1.0, ..Profile::PLAIN };
//! let printed = club.apply(nominal, Traits::of(&Board::default(), Color::White, 0));
//! assert!(printed.draw < nominal.draw && printed.loss > nominal.loss);
//! ```

mod pace;

pub use pace::Pace;

use crate::wdl::model::{self, Wdl};
use once_cell::sync::Lazy;
use serde::Deserialize;
use shakmaty::{Board, Color};
use thiserror::Error;
use toml::{Table, Value};

/// The profiles that ship with the engine.
const SHIPPED: &str = include_str!("../../../engine-params/profiles.toml");

/// The profile of the engine's own games.
const OWN: &str = include_str!("../../../engine-params/nominal.toml");

/// The name that stands for the engine's own games.
pub const NOMINAL: &str = "nominal";

/// The name that stands for the search's probabilities as they are.
pub const UNCORRECTED: &str = "uncorrected";

/// The name that stands for the first profile of a file, whatever it is called: clients may refuse names that the engine
/// has not declared.
pub const FROM_FILE: &str = "file";

/// Probability that win, draw and loss have at least before a profile is applied: `w` and `d` of a certainty would be
/// infinite.
pub const FLOOR: f64 = 0.0005;

/// The same before the nominal profile, which has to tell large advantages apart; certain draws are apart anyway.
const FINE_FLOOR: f64 = 1e-9;

/// Part of a search's nodes after which its last line is printed, on average (0.71 to 0.75 for limits of 1,000 to 200,000
/// nodes): the last iteration is cut off.
const LAST_LINE: f64 = 0.73;

/// `d` of a draw by the rules with all men on the board, unless a profile knows better: about what it is in the engine's own
/// games, logits.
const CERTAIN: f64 = 0.0;

/// What is added to it as men leave the board, unless a profile knows better.
const CERTAIN_ENDGAME: f64 = 4.5;

/// `w` of a mate in sight, unless a profile knows better: certain, pawns.
const MATE: f64 = 20.0;

/// `d` of a mate in sight, unless a profile knows better: never drawn, logits.
const MATE_DRAW: f64 = -10.0;

/// Moves from which on a mate counts as no farther.
const FAR_MATE: u32 = 10;

/// Plies without a capture or a move of a pawn from which on more of them tell nothing more.
const IDLE: u32 = 16;

/// Size of `v` up to which it is near even, pawns.
const NEAR: f64 = 2.0;

/// Pawns from which on `w` is bent.
const BEND: f64 = 3.0;

/// How far beyond the ratings of a pace's own profiles those of its neighbour count, Elo. Set by hand, not measured.
const BEYOND: f64 = 150.0;

/// Largest size of a number in a profile.
const LIMIT: f64 = 100.0;

/// Material of the start position.
const FULL_MATERIAL: f64 = 78.0;

/// Men of both sides: pawns 1, knights and bishops 3, rooks 5, queens 9; 78 in the start position.
#[must_use]
pub fn material(board: &Board) -> u32 {
    let minors = board.knights() | board.bishops();
    let count = board.pawns().count() + 3 * minors.count() + 5 * board.rooks().count() + 9 * board.queens().count();
    count as u32
}

/// What profiles look at in the position searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// As [`material`] counts.
    pub material: u32,
    /// Whether the side to move, and the other, has more than its king.
    pub can_win: [bool; 2],
    /// Plies since the last capture or move of a pawn.
    pub clock: u32,
}

impl Traits {
    /// Of a board with the side to move and the plies since the last capture or move of a pawn.
    #[must_use]
    pub fn of(board: &Board, turn: Color, clock: u32) -> Traits {
        let can_win = [turn, !turn].map(|color| board.by_color(color).count() > 1);
        Traits { material: material(board), can_win, clock }
    }

    /// From 0 with all men to 1 with bare kings.
    fn endgame(self) -> f64 {
        1.0 - (f64::from(self.material) / FULL_MATERIAL).min(1.0)
    }

    /// From 0 after a capture or a move of a pawn to 1 when there was none for long.
    fn idle(self) -> f64 {
        f64::from(self.clock.min(IDLE)) / f64::from(IDLE)
    }

    /// A bare king does not win: what is left of that is a draw.
    fn possible(self, mut wdl: Wdl) -> Wdl {
        for (can_win, wins) in self.can_win.into_iter().zip([&mut wdl.win, &mut wdl.loss]) {
            if !can_win {
                wdl.draw += std::mem::take(wins);
            }
        }
        wdl
    }
}

/// `w` as it counts for profiles: what a search takes for a large advantage is the more often an error.
fn bent(wilo: f64) -> f64 {
    (BEND * (wilo.abs() / BEND).ln_1p()).copysign(wilo)
}

/// How much of an advantage of so many pawns is near even: all of a small one, no more than two pawns of a large one.
#[must_use]
pub fn near_even(wilo: f64) -> f64 {
    wilo.abs() + NEAR - wilo.hypot(NEAR)
}

/// How a search comes to its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sight {
    /// By an evaluation.
    Estimate,
    /// By a draw by the rules, a repetition above all; not merely a dead drawn position.
    Draw,
    /// By a mate.
    Mate {
        /// 1 if the side to move mates, -1 if it is mated.
        side: f64,
        /// `ln n` of a [`Profile`].
        distance: f64,
    },
}

/// A position as profiles see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// `v` of a [`Profile`], in pawns.
    pub wilo: f64,
    /// `d`, in logits.
    pub draw: f64,
    /// From 0 with all men to 1 with bare kings.
    pub endgame: f64,
    /// From 0 after a capture or a move of a pawn to 1 when there was none for long.
    pub idle: f64,
    /// Where they come from.
    pub sight: Sight,
}

impl Scores {
    /// From the engine's probabilities, none of which counts as less than [`FLOOR`], and the men.
    #[must_use]
    pub fn new(wdl: Wdl, traits: Traits) -> Scores {
        Scores::with_floor(wdl, traits, FLOOR)
    }

    /// Of a mate in so many moves, negative if the side to move is mated.
    #[must_use]
    pub fn mate(moves: i32, traits: Traits) -> Scores {
        let side = if moves > 0 { 1.0 } else { -1.0 };
        let distance = f64::from(moves.unsigned_abs().clamp(1, FAR_MATE)).ln();
        let (endgame, idle) = (traits.endgame(), traits.idle());
        Scores { wilo: side * MATE, draw: MATE_DRAW, endgame, idle, sight: Sight::Mate { side, distance } }
    }

    fn with_floor(wdl: Wdl, traits: Traits, floor: f64) -> Scores {
        let sight = if wdl.draw >= 1.0 { Sight::Draw } else { Sight::Estimate };
        let [win, draw, loss] = [wdl.win, wdl.draw, wdl.loss].map(|p| p.max(floor));
        let sum = win + draw + loss;
        let (wilo, d) = model::invert((win + draw / 2.0) / sum, draw / sum);
        Scores { wilo: bent(wilo), draw: d, endgame: traits.endgame(), idle: traits.idle(), sight }
    }
}

/// What a level and time control make of the engine's scores:
///
/// ```text
/// w' = (wilo_factor + wilo_endgame·e + wilo_behind·b + wilo_draw·D)·v + wilo_turn·(1 − e)
/// d' = (draw_factor + draw_factor_endgame·e)·d + draw_offset + draw_endgame·e + draw_late·e³ + draw_idle·i
///    + (draw_wilo + draw_sharp·(1 − D) + draw_behind·b)·|v| + draw_near·(1 − D)·(|v| + 2 − √(v² + 4))
/// ```
///
/// with v = 3·ln(1 + |w|/3) of the sign of w, e from 0 (all men) to 1 (bare kings), b = 1 where w is negative, i from 0 to 1
/// as the last 16 plies were without a capture or a move of a pawn, and D the probability of a draw before the profile.
/// Where the search sees a draw by the rules, a repetition above all, others may well play on:
///
/// ```text
/// w' = 0
/// d' = draw_certain + draw_certain_endgame·e
/// ```
///
/// And where it sees a mate in n moves (10 at most), they may miss it:
///
/// ```text
/// w' = ±(wilo_mate + wilo_mate_moves·ln n)
/// d' = draw_mate + draw_mate_moves·ln n
/// ```
///
/// A bare king does not win: that probability goes to the draw.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Mean rating of the players, Elo; none if that tells nothing.
    pub elo: Option<f64>,
    /// How fast the players play; none if that tells nothing.
    pub time_control: Option<Pace>,
    /// Factor on `v`.
    pub wilo_factor: f64,
    /// Added to the factor on `v` as men leave the board.
    #[serde(default)]
    pub wilo_endgame: f64,
    /// Added to the factor on `v` where the side to move is behind: its search is the more hopeful the less it sees.
    #[serde(default)]
    pub wilo_behind: f64,
    /// Added to `w` for the side to move with all men on the board, pawns, for the same reason.
    #[serde(default)]
    pub wilo_turn: f64,
    /// Added to the factor on `v` as the draw is likely, before the profile; never positive, so that a better position never
    /// counts for less.
    #[serde(default)]
    pub wilo_draw: f64,
    /// Added to `d`, logits.
    pub draw_offset: f64,
    /// Factor on `d`.
    #[serde(default = "one")]
    pub draw_factor: f64,
    /// Added to the factor on `d` as men leave the board.
    #[serde(default)]
    pub draw_factor_endgame: f64,
    /// Added to `d` as men leave the board, logits.
    #[serde(default)]
    pub draw_endgame: f64,
    /// Added to `d` when few men are left, logits.
    #[serde(default)]
    pub draw_late: f64,
    /// Added to `d` when there was no capture and no move of a pawn for 16 plies, in proportion before that, logits.
    #[serde(default)]
    pub draw_idle: f64,
    /// Added to `d` for each pawn of `v` of either sign, logits; never positive, so that an advantage never counts for
    /// a draw.
    #[serde(default)]
    pub draw_wilo: f64,
    /// Added to `draw_wilo` as the draw is unlikely, before the profile; never positive. Where a draw is all but certain an
    /// advantage says little about it.
    #[serde(default)]
    pub draw_sharp: f64,
    /// Added to `draw_sharp` near `v` = 0, and the less the larger `v` is; their sum is never positive. A small advantage may
    /// say less about draws than a large one, pawn for pawn.
    #[serde(default)]
    pub draw_near: f64,
    /// Added to `draw_wilo` where the side to move is behind, which hopes for draws, too.
    #[serde(default)]
    pub draw_behind: f64,
    /// `d` where the search sees a draw by the rules, logits.
    #[serde(default = "certain")]
    pub draw_certain: f64,
    /// Added to `draw_certain` as men leave the board, logits.
    #[serde(default = "certain_endgame")]
    pub draw_certain_endgame: f64,
    /// `w` of the side that mates where the search sees a mate in one, pawns.
    #[serde(default = "mate")]
    pub wilo_mate: f64,
    /// Added to `wilo_mate` for each e-fold of the moves to mate, pawns.
    #[serde(default)]
    pub wilo_mate_moves: f64,
    /// `d` where the search sees a mate in one, logits.
    #[serde(default = "mate_draw")]
    pub draw_mate: f64,
    /// Added to `draw_mate` for each e-fold of the moves to mate, logits.
    #[serde(default)]
    pub draw_mate_moves: f64,
    /// How it was fitted; for the reader.
    pub fit: Option<Table>,
}

fn one() -> f64 {
    1.0
}

fn certain() -> f64 {
    CERTAIN
}

fn certain_endgame() -> f64 {
    CERTAIN_ENDGAME
}

fn mate() -> f64 {
    MATE
}

fn mate_draw() -> f64 {
    MATE_DRAW
}

/// Numbers of a profile.
pub const NUMBERS: usize = 21;

/// Their names in the file, in the order of [`Profile::numbers`].
pub const NAMES: [&str; NUMBERS] = [
    "wilo_factor",
    "wilo_endgame",
    "wilo_behind",
    "wilo_turn",
    "wilo_draw",
    "draw_offset",
    "draw_factor",
    "draw_factor_endgame",
    "draw_endgame",
    "draw_late",
    "draw_idle",
    "draw_wilo",
    "draw_sharp",
    "draw_near",
    "draw_behind",
    "draw_certain",
    "draw_certain_endgame",
    "wilo_mate",
    "wilo_mate_moves",
    "draw_mate",
    "draw_mate_moves",
];

/// Whether a number says what a mate in sight is worth, by its place.
#[must_use]
pub fn is_of_mates(number: usize) -> bool {
    NAMES[number].contains("mate")
}

impl Profile {
    /// Factors of one and nothing added: small advantages stay as they are, large ones are bent.
    pub const PLAIN: Profile = Profile {
        description: String::new(),
        elo: None,
        time_control: None,
        wilo_factor: 1.0,
        wilo_endgame: 0.0,
        wilo_behind: 0.0,
        wilo_turn: 0.0,
        wilo_draw: 0.0,
        draw_offset: 0.0,
        draw_factor: 1.0,
        draw_factor_endgame: 0.0,
        draw_endgame: 0.0,
        draw_late: 0.0,
        draw_idle: 0.0,
        draw_wilo: 0.0,
        draw_sharp: 0.0,
        draw_near: 0.0,
        draw_behind: 0.0,
        draw_certain: CERTAIN,
        draw_certain_endgame: CERTAIN_ENDGAME,
        wilo_mate: MATE,
        wilo_mate_moves: 0.0,
        draw_mate: MATE_DRAW,
        draw_mate_moves: 0.0,
        fit: None,
    };

    /// What is fitted, in the order of [`NAMES`].
    #[must_use]
    pub fn numbers(&self) -> [f64; NUMBERS] {
        self.clone().slots().map(|number| *number)
    }

    /// A profile of these numbers.
    #[must_use]
    pub fn from_numbers(numbers: [f64; NUMBERS]) -> Profile {
        let mut profile = Profile::PLAIN;
        profile.slots().into_iter().zip(numbers).for_each(|(slot, number)| *slot = number);
        profile
    }

    fn slots(&mut self) -> [&mut f64; NUMBERS] {
        [
            &mut self.wilo_factor,
            &mut self.wilo_endgame,
            &mut self.wilo_behind,
            &mut self.wilo_turn,
            &mut self.wilo_draw,
            &mut self.draw_offset,
            &mut self.draw_factor,
            &mut self.draw_factor_endgame,
            &mut self.draw_endgame,
            &mut self.draw_late,
            &mut self.draw_idle,
            &mut self.draw_wilo,
            &mut self.draw_sharp,
            &mut self.draw_near,
            &mut self.draw_behind,
            &mut self.draw_certain,
            &mut self.draw_certain_endgame,
            &mut self.wilo_mate,
            &mut self.wilo_mate_moves,
            &mut self.draw_mate,
            &mut self.draw_mate_moves,
        ]
    }

    /// Win, draw and loss at this level, from the engine's own and the men on the board.
    #[must_use]
    pub fn apply(&self, wdl: Wdl, traits: Traits) -> Wdl {
        self.predict(Scores::new(wdl, traits), traits)
    }

    /// The same from what the engine says, and the men on the board.
    #[must_use]
    pub fn predict(&self, scores: Scores, traits: Traits) -> Wdl {
        traits.possible(self.of_scores(scores))
    }

    /// The factor on `v` where the search takes `drawn` for the probability of a draw.
    fn factor(&self, wilo: f64, endgame: f64, drawn: f64) -> f64 {
        let behind = if wilo < 0.0 { self.wilo_behind } else { 0.0 };
        self.wilo_factor + self.wilo_endgame * endgame + behind + self.wilo_draw * drawn
    }

    /// The least that the factor on `v` can be.
    fn least_factor(&self) -> f64 {
        let added = [self.wilo_endgame, self.wilo_behind, self.wilo_draw];
        self.wilo_factor + added.iter().map(|x| x.min(0.0)).sum::<f64>()
    }

    /// `w` of the side that mates.
    fn mate(&self, distance: f64) -> f64 {
        self.wilo_mate + self.wilo_mate_moves * distance
    }

    fn of_scores(&self, Scores { wilo, draw, endgame, idle, sight }: Scores) -> Wdl {
        let (wilo, draw) = match sight {
            Sight::Estimate => {
                let drawn = model::sigmoid(draw);
                (
                    self.factor(wilo, endgame, drawn) * wilo + self.wilo_turn * (1.0 - endgame),
                    (self.draw_factor + self.draw_factor_endgame * endgame) * draw
                        + self.draw_offset
                        + self.draw_endgame * endgame
                        + self.draw_late * endgame.powi(3)
                        + self.draw_idle * idle
                        + (self.draw_wilo + self.draw_sharp * (1.0 - drawn)) * wilo.abs()
                        + self.draw_near * (1.0 - drawn) * near_even(wilo)
                        + self.draw_behind * (-wilo).max(0.0),
                )
            }
            Sight::Draw => (0.0, self.draw_certain + self.draw_certain_endgame * endgame),
            Sight::Mate { side, distance } => {
                (side * self.mate(distance), self.draw_mate + self.draw_mate_moves * distance)
            }
        };
        Wdl::from_scores(wilo, draw)
    }

    /// What is wrong with the numbers, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        if self.numbers().iter().chain(&self.elo).any(|number| !number.is_finite()) {
            Some("a number is not finite")
        } else if self.numbers().iter().any(|number| number.abs() > LIMIT) {
            Some("a number is above 100 or below -100")
        } else if self.least_factor() <= 0.0 {
            Some("wilo_factor must be positive, and so with any of wilo_endgame, wilo_behind and wilo_draw added")
        } else if self.draw_factor < 0.0 || self.draw_factor + self.draw_factor_endgame < 0.0 {
            Some("draw_factor must not be negative, nor with draw_factor_endgame added")
        } else if self.draw_wilo.max(self.draw_wilo + self.draw_behind) > 0.0 {
            Some("draw_wilo must not be positive, nor with draw_behind added")
        } else if self.draw_sharp.max(self.draw_sharp + self.draw_near) > 0.0 {
            Some("draw_sharp must not be positive, nor with draw_near added")
        } else if self.wilo_draw > 0.0 {
            Some("wilo_draw must not be positive")
        } else if self.mate(0.0).min(self.mate(f64::from(FAR_MATE).ln())) <= 0.0 {
            Some("wilo_mate must be positive, and so with wilo_mate_moves for ten moves added")
        } else {
            None
        }
    }
}

/// What the score of a search stands for in games of the engine against itself.
///
/// The more nodes a search has, the more its score says. There is a profile for each of some limits of nodes. Between
/// them all numbers go with the logarithm of the nodes, beyond them the nearest profile holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Nominal {
    /// The profiles with the natural logarithms of their nodes, which ascend; at least one.
    by_nodes: Vec<(f64, Profile)>,
}

impl Nominal {
    /// The one that ships with the engine.
    #[must_use]
    pub fn shipped() -> &'static Nominal {
        static NOMINAL: Lazy<Nominal> = Lazy::new(|| Nominal::from_toml(OWN).expect("a test reads the embedded file"));
        &NOMINAL
    }

    /// Reads profiles whose names are numbers of nodes.
    ///
    /// # Errors
    ///
    /// [`ProfilesError`] that says what is wrong.
    pub fn from_toml(text: &str) -> Result<Nominal, ProfilesError> {
        let mut by_nodes = Vec::new();
        for (name, profile) in read_profiles(text)? {
            let wrong = |reason: &str| ProfilesError::Content { name: name.clone(), reason: reason.to_owned() };
            let nodes = name.parse::<u64>().ok().filter(|&nodes| nodes > 0 && nodes.to_string() == name);
            let nodes = nodes.ok_or_else(|| wrong("its name is no number of nodes"))?;
            if profile.elo.is_some() || profile.time_control.is_some() {
                return Err(wrong("elo and time_control do not belong here"));
            }
            let plain = Profile::PLAIN.numbers();
            if (0..NUMBERS).any(|number| is_of_mates(number) && profile.numbers()[number] != plain[number]) {
                return Err(wrong("mates are certain here"));
            }
            by_nodes.push(((nodes as f64).ln(), profile));
        }
        by_nodes.sort_by(|a, b| a.0.total_cmp(&b.0));
        if by_nodes.is_empty() { Err(ProfilesError::Empty) } else { Ok(Nominal { by_nodes }) }
    }

    /// Win, draw and loss for what a search prints after `nodes`.
    #[must_use]
    pub fn apply(&self, wdl: Wdl, traits: Traits, nodes: u64) -> Wdl {
        let scores = Scores::with_floor(wdl, traits, FINE_FLOOR);
        traits.possible(self.at((nodes as f64 / LAST_LINE).max(1.0)).of_scores(scores))
    }

    /// The nearest profile of searches with fewer nodes, if there is one.
    #[must_use]
    pub fn below(&self, limit: u64) -> Option<&Profile> {
        let place = (limit as f64).ln();
        self.by_nodes.iter().rev().find(|(at, _)| *at < place).map(|(_, profile)| profile)
    }

    /// The profile of searches with this limit of nodes.
    #[must_use]
    pub fn at(&self, limit: f64) -> Profile {
        let places: Vec<_> = self.by_nodes.iter().map(|(place, profile)| (*place, profile)).collect();
        between(&places, limit.ln()).unwrap_or(Profile::PLAIN)
    }
}

/// The numbers at a place between profiles at ascending places, or those of the nearest; `None` without profiles.
fn between(profiles: &[(f64, &Profile)], place: f64) -> Option<Profile> {
    let above = profiles.partition_point(|&(at, _)| at < place);
    let (low, high) = (profiles.get(above.saturating_sub(1))?, profiles.get(above).or(profiles.last())?);
    let part = if high.0 > low.0 { ((place - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) } else { 0.0 };
    let (a, b) = (low.1.numbers(), high.1.numbers());
    Some(Profile::from_numbers(std::array::from_fn(|i| a[i] + part * (b[i] - a[i]))))
}

/// Profiles by name, in the order of their file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profiles(Vec<(String, Profile)>);

/// What is wrong with a file of profiles.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ProfilesError {
    /// Not TOML.
    #[error("line {line}: {reason}")]
    Syntax {
        /// Line of the file, from 1.
        line: usize,
        /// What the parser says.
        reason: String,
    },
    /// A name that cannot be chosen.
    #[error(
        "'{0}' cannot be the name of a profile here: letters, digits, '-' and '_' only, not 'nominal', \
         'uncorrected' or 'file'"
    )]
    Name(String),
    /// Two names that differ by their case alone.
    #[error("'{0}' and '{1}' are the same name")]
    Twice(String, String),
    /// No profile where there must be one.
    #[error("there is no profile")]
    Empty,
    /// A profile that lacks something, or has something that no profile has, or numbers that make no sense.
    #[error("profile '{name}': {reason}")]
    Content {
        /// The profile.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Profiles {
    /// The profiles that ship with the engine.
    #[must_use]
    pub fn shipped() -> Profiles {
        Profiles::from_toml(SHIPPED).expect("a test reads the embedded file")
    }

    /// Reads one table for each profile.
    ///
    /// # Errors
    ///
    /// [`ProfilesError`] that says which profile is wrong, and how.
    pub fn from_toml(text: &str) -> Result<Profiles, ProfilesError> {
        let profiles = read_profiles(text)?;
        for (index, (name, _)) in profiles.iter().enumerate() {
            if !is_name(name) {
                return Err(ProfilesError::Name(name.clone()));
            }
            if let Some((other, _)) = profiles[..index].iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
                return Err(ProfilesError::Twice(other.clone(), name.clone()));
            }
        }
        Ok(Profiles(profiles))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The profile of a name, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Profile> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, profile)| profile)
    }

    /// The first profile.
    #[must_use]
    pub fn first(&self) -> Option<&Profile> {
        self.0.first().map(|(_, profile)| profile)
    }

    /// The profile for players of a rating who play at a pace: between the rated profiles below and above, or the nearest;
    /// `None` if there are none. They are those for this pace or for any, and well beyond their ratings those for the pace
    /// next to it.
    #[must_use]
    pub fn at_elo(&self, elo: f64, pace: Pace) -> Option<Profile> {
        let mut known = self.rated(|of| of.is_none_or(|of| of == pace));
        let range = |(low, high): (f64, f64), (elo, _): &(f64, _)| (low.min(*elo), high.max(*elo));
        let (lowest, highest) = known.iter().fold((f64::INFINITY, f64::NEG_INFINITY), range);
        let nearby = self.rated(|of| of.is_some() && of == pace.neighbour());
        known.extend(nearby.into_iter().filter(|(elo, _)| *elo < lowest - BEYOND || *elo > highest + BEYOND));
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(Profile { elo: Some(elo), ..between(&known, elo)? })
    }

    /// Profiles with a rating whose time control suits, and their ratings.
    fn rated(&self, suits: impl Fn(Option<Pace>) -> bool) -> Vec<(f64, &Profile)> {
        let profiles = self.0.iter().map(|(_, profile)| profile).filter(|profile| suits(profile.time_control));
        profiles.filter_map(|profile| Some((profile.elo?, profile))).collect()
    }
}

/// Names and profiles, in the order of the text.
fn read_profiles(text: &str) -> Result<Vec<(String, Profile)>, ProfilesError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| ProfilesError::Syntax {
        line: error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count()),
        reason: error.message().to_owned(),
    })?;
    let mut profiles = Vec::new();
    for (name, value) in table {
        let wrong = |reason: String| ProfilesError::Content { name: name.clone(), reason };
        let Value::Table(table) = value else { return Err(wrong("it is no table".to_owned())) };
        let profile: Profile = table.try_into().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        if let Some(fault) = profile.fault() {
            return Err(wrong(fault.to_owned()));
        }
        profiles.push((name, profile));
    }
    Ok(profiles)
}

/// Whether a profile may have this name.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_taken = [NOMINAL, UNCORRECTED, FROM_FILE].iter().any(|taken| name.eq_ignore_ascii_case(taken));
    !name.is_empty() && name.chars().all(allowed) && !is_taken
}

#[cfg(test)]
mod tests;
