#![no_main]

#[path = "../../lab/tests/commands/counts.rs"]
mod counts;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    counts::run(data);
});
