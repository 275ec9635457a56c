//! The objects that a Project declares to exist in the cluster: the keys of its entries, and its files.

use lean_string::LeanStr;

use crate::decode::Text;
use crate::diag::{Diagnostic, Sink, message};
use crate::folder;
use crate::kube::{self, InputObject, SharedKinds};
use crate::lower::{DataKind, DeclaredData};
use crate::project::{EXTERNAL_INVALID, External, Project};
use crate::source::{FileId, FileRole, Workspace};
use crate::tree::Node;
use crate::yaml::{self, Documents};

/// The objects in the cluster, as far as the Project knows them.
#[derive(Debug, Default)]
pub(super) struct Existing {
    /// The objects in files of `external`.
    pub(super) objects: Vec<InputObject>,
    /// The Secrets and ConfigMaps whose keys are known.
    pub(super) data: Vec<DeclaredData>,
}

impl Existing {
    /// Reads the files of `external`, of the Project and of the selected environment.
    pub(super) fn of(
        workspace: &Workspace,
        project: &Project,
        kinds: &SharedKinds,
        sink: &mut Sink,
    ) -> Self {
        let mut existing = Self { objects: Vec::new(), data: declared_data(project) };
        let mut budget = yaml::Budget::default();
        for path in &project.external_files {
            let Some(file) = file_of(workspace, path) else {
                let message = message!("file `{}` not found in the input", path.as_str());
                let finding = Diagnostic::new(&EXTERNAL_INVALID, path.span(), message);
                sink.report(finding.at("not found").help("write its path from the Project"));
                continue;
            };
            if yaml::check_file(file, workspace.file(file), sink).is_err() {
                continue;
            }
            let text = workspace.file(file).text();
            // What is not a manifest is not shown either: the author of the Project may not know it.
            let is_manifest = memchr::memmem::find(text.as_bytes(), b"apiVersion").is_some();
            let text = if is_manifest { text } else { "" };
            let Documents { read, unread } = yaml::documents_within(file, text, &mut budget, sink);
            let before = existing.objects.len();
            for document in read {
                for (root, span) in kube::items_of_list(document.root, document.span) {
                    existing.add(&root, InputObject::of(&root, span, kinds));
                }
            }
            if existing.objects.len() == before && unread.is_empty() {
                let message = message!("no objects in `{}`", path.as_str());
                let finding = Diagnostic::new(&EXTERNAL_INVALID, path.span(), message);
                sink.report(
                    finding
                        .at("has no objects")
                        .help("name the output of `kubectl get -o yaml`, or a file with manifests"),
                );
            }
        }
        existing
    }

    fn add(&mut self, root: &Node, object: InputObject) {
        if object.name.is_empty() || object.gvk.kind.is_empty() {
            return;
        }
        let kind = object.gvk.group.is_empty().then(|| DataKind::named(&object.gvk.kind)).flatten();
        if let Some(kind) = kind {
            let fields = ["data", "stringData", "binaryData"].into_iter();
            let entries = fields.filter_map(|it| root.get(it)).flat_map(Node::entries);
            self.data.push(DeclaredData {
                kind,
                namespace: object.namespace.clone(),
                name: object.name.clone(),
                keys: entries.map(|it| (it.key.text().clone(), it.key_origin().span())).collect(),
            });
        }
        self.objects.push(object);
    }
}

/// The file at a path of a Project.
fn file_of(workspace: &Workspace, path: &Text) -> Option<FileId> {
    let expected = folder::beside(workspace.file_at(path.span()).name(), path.as_str());
    workspace.ids().find(|it| {
        let file = workspace.file(*it);
        file.role() == FileRole::External && folder::resolved(file.name()) == expected
    })
}

/// The entries of `external` that have `keys`.
fn declared_data(project: &Project) -> Vec<DeclaredData> {
    let default = project.namespace.as_ref().and_then(Node::as_str).unwrap_or("");
    let declared = project.external.iter().filter_map(|it| {
        let External { kind, name, namespace, keys, .. } = it;
        let keys = &keys.as_ref()?.items;
        Some(DeclaredData {
            kind: DataKind::named(kind.as_str())?,
            namespace: namespace.as_ref().map_or(default, Text::as_str).into(),
            name: name.as_str().into(),
            keys: keys.iter().map(|it| (LeanStr::from(it.as_str()), it.span())).collect(),
        })
    });
    declared.collect()
}
