//! The files and settings of a request as a workspace and options, as the command reads them from a
//! directory.

use std::collections::BTreeMap;
use std::path::Path;

use sandboxc::{
    Choice, Compilation, FileId, FileRole, KubernetesVersion, Options, PROJECT_FILE,
    PodSecurityLevel, Purpose, Versions, Workspace, World, discover,
};
use serde::Deserialize;

use crate::request::Refusal;

/// The maximum size of all files, which is smaller than that of the command: a page has less memory
/// and one thread.
const MAX_BYTES: usize = 16 << 20;
/// The maximum number of files.
const MAX_FILES: usize = 2_000;

/// The files and settings of a request.
#[derive(Deserialize, Clone, Debug)]
pub(crate) struct Input {
    files: Vec<File>,
    #[serde(default)]
    settings: Settings,
}

#[derive(Deserialize, Clone, Debug)]
struct File {
    /// A path with `/`.
    name: String,
    text: String,
    #[serde(default)]
    role: Role,
}

/// How the author added a file.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "camelCase")]
enum Role {
    /// On its own: everything in it must be an object.
    #[default]
    Named,
    /// As a part of a folder, in which files of other programs are skipped.
    Found,
    /// As admission policies that exist in the cluster.
    Policies,
}

/// The settings of a run. Empty strings are the defaults.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(default)]
struct Settings {
    kubernetes: String,
    policy: String,
    environment: String,
}

/// What a run reads.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) workspace: Workspace,
    pub(crate) options: Options,
}

impl Run {
    /// Compiles the files for a purpose.
    pub(crate) fn compile(&mut self, purpose: Purpose) -> Compilation {
        self.options.purpose = purpose;
        sandboxc::compile(&self.workspace, &self.options)
    }

    /// Like [`compile`](Self::compile), for answers that have text of the files: secrets are masked.
    pub(crate) fn compile_masked(&mut self, purpose: Purpose) -> Compilation {
        let compilation = self.compile(purpose);
        self.workspace.mask(&compilation.secrets);
        compilation
    }

    /// The file with a name.
    pub(crate) fn file(&self, name: &str) -> Result<FileId, Refusal> {
        let mut ids = self.workspace.ids();
        ids.find(|id| self.workspace.file(*id).name() == name)
            .ok_or_else(|| Refusal::new(format!("file `{name}` not found"), "name another file"))
    }
}

impl Input {
    /// Reads the files as a workspace, with the roles that they have in their projects.
    pub(crate) fn read(&self) -> Result<Run, Refusal> {
        let bytes: usize = self.files.iter().map(|file| file.text.len()).sum();
        if bytes > MAX_BYTES || self.files.len() > MAX_FILES {
            return Err(Refusal::new(
                format!("the input exceeds {} MiB or {MAX_FILES} files", MAX_BYTES >> 20),
                "remove files, or use the command `sandboxc`, which has no such limit",
            ));
        }
        let mut workspace = Workspace::new();
        for File { name, text, role } in &self.files {
            if *role == Role::Found && !is_manifest(name) {
                continue;
            }
            let file = workspace.add(name.as_str(), text.as_str());
            workspace.set_role(
                file,
                match role {
                    Role::Named => FileRole::Named,
                    Role::Found => FileRole::Found,
                    Role::Policies => FileRole::Policies,
                },
            );
        }
        let mut options = self.settings.options()?;
        apply_projects(&mut workspace, &mut options)?;
        Ok(Run { workspace, options })
    }
}

impl Settings {
    fn options(&self) -> Result<Options, Refusal> {
        let mut options = Options::default();
        if !self.kubernetes.is_empty() {
            options.kubernetes = Versions::parse(&self.kubernetes).ok_or_else(|| {
                let message = format!("unknown Kubernetes version `{}`", self.kubernetes);
                Refusal::new(message, one_of(KubernetesVersion::all()))
            })?;
        }
        if !self.policy.is_empty() {
            let level = PodSecurityLevel::parse(&self.policy).ok_or_else(|| {
                let message = format!("unknown Pod Security level `{}`", self.policy);
                Refusal::new(message, one_of(PodSecurityLevel::names()))
            })?;
            options.policy = Some(level);
        }
        if !self.environment.is_empty() {
            options.environment = Some(self.environment.clone());
        }
        Ok(options)
    }
}

/// What to do about a value that a setting does not have.
fn one_of(values: impl Iterator<Item = impl ToString>) -> String {
    format!("use {}", values.map(|it| it.to_string()).collect::<Vec<_>>().join(", "))
}

/// Whether the command reads a file of a directory: not the output of a test, which would repeat the
/// objects of its input.
fn is_manifest(name: &str) -> bool {
    let has_extension =
        [".yaml", ".yml", ".json"].iter().any(|extension| name.ends_with(extension));
    has_extension && !name.ends_with(".snap.yaml")
}

/// The files of a request, at paths from an empty one.
struct Listed<'w> {
    workspace: &'w Workspace,
    names: BTreeMap<&'w str, FileId>,
}

impl World for Listed<'_> {
    type Failure = Refusal;

    fn workspace(&self) -> &Workspace {
        self.workspace
    }

    fn is_root(&self, directory: &Path) -> bool {
        self.known(&directory.join(PROJECT_FILE)).is_some()
    }

    fn known(&self, path: &Path) -> Option<FileId> {
        self.names.get(path.to_str()?).copied()
    }

    /// All files are inputs.
    fn read_project(&mut self, _: &Path) -> Result<Vec<FileId>, Refusal> {
        Ok(Vec::new())
    }

    fn read_named(
        &mut self,
        project: FileId,
        _: FileRole,
        path: &str,
    ) -> Result<Vec<FileId>, Refusal> {
        let project = self.workspace.file(project).name();
        let path = join_path(parent(project), path.trim_start_matches("./").trim_end_matches('/'));
        let within = format!("{path}/");
        let is_named = |name: &str| name == path || name.starts_with(&within);
        let named = self.names.iter().filter(|(name, _)| is_named(name)).map(|(_, file)| *file);
        let named: Vec<_> = named.collect();
        if named.is_empty() {
            return Err(Refusal::new(
                format!("`{project}` names `{path}`, which is not one of the files"),
                "add the file, or remove the line",
            ));
        }
        Ok(named)
    }
}

/// Gives each file its role in its project.
fn apply_projects(workspace: &mut Workspace, options: &mut Options) -> Result<(), Refusal> {
    let files = workspace.ids().map(|file| (workspace.file(file).name(), file));
    let names: BTreeMap<_, _> = files.collect();
    let inputs = workspace.ids().map(|file| (file, parent(workspace.file(file).name()).into()));
    let mut listed = Listed { workspace, names };
    let discovered = discover(&mut listed, &Choice::Nearest, inputs)?;
    options.scopes = discovered.into_scopes(workspace);
    options.environment_is_optional = !options.scopes.is_empty();
    Ok(())
}

/// The directory that contains a file.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn join_path(directory: &str, path: &str) -> String {
    if directory.is_empty() { path.to_owned() } else { format!("{directory}/{path}") }
}

#[cfg(test)]
mod tests {
    use sandboxc::Scope;

    use super::*;

    fn input(files: &[(&str, &str)]) -> Input {
        let file = |(name, text): &(&str, &str)| File {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
            role: Role::Found,
        };
        Input { files: files.iter().map(file).collect(), settings: Settings::default() }
    }

    const PROJECT: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: a}\n";

    #[test]
    fn each_project_has_its_own_files() {
        let files =
            [("a/sandboxc.yaml", PROJECT), ("a/x/y.yaml", "a: 1\n"), ("b/sandboxc.yaml", PROJECT)];
        let run = input(&files).read().unwrap();
        let members = |scope: Scope| {
            let mut workspace = run.workspace.with_texts(BTreeMap::new());
            scope.apply(&mut workspace);
            let files = workspace.ids().map(|file| workspace.file(file).role());
            files.map(|role| role != FileRole::OtherProject).collect::<Vec<_>>()
        };
        let scopes = run.options.scopes.iter().cloned().map(members);
        assert_eq!(scopes.collect::<Vec<_>>(), [[true, true, false], [false, false, true]]);
    }

    #[test]
    fn files_outside_the_only_project_belong_to_it() {
        let run = input(&[("a/sandboxc.yaml", PROJECT), ("x.yaml", "a: 1\n")]).read().unwrap();
        assert!(run.options.scopes.is_empty());
    }

    #[test]
    fn a_project_names_files_that_are_only_read() {
        let project = format!("{PROJECT}spec:\n  crds: [kinds/]\n  external: [./live.yaml]\n");
        let files = [
            ("a/sandboxc.yaml", &*project),
            ("a/kinds/x/y.yaml", "kind: A\n"),
            ("a/live.yaml", "kind: A\n"),
        ];
        let run = input(&files).read().unwrap();
        let role = |name| run.workspace.file(run.file(name).unwrap()).role();
        assert_eq!(role("a/kinds/x/y.yaml"), FileRole::KnownKinds);
        assert_eq!(role("a/live.yaml"), FileRole::External);
        let refusal = input(&files[..2]).read().unwrap_err();
        let expected = "`a/sandboxc.yaml` names `a/live.yaml`, which is not one of the files";
        assert_eq!(refusal, Refusal::new(expected, "add the file, or remove the line"));
    }

    #[test]
    fn other_files_of_a_folder_are_skipped() {
        let run = input(&[("a.md", ""), ("a.snap.yaml", ""), ("a.yml", "")]).read().unwrap();
        assert_eq!(run.workspace.ids().count(), 1);
    }

    #[test]
    fn a_large_input_is_rejected() {
        let text = "a".repeat(MAX_BYTES + 1);
        assert!(input(&[("a.yaml", &text)]).read().is_err());
    }
}
