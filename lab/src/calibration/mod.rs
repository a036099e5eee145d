//! Calibration: how far printed win, draw and loss probabilities can be believed, and profiles that make them true, for the
//! games of any engine or of people.

mod engine;
mod judge;
pub mod law;
mod learn;
mod observations;
pub mod profile;
mod profiles_file;
mod reservoir;
mod sample;
mod scored;
mod scoring;
mod verdict;
pub mod verify;
