//! The files of one project of a run.

use std::collections::BTreeMap;

use crate::source::{FileId, FileRole, Workspace};

/// The files of one project of a run. All other files do not exist for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The files by their positions in the workspace, each with its role in this project.
    roles: BTreeMap<usize, FileRole>,
}

impl Scope {
    /// The scope of files of a workspace.
    pub(super) fn of(workspace: &Workspace, roles: &BTreeMap<FileId, FileRole>) -> Self {
        let role = |(position, file)| Some((position, *roles.get(&file)?));
        Self { roles: workspace.ids().enumerate().filter_map(role).collect() }
    }

    /// Reduces a run with several projects to that of a file.
    pub fn enter(scopes: Vec<Self>, workspace: &mut Workspace, file: FileId) {
        let position = workspace.ids().position(|known| known == file);
        let of_file = |scope: &Self| position.is_some_and(|at| scope.roles.contains_key(&at));
        if let Some(scope) = scopes.into_iter().find(of_file) {
            scope.apply(workspace);
        }
    }

    /// Gives all files of the workspace the roles that they have in this project.
    pub fn apply(&self, workspace: &mut Workspace) {
        for (position, file) in workspace.ids().enumerate() {
            let role = self.roles.get(&position).copied();
            workspace.set_role(file, role.unwrap_or(FileRole::OtherProject));
        }
    }
}
