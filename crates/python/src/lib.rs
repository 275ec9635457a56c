//! The native part of the Python package `sandboxc`: functions of strings, which `python/sandboxc`
//! gives types and names.

mod files;

use std::thread;

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

/// As much as the main thread of a program has; other threads of Python can have less.
const STACK: usize = 8 << 20;

/// Answers a request in JSON with JSON: the protocol of `sandboxc_wasm`. Other threads of Python run
/// meanwhile.
#[pyfunction]
fn answer(python: Python<'_>, request: String) -> PyResult<String> {
    python.detach(|| isolated(move || sandboxc_wasm::answer(&request)))
}

/// The manifests of a file or directory, with the files that their Projects name, as a list in JSON.
#[pyfunction]
fn read(python: Python<'_>, path: String) -> PyResult<String> {
    let files = python.detach(|| isolated(move || files::read(path.as_ref())))?;
    files.map_err(|failure| {
        // Of this type, Python selects the subclass by the number: FileNotFoundError, ...
        match failure.error.raw_os_error() {
            Some(number) => {
                let text = failure.error.to_string();
                // Python adds the number itself.
                let text =
                    text.split_once(" (os error").map_or(&*text, |(reason, _)| reason).to_owned();
                PyOSError::new_err((number, text, failure.path.clone()))
            }
            None => PyOSError::new_err(format!("{}: {}", failure.path, failure.error)),
        }
    })
}

/// Runs a function in a thread of its own, so that neither a small stack nor a panic ends Python.
fn isolated<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    let thread = thread.map_err(|it| PyRuntimeError::new_err(it.to_string()))?;
    thread.join().map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        PyRuntimeError::new_err(format!("internal error of sandboxc, please report it: {text}"))
    })
}

/// The module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{answer, read};
}
