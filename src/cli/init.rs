//! `init`: a small project to start from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sandboxc::markup::{self, visible_line};
use sandboxc::{KubernetesVersion, PROJECT_FILE, ProjectSource, Workspace};

use super::arguments::{CiServer, Init, Options};
use super::failure::Failure;
use super::writing::{File, Origin, OutputDirectory, Places, Replacement, replace_files};
use super::{Outcome, output};
use sandboxc_files::{current_directory, is_project_root, read_named, strip_directory};

/// The files of the project.
const FILES: [(&str, &str); 3] = [
    (PROJECT_FILE, include_str!("starter/sandboxc.yaml")),
    ("sandboxes.yaml", include_str!("starter/sandboxes.yaml")),
    (".gitignore", include_str!("starter/gitignore")),
];

/// The file with the JSON Schema, which the first line of the others names.
const SCHEMA: &str = ".sandboxc.schema.json";

pub(crate) fn run(init: &Init, options: &Options) -> Result<Outcome, Failure> {
    let target = &init.directory;
    if let Some(server) = init.ci
        && is_project_root(target)
    {
        return add_ci(server, target, options);
    }
    let places = Places::of(&options.inputs);
    let mut files: Vec<_> = FILES
        .into_iter()
        .map(|(name, content)| File { name: name.to_owned(), content: content.into() })
        .collect();
    let schema = sandboxc::json_schema_text(KubernetesVersion::NEWEST).into_bytes();
    files.push(File { name: SCHEMA.to_owned(), content: schema });
    let ci = init.ci.map(|server| CiFile::of(server, target, &[])).transpose()?;
    match names(target)? {
        None => OutputDirectory::find(&places, target)?.create(&files)?,
        Some(names) if names.is_empty() => OutputDirectory::find(&places, target)?.fill(&files)?,
        // A repository that was just created.
        Some(names) if names.iter().all(|it| it.starts_with('.')) => {
            let new = files.iter().filter(|file| !names.contains(&file.name));
            let new: Vec<_> =
                new.map(|file| created(target.join(&file.name), &file.content)).collect();
            replace_files(&places, &new)?;
        }
        Some(_) => {
            return Err(Failure::usage(
                format!("`{}` is not empty", target.display()),
                "name a new or empty directory: `sandboxc init sandboxes`",
            ));
        }
    }
    let mut message = format!("created a project in {}", target.display());
    if let Some(CiFile { path, text }) = ci {
        replace_files(&places, &[created(path.clone(), text.as_bytes())])?;
        message = format!("{message}, and {}", path.display());
    }
    if !options.quiet {
        let next = format!("{message}; next: sandboxc build {}", target.display());
        output::complain(&(visible_line(&next).into_owned() + "\n"));
    }
    Ok(Outcome::Clean)
}

/// Adds the file for a CI server to a project.
fn add_ci(server: CiServer, target: &Path, options: &Options) -> Result<Outcome, Failure> {
    let project = target.join(PROJECT_FILE);
    let mut workspace = Workspace::new();
    let file =
        workspace.add(PROJECT_FILE, read_named(&project).map_err(Failure::file("read", &project))?);
    let environments = ProjectSource::environments_of(&ProjectSource::all(&workspace, [file]));
    let CiFile { path, text } = CiFile::of(server, target, &environments)?;
    replace_files(&Places::of(&options.inputs), &[created(path.clone(), text.as_bytes())])?;
    if !options.quiet {
        let created = format!("created {}", path.display());
        output::complain(&(visible_line(&created).into_owned() + "\n"));
    }
    Ok(Outcome::Clean)
}

/// The names in a directory; `None` if it does not exist.
fn names(directory: &Path) -> Result<Option<Vec<String>>, Failure> {
    let failed = |error| Failure::file("read", directory)(error);
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let name =
        |it: io::Result<fs::DirEntry>| it.map(|it| it.file_name().to_string_lossy().into_owned());
    entries.map(name).collect::<io::Result<_>>().map(Some).map_err(failed)
}

/// A new file. A link with its name is not followed.
fn created(path: PathBuf, content: &[u8]) -> Replacement<'_> {
    Replacement { path, origin: Origin::Directory, expected: None, content }
}

/// The file for a CI server.
struct CiFile {
    path: PathBuf,
    text: String,
}

impl CiFile {
    /// The file for a project in a directory, which has these environments. CI servers read it in the root
    /// of the repository.
    fn of(server: CiServer, directory: &Path, environments: &[String]) -> Result<Self, Failure> {
        let (name, text) = match server {
            CiServer::Github => {
                (".github/workflows/sandboxc.yml", include_str!("starter/github.yml"))
            }
            CiServer::Gitlab => (".gitlab-ci.yml", include_str!("starter/gitlab.yml")),
        };
        let (root, below) = repository(directory);
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { &below };
        let path = root.join(name);
        let path = strip_directory(&path, ".").to_owned();
        let below = shell_word(&below.to_string_lossy())?;
        // The objects of a cluster, and values, can be those of an environment only.
        let options = if environments.is_empty() { "" } else { "--all-environments " };
        let text = text.replace("DIRECTORY", &format!("{options}{below}"));
        if path.exists() {
            let command =
                text.lines().find(|it| it.contains("sandboxc check")).unwrap_or("").trim();
            let command = command.trim_start_matches("- ").trim_start_matches("run: ");
            return Err(Failure::usage(
                format!("`{}` exists", path.display()),
                format!("add a step to it: `{command}`"),
            ));
        }
        Ok(Self { path, text })
    }
}

/// The path of a directory as a word of the shell in a file for CI. A server evaluates its expressions, such as
/// `${{ github.token }}`, before a shell reads the line, and there is no quote for them.
fn shell_word(path: &str) -> Result<String, Failure> {
    let is_read = path.contains("${{") || path.contains("$[[") || path.contains(char::is_control);
    // The line is a plain scalar of YAML.
    if is_read || path.contains(": ") || path.contains(" #") {
        return Err(Failure::usage(
            format!("the name of the directory `{path}` cannot be in a file for CI"),
            "rename the directory".to_owned(),
        ));
    }
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    Ok(markup::shell_word(&path).into_owned())
}

/// The root of the repository around a directory, and the path below it. Without a repository, the
/// directory is the root.
fn repository(directory: &Path) -> (PathBuf, PathBuf) {
    let current = current_directory();
    let full: PathBuf = current.join(directory).components().collect();
    let root = full.ancestors().find(|directory| directory.join(".git").exists());
    match root {
        Some(root) => {
            let below = strip_directory(&full, root).to_owned();
            (super::projects::relative(root, &current), below)
        }
        None => (directory.to_owned(), PathBuf::new()),
    }
}
