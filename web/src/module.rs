//! The module's functions: what JavaScript calls, and what it gives.

use crate::session::Session;
use std::cell::RefCell;

// `page/module.js` gives these. A text is a place in the module's memory and a length, both in bytes; it is read before the
// function returns.
unsafe extern "C" {
    /// Milliseconds that never go back.
    safe fn now() -> f64;
    /// Takes an answer that comes before the last one.
    safe fn tell(text: *const u8, length: usize);
    /// Takes the last answer.
    safe fn reply(text: *const u8, length: usize);
}

#[derive(Default)]
struct Module {
    session: Session,
    request: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Makes room for a request of so many bytes, and says where.
#[unsafe(no_mangle)]
extern "C" fn request(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.request = vec![0; length];
        module.request.as_mut_ptr()
    })
}

/// Answers the request that was written there.
#[unsafe(no_mangle)]
extern "C" fn answer() {
    halfpoint::set_clock(|| now());
    MODULE.with_borrow_mut(|module| {
        let request = std::mem::take(&mut module.request);
        let answer = module.session.answer(&request, &mut |text| tell(text.as_ptr(), text.len()));
        reply(answer.as_ptr(), answer.len());
    });
}
