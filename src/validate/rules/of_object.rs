//! `ObjectJudge`: one object, and where its rules report.

use super::judging::Judging;
use crate::diag::{Diagnostic, Sink};
use crate::kube::Object;
use crate::schema::KubernetesVersion;
use crate::tree::Path;

/// One object and where to report.
pub(super) struct ObjectJudge<'j, 'o> {
    pub(super) object: &'o Object,
    /// The minor version whose API server judges.
    pub(super) minor: u8,
    /// The same, to read schemas with.
    pub(super) kubernetes: KubernetesVersion,
    /// How many findings there are so far.
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

    /// Reports a finding that knows its path.
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
}
