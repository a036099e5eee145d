//! `halfpoint analyse` as people call it.

mod inputs;
mod outputs;
mod requests;
mod resume;
mod run;
