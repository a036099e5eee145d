//! Statistics of forecasts: scores, reliability, errors over games, cross-validation, and the solvers of all fits.
//!
//! The positions of one game share its result, so games, not positions, are the independent observations: standard
//! errors, folds and resampling all keep games whole. Nothing here knows the engine: a forecast is three
//! probabilities with an outcome, and a game is a number.
//!
//! | question | answer |
//! |---|---|
//! | how good are probabilities? | [`Measures`]: log loss, Brier score, ranked probability score; [`area_under_curve`] |
//! | are they true? | [`Bin`]: reliability bins, and the calibration error over them |
//! | how sure is a mean? | [`Clustered`]: standard error over games |
//! | how good on games not seen? | [`Games::folds`], [`cross_validate`] |
//! | how sure is a fitted number? | [`Games::resample`], [`Regression::standard_errors`] |
//! | logistic regression | [`Regression`]: Newton's method |
//! | any other smooth function | [`minimize`]: L-BFGS |
//! | linear least squares | [`least_squares`]: QR |

mod bins;
mod chance;
mod clustered;
mod folds;
mod lbfgs;
mod logistic;
mod measures;

pub use bins::{Bin, Bins, MANY_GAMES, calibration_error, equal_bins, worst};
pub use chance::{Chance, calibration_by_chance};
pub use clustered::Clustered;
pub use folds::{Games, assign_folds, cross_validate};
pub use lbfgs::{Rules, minimize};
pub use logistic::{Case, Regression, least_squares, log_losses};
pub use measures::{Forecast, Measures, area_under_curve, clipped};
