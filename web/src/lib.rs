//! The engine as the page asks it: requests in JSON in, answers in JSON out.
//!
//! [`Session`] answers them. On `wasm32-unknown-unknown` the module's functions give it to JavaScript, without any tool in
//! between; see `page/module.js`.
#![deny(missing_docs, clippy::print_stdout, clippy::print_stderr)]

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod module;
mod people;
mod position;
mod requests;
mod session;

pub use session::Session;
