//! The files of a run: which belong to one project, and which their Projects name.
//!
//! The library asks, and a [`World`] reads: a disk, an editor, a page. Which file has which role in a project is
//! decided here, once.

mod project_source;
mod roots;
mod scope;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use self::project_source::ProjectSource;
pub use self::roots::Roots;
pub use self::scope::Scope;

use crate::source::{FileId, FileRole, Workspace};

/// What reads the files of a run. Paths are those of the world: of a disk, or names in a list.
pub trait World {
    /// Why a file cannot be read.
    type Failure;

    /// The files that were read so far.
    fn workspace(&self) -> &Workspace;

    /// Whether a directory has a file `sandboxc.yaml`.
    fn is_root(&self, directory: &Path) -> bool;

    /// The file at a path, if it was read.
    fn known(&self, path: &Path) -> Option<FileId>;

    /// Reads the file of a Project, and the files around it that belong to no other project. Returns these files,
    /// also those that were known.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn read_project(&mut self, file: &Path) -> Result<Vec<FileId>, Self::Failure>;

    /// Reads the file, or the files in the directory, that a Project names by a path from its own directory. Returns
    /// these files, also those that were known.
    ///
    /// # Errors
    /// If nothing is there.
    fn read_named(
        &mut self,
        project: FileId,
        role: FileRole,
        path: &str,
    ) -> Result<Vec<FileId>, Self::Failure>;
}

/// The Project of a run, as its user chooses it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The nearest one of each input, at or above its directory.
    Nearest,
    /// That of a file, for all inputs.
    File(PathBuf),
    /// None.
    None,
}

/// Inputs that belong to one project.
struct Group {
    /// The file of the Project; `None` for inputs without one.
    file: Option<PathBuf>,
    inputs: Vec<FileId>,
}

/// The projects of a run, each with its files.
#[derive(Default, Debug)]
pub struct Discovered {
    roles: Vec<BTreeMap<FileId, FileRole>>,
    /// The Projects of the inputs and of their context, in the order of their files.
    pub projects: Vec<ProjectSource>,
    /// The file of [`Choice::File`].
    pub selected: Option<FileId>,
}

/// Reads the projects of inputs, each of which was found in a directory.
///
/// # Errors
/// The first one of the world.
pub fn discover<W: World>(
    world: &mut W,
    choice: &Choice,
    inputs: impl IntoIterator<Item = (FileId, PathBuf)>,
) -> Result<Discovered, W::Failure> {
    let mut discovered = Discovered::default();
    let groups = match choice {
        Choice::None => Vec::new(),
        Choice::File(file) => {
            let inputs = inputs.into_iter().map(|(input, _)| input).collect();
            vec![Group { file: Some(file.clone()), inputs }]
        }
        Choice::Nearest => {
            let mut groups = grouped(world, inputs);
            for group in &mut groups {
                leave_distant_root(world, group);
            }
            groups
        }
    };
    for group in groups {
        discovered.add(world, choice, group)?;
    }
    let Discovered { projects, .. } = &mut discovered;
    projects.sort_by_key(ProjectSource::file);
    projects.dedup_by_key(|project| project.file());
    Ok(discovered)
}

/// The inputs by their nearest project. Those without one belong to that of the others if those have one in common.
fn grouped(world: &impl World, inputs: impl IntoIterator<Item = (FileId, PathBuf)>) -> Vec<Group> {
    let mut roots = Roots::default();
    let mut groups: BTreeMap<Option<PathBuf>, Vec<FileId>> = BTreeMap::new();
    for (input, directory) in inputs {
        let file = roots.project_file(&directory, |directory| world.is_root(directory));
        groups.entry(file).or_default().push(input);
    }
    if groups.len() == 2
        && let Some(without) = groups.remove(&None)
    {
        for inputs in groups.values_mut() {
            inputs.extend(&without);
        }
    }
    groups.into_iter().map(|(file, inputs)| Group { file, inputs }).collect()
}

/// Inputs that have a Project in a file with another name need none from above.
fn leave_distant_root(world: &impl World, group: &mut Group) {
    let Some(file) = &group.file else { return };
    let inputs = group.inputs.iter().copied();
    if world.known(file).is_none() && !ProjectSource::all(world.workspace(), inputs).is_empty() {
        group.file = None;
    }
}

impl Discovered {
    /// Reads a project: its file, the files around it, and those that it names.
    fn add<W: World>(
        &mut self,
        world: &mut W,
        choice: &Choice,
        Group { file, inputs }: Group,
    ) -> Result<(), W::Failure> {
        let role = |input: &FileId| (*input, world.workspace().file(*input).role());
        let mut roles: BTreeMap<_, _> = inputs.iter().map(role).collect();
        if let Some(file) = &file {
            for around in world.read_project(file)? {
                roles.entry(around).or_insert(FileRole::Context);
            }
            if matches!(choice, Choice::File(_)) {
                self.selected = world.known(file);
            }
        }
        let projects = match self.selected {
            Some(selected) => ProjectSource::all(world.workspace(), [selected]),
            None => ProjectSource::all(world.workspace(), roles.keys().copied()),
        };
        for project in &projects {
            for (role, path) in project.named_files() {
                for named in world.read_named(project.file(), role, &path)? {
                    roles.insert(named, role);
                }
            }
        }
        self.projects.extend(projects);
        self.roles.push(roles);
        Ok(())
    }

    /// Makes a file part of all projects.
    pub fn share(&mut self, file: FileId, role: FileRole) {
        for roles in &mut self.roles {
            roles.insert(file, role);
        }
    }

    /// Gives the files of a workspace their roles. Returns the scopes of the projects if there are several: a file
    /// that one of them only knows cannot be an input of the others.
    #[must_use]
    pub fn into_scopes(self, workspace: &mut Workspace) -> Vec<Scope> {
        let scopes = self.roles.iter().map(|roles| Scope::of(workspace, roles));
        let scopes: Vec<_> = scopes.collect();
        if let [only] = &scopes[..] {
            only.apply(workspace);
            return Vec::new();
        }
        for (file, role) in self.roles.iter().flatten() {
            if matches!(role, FileRole::KnownKinds | FileRole::Policies | FileRole::External) {
                workspace.set_role(*file, *role);
            }
        }
        scopes
    }
}
