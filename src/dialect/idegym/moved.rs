//! Fields of a start request that a Server has in another form. Those that differ in spelling only,
//! such as `server_name`, need no entry.

use crate::lower::Moved;

const fn moved(path: &'static str, instead: &'static str) -> Moved {
    Moved { path, instead, replaced_by: None }
}

const BOOKKEEPING: &str = "remove it: only the orchestrator uses it, and no object depends on it";

/// Fields of a start request.
pub(super) static OF_SERVER: &[Moved] = &[
    Moved { path: "spec.image_tag", instead: "write `image`", replaced_by: Some("image") },
    moved("spec.client_id", BOOKKEEPING),
    moved("spec.max_restarts", BOOKKEEPING),
    moved("spec.reuse_strategy", BOOKKEEPING),
    moved("spec.server_start_wait_timeout_in_seconds", BOOKKEEPING),
];
