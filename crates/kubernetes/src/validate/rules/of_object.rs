//! `ObjectJudge`: one object, and the sink for its findings.

use super::judging::Judging;
use crate::diag::{Diagnostic, Sink};
use crate::kube::Object;
use crate::schema::KubernetesVersion;
use crate::tree::Path;

/// One object, and the sink for its findings.
pub(super) struct ObjectJudge<'j, 'o> {
    pub(super) object: &'o Object,
    /// The minor version of the API server.
    pub(super) minor: u8,
    /// The version of the API server, for schemas.
    pub(super) kubernetes: KubernetesVersion,
    /// The number of findings so far.
    pub(super) reports: usize,
    sink: &'j mut Sink,
}

impl<'j, 'o> ObjectJudge<'j, 'o> {
    pub(super) fn new(
        object: &'o Object,
        kubernetes: KubernetesVersion,
        sink: &'j mut Sink,
    ) -> Self {
        Self { object, minor: kubernetes.minor(), kubernetes, reports: 0, sink }
    }

    /// Reports a finding that already has its path.
    pub(super) fn report_as_is(&mut self, finding: Diagnostic) {
        self.reports += 1;
        self.sink.report(finding);
    }
}

impl Judging for ObjectJudge<'_, '_> {
    fn report(&mut self, finding: Diagnostic, path: &Path<'_>) {
        self.reports += 1;
        self.sink.report(finding.path(path));
    }

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }
}
