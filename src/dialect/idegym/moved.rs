//! Fields of a start request that a Server has in another form. Those that differ in spelling only,
//! such as `server_name`, need no entry.

use crate::lower::Moved;

const BOOKKEEPING: &str = "remove it: only the orchestrator uses it, and no object depends on it";

/// Fields of a start request.
pub(super) static OF_SERVER: &[Moved] = &[
    Moved { path: "spec.image_tag", instead: "write `image`", replaced_by: Some("image") },
    Moved::new("spec.client_id", BOOKKEEPING),
    Moved::new("spec.max_restarts", BOOKKEEPING),
    Moved::new("spec.reuse_strategy", BOOKKEEPING),
    Moved::new("spec.server_start_wait_timeout_in_seconds", BOOKKEEPING),
];
