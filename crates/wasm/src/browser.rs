//! The function as JavaScript calls it.

use std::panic;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Called with the message of a panic, before the instance traps.
    #[wasm_bindgen(js_namespace = globalThis, js_name = sandboxcPanicked)]
    fn panicked(message: &str);
}

/// Makes panics report their message to the worker, which answers with it and starts a new instance.
#[wasm_bindgen(start)]
pub fn start() {
    panic::set_hook(Box::new(|info| panicked(&info.to_string())));
}

/// Answers a request: see the crate.
#[wasm_bindgen]
#[must_use]
pub fn run(request: &str) -> String {
    crate::answer(request)
}
