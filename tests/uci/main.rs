//! The binary as a client sees it: every test starts it and talks UCI, or runs a command.

mod bad_input;
mod clients;
mod commands;
mod contempt;
mod during_search;
mod endings;
mod engine;
mod go;
mod human;
mod lines;
mod option_files;
mod options;
mod output;
mod players;
mod position;
mod profiles;
mod random_input;
mod scheduler;
mod stop;
mod tables;
