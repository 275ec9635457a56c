//! The projects of the inputs, and the files that are read for them: neither is output.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};

use sandboxc::{FileId, FileRole, PROJECT_FILE, Scope, Workspace, files_of_projects, has_project};

use super::{Failure, Reader, shown};
use crate::cli::projects::{Roots, directory_of, relative};
use sandboxc_files::{Ignored, Root, canonical, is_input};

/// The roles of the files of each project.
pub(super) type Roles = BTreeMap<FileId, FileRole>;

/// The files of each project, by their positions in the workspace.
pub(super) fn by_position(workspace: &Workspace, scopes: &[Roles]) -> Vec<Scope> {
    let positions: BTreeMap<_, _> = workspace.ids().zip(0..).collect();
    let position = |(file, role): (&FileId, &FileRole)| Some((*positions.get(file)?, *role));
    let scope = |roles: &Roles| Scope { roles: roles.iter().filter_map(position).collect() };
    scopes.iter().map(scope).collect()
}

/// A project of a run.
pub(super) struct Project {
    /// Its `sandboxc.yaml`; `None` for inputs without one.
    pub(super) file: Option<PathBuf>,
    /// Whether the command line names the file.
    pub(super) is_named: bool,
    /// The inputs that belong to it.
    pub(super) inputs: Vec<FileId>,
}

impl Reader<'_> {
    /// Reads files that all projects share. Each path has an object of a kind, for which it was named:
    /// without one the path is wrong, and everything would silently be judged without it.
    pub(super) fn in_role(
        &mut self,
        role: FileRole,
        paths: &[PathBuf],
        (kind, what): (&str, &str),
    ) -> Result<(), Failure> {
        self.role = Some(role);
        self.scope = Some(Roles::new());
        for path in paths {
            let before: BTreeSet<_> = self.scope.iter().flat_map(|it| it.keys().copied()).collect();
            self.input(path)?;
            let read = self.scope.iter().flatten().map(|(file, _)| *file);
            let mut read = read.filter(|it| !before.contains(it)).peekable();
            let may_have = |it| {
                let file = self.workspace.file(it);
                file.unreadable().is_some() || file.text().contains(kind)
            };
            if read.peek().is_some() && !read.any(may_have) {
                return Err(Failure::usage(
                    format!("no {kind} in `{}`", shown(path)),
                    format!("name the file or directory with the {what}"),
                ));
            }
        }
        self.role = None;
        for (file, role) in self.scope.take().unwrap_or_default() {
            self.share(file, role);
        }
        Ok(())
    }

    /// All inputs.
    pub(super) fn all(&self) -> Vec<FileId> {
        self.directories.keys().copied().collect()
    }

    /// The projects of the inputs. Inputs without one belong to that of the others if those have one
    /// in common.
    pub(super) fn projects(&self) -> Vec<Project> {
        let mut roots = Roots::default();
        let mut inputs: BTreeMap<Option<PathBuf>, Vec<FileId>> = BTreeMap::new();
        for (file, directory) in &self.directories {
            inputs.entry(roots.of(directory)).or_default().push(*file);
        }
        if inputs.len() == 2
            && let Some(without) = inputs.remove(&None)
        {
            for files in inputs.values_mut() {
                files.extend(&without);
            }
        }
        let projects = inputs.into_iter().map(|(root, inputs)| {
            let file = root.map(|it| it.join(PROJECT_FILE));
            // The user can also name a file with another name.
            let is_read =
                file.as_ref().is_some_and(|it| self.seen.contains_key(canonical(it).as_os_str()));
            let is_apart = !is_read && has_project(&self.workspace, inputs.iter().copied());
            Project { file: file.filter(|_| !is_apart), is_named: false, inputs }
        });
        projects.collect()
    }

    /// Reads a project as context: its `sandboxc.yaml`, and all files below that do not belong to a
    /// project of their own; then the files that it names. Returns its file.
    pub(super) fn project(&mut self, project: &Project) -> Result<Option<FileId>, Failure> {
        for file in &project.inputs {
            let role = self.workspace.file(*file).role();
            self.set_role(*file, role);
        }
        let mut found = None;
        if let Some(file) = &project.file {
            self.role = Some(FileRole::Context);
            let current = env::current_dir().unwrap_or_default();
            let file = if project.is_named { file.clone() } else { relative(file, &current) };
            self.named_file(&file, FileRole::Context).map_err(Failure::file("read", &file))?;
            found = self.seen.get(canonical(&file).as_os_str()).copied();
            let root = directory_of(&file);
            let identity = canonical(&root);
            if !self.walked.iter().any(|it| identity.starts_with(it)) {
                self.context(&root)?;
            }
        }
        let files: BTreeSet<_> = self.scope.iter().flat_map(|it| it.keys().copied()).collect();
        let of_project = match found {
            Some(file) if project.is_named => files_of_projects(&self.workspace, [file]),
            _ => files_of_projects(&self.workspace, files),
        };
        for (file, role, path) in of_project {
            let project = self.workspace.file(file).name().to_owned();
            let directory = directory_of(Path::new(&project));
            let found = Path::new(&project).with_file_name(&path);
            let root = self.root_of(&directory)?;
            self.role = Some(role);
            if !self.input_below(&root, &found, &canonical(&directory).join(&path))? {
                let field = if role == FileRole::External { "external" } else { "crds" };
                return Err(Failure::usage(
                    format!("`{project}` names `{path}` under `{field}`, which does not exist"),
                    "write the path from the directory of the Project",
                ));
            }
        }
        self.role = None;
        Ok(found)
    }

    /// Reads the files of a project around the inputs.
    fn context(&mut self, root: &Path) -> Result<(), Failure> {
        let limit = Root::around(root).map_err(Failure::file("read", root))?;
        let below = limit.resolve(&canonical(root)).map_err(Failure::file("read", root))?;
        let mut files = self.files_below(root, &limit, &below, (Ignored::Left, None))?;
        files.retain(|it| is_input(&it.path));
        self.found(&limit, files)
    }
}
