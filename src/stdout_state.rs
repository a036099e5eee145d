//! Whether standard output can be written to.

/// What a write to standard output would do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It writes at least some bytes at once.
    Writable,
    /// It waits, or nothing is known.
    Unknown,
    /// It fails: nobody reads.
    Closed,
}

/// Asks the system.
#[cfg(unix)]
#[must_use]
pub fn readiness() -> Readiness {
    let mut asked = libc::pollfd { fd: libc::STDOUT_FILENO, events: libc::POLLOUT, revents: 0 };
    // SAFETY: one valid structure, and no waiting.
    let answers = unsafe { libc::poll(&raw mut asked, 1, 0) };
    if answers < 1 {
        Readiness::Unknown
    } else if asked.revents & (libc::POLLERR | libc::POLLNVAL) != 0 {
        Readiness::Closed
    } else if asked.revents & libc::POLLOUT != 0 {
        Readiness::Writable
    } else {
        Readiness::Unknown
    }
}

/// Nothing is known where the system cannot be asked.
#[cfg(not(unix))]
#[must_use]
pub fn readiness() -> Readiness {
    Readiness::Unknown
}
