//! Weights that are not fitted: those that say what the data cannot.

use super::vector::Vector;
use halfpoint::eval::tuning::terms::{Feature, TERMS, Term};
use std::fmt;
use std::str::FromStr;

/// What is fixed unless the options say otherwise. Games tell that a bare king may escape with a draw, but a search that
/// believes it does not see the way to the mate; and the weights of endings are fitted to tables, or set by positions that
/// games hardly have.
pub const DEFAULT: &str = "mating_force,bare_king_edge:draw,bare_king_distance:draw,bare_king_corner,locked,\
    opposite_bishops_held,rook_before_passer,known_draw,known_win,mate_time,material_duel,duel_time,\
    queen_against_pawn,rook_against_pawn,rook_against_minor,queen_against_rook";

/// Stands for an empty list.
const NONE: &str = "none";

/// Terms whose weights stay as they are, each in one vector or in both.
#[derive(Clone, Debug)]
pub struct Fixed(Vec<(&'static Term, Option<Vector>)>);

impl Fixed {
    /// Whether the weights of a feature in `vector` stay as they are.
    pub fn fixes(&self, vector: Vector, feature: Feature) -> bool {
        self.0.iter().any(|&(term, of)| {
            of.is_none_or(|of| of == vector) && (term.offset..term.offset + term.len).contains(&feature)
        })
    }
}

impl FromStr for Fixed {
    type Err = String;

    fn from_str(text: &str) -> Result<Fixed, String> {
        if text == NONE {
            return Ok(Fixed(Vec::new()));
        }
        let item = |item: &str| {
            let (name, vector) = item.split_once(':').map_or((item, None), |(name, vector)| (name, Some(vector)));
            let term = TERMS.iter().find(|term| term.name == name).ok_or_else(|| format!("unknown term '{name}'"))?;
            let of_name = |name: &str| {
                let vector = Vector::BOTH.into_iter().find(|vector| vector.name() == name);
                vector.ok_or_else(|| format!("'{name}' is neither wilo nor draw"))
            };
            Ok((term, vector.map(of_name).transpose()?))
        };
        text.split(',').map(str::trim).map(item).collect::<Result<_, _>>().map(Fixed)
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(NONE);
        }
        for (index, (term, vector)) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{}", term.name)?;
            if let Some(vector) = vector {
                write!(f, ":{}", vector.name())?;
            }
        }
        Ok(())
    }
}
