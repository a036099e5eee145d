//! The commands that read and write files: `analyse`, `suite` and `human`. Threads, files, requests and the progress bar are here;
//! what is searched and told is the library's.

pub mod analyse;
pub mod human;
pub mod suite;

mod games_file;
mod journal;
mod report_file;
mod requests;
mod search_arguments;
mod summary;
mod threads;
