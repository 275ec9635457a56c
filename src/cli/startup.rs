//! The state of standard output when the process started.
//!
//! If standard output is closed (`>&-`), Rust's runtime opens `/dev/null` instead before `main`:
//! each write succeeds, and a build would seem to have printed its objects. So the state is read
//! before the runtime starts.
#![allow(unsafe_code, reason = "only a section of the program file runs before the runtime")]

use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the process started.
pub(crate) fn stdout_was_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(unix)]
#[used]
// SAFETY: the function has the signature that the loader expects; it only asks the system for the state of a
// descriptor and writes an atomic, neither of which requires the runtime.
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static LOOK: extern "C" fn() = look;

#[cfg(unix)]
extern "C" fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    IS_CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
}
