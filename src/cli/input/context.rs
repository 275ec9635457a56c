//! The projects of the inputs, and the files that are read for them: neither is output.

use std::path::{Path, PathBuf};

use sandboxc::{FileId, FileRole, Workspace, World};

use super::{Failure, Reader, shown};
use crate::cli::projects::{directory_of, relative};
use sandboxc_files::{Ignored, Root, canonical, current_directory, is_input, is_project_root};

impl World for Reader<'_> {
    type Failure = Failure;

    fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    fn is_root(&self, directory: &Path) -> bool {
        is_project_root(directory)
    }

    fn known(&self, path: &Path) -> Option<FileId> {
        self.seen.get(canonical(path).as_os_str()).copied()
    }

    fn read_project(&mut self, file: &Path) -> Result<Vec<FileId>, Failure> {
        self.role = Some(FileRole::Context);
        let file =
            if file.is_absolute() { relative(file, &current_directory()) } else { file.to_owned() };
        let read = self.reached_by(|reader| {
            reader.named_file(&file, FileRole::Context).map_err(Failure::file("read", &file))?;
            let root = directory_of(&file);
            let identity = canonical(&root);
            if reader.walked.iter().any(|directory| identity.starts_with(directory)) {
                return Ok(());
            }
            reader.context(&root)
        });
        self.role = None;
        read
    }

    fn read_named(
        &mut self,
        project: FileId,
        role: FileRole,
        path: &str,
    ) -> Result<Vec<FileId>, Failure> {
        let project = self.workspace.file(project).name().to_owned();
        let directory = directory_of(Path::new(&project));
        let found = Path::new(&project).with_file_name(path);
        let place = canonical(&directory).join(path);
        let root = self.root_of(&directory)?;
        self.role = Some(role);
        let named = self.reached_by(|reader| {
            if reader.input_below(&root, &found, &place)? {
                return Ok(());
            }
            let field = if role == FileRole::External { "external" } else { "crds" };
            Err(Failure::usage(
                format!("`{project}` names `{path}` under `{field}`, which does not exist"),
                "write the path from the directory of the Project",
            ))
        });
        self.role = None;
        named
    }
}

impl Reader<'_> {
    /// Reads files that all projects share. Each path has an object of a kind, for which it was named:
    /// without one the path is wrong, and everything would silently be judged without it.
    pub(super) fn in_role(
        &mut self,
        role: FileRole,
        paths: &[PathBuf],
        (kind, what): (&str, &str),
    ) -> Result<Vec<FileId>, Failure> {
        self.role = Some(role);
        let mut all = Vec::new();
        for path in paths {
            let files = self.reached_by(|reader| reader.input(path))?;
            let may_have = |file: &FileId| {
                let file = self.workspace.file(*file);
                file.unreadable().is_some() || file.text().contains(kind)
            };
            if !files.is_empty() && !files.iter().any(may_have) {
                return Err(Failure::usage(
                    format!("no {kind} in `{}`", shown(path)),
                    format!("name the file or directory with the {what}"),
                ));
            }
            all.extend(files);
        }
        self.role = None;
        Ok(all)
    }

    /// The files that a step reads, or finds to be read.
    fn reached_by(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<Vec<FileId>, Failure> {
        self.reached.clear();
        step(self)?;
        Ok(std::mem::take(&mut self.reached))
    }

    /// Reads the files of a project around the inputs.
    fn context(&mut self, root: &Path) -> Result<(), Failure> {
        let limit = Root::around(root).map_err(Failure::file("read", root))?;
        let below = limit.resolve(&canonical(root)).map_err(Failure::file("read", root))?;
        let mut files = self.files_below(root, &limit, &below, (Ignored::Left, None))?;
        files.retain(|found| is_input(&found.path));
        self.found(&limit, files)
    }
}
