//! `halfpoint analyse` as people call it.

mod inputs;
mod kinds;
mod library;
mod outputs;
mod requests;
mod resume;
mod run;
mod verdicts;
