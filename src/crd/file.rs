//! Definitions that a system installs as files.

use super::description::DefinitionFile;
use crate::diag::Sink;
use crate::source::Workspace;
use crate::tree::Node;
use crate::yaml;

/// The definition of a file. Its places belong to no run: no message can point there, and none does.
pub(super) fn read(file: &DefinitionFile) -> Option<Node> {
    let mut workspace = Workspace::new();
    let id = workspace.add(file.kind, file.text);
    let documents = yaml::documents(id, workspace.file(id).text(), |_| {}, &mut Sink::new());
    documents.read.into_iter().map(|it| it.root).find(|root| !root.is_null())
}
