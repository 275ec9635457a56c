//! The request to end a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A request from another thread to end a run early. Its copies are one request.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Ends the run soon. Its result must not be used.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether the run must end.
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        self.0.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::{Options, compile};
    use crate::source::Workspace;

    #[test]
    fn a_canceled_run_reads_nothing() {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {}\n");
        let options = Options::default();
        assert_eq!(compile(&workspace, &options).objects.len(), 1);
        options.cancellation.cancel();
        assert!(compile(&workspace, &options).objects.is_empty());
    }
}
