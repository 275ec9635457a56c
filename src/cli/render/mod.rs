//! `--render`: the output of Helm and kustomize, which run on the directories of the command line.
//!
//! The directories are input. What could make a program fetch something, run another one or read files elsewhere is
//! found before it starts, and is an error.

mod helm;
mod kustomize;
mod limit;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sandboxc::{KUSTOMIZATION_FILES, Node, Purpose};

use super::arguments::{Given, Inputs, KnownKinds, Options, Rendering};
use super::failure::Failure;
use super::output;
use super::programs::{Call, Program, Programs};
use super::projects::directory_of;
use super::report::compile_each;
use sandboxc::markup::visible_line;
use sandboxc_files::{kind_of_named, strip_directory};

/// The maximum length of what a program renders, in bytes: that of a file.
const LONGEST_OUTPUT: usize = sandboxc::LARGEST_FILE;

/// The inputs after they are rendered, and the options without those of Helm.
pub(crate) fn rendered(
    inputs: &Inputs,
    kinds: &KnownKinds,
    rendering: &Rendering,
    options: &Options,
) -> Result<(Inputs, Options), Failure> {
    let mut paths: Vec<_> = inputs.all().map(PathBuf::as_path).collect();
    if paths.is_empty() {
        paths.push(Path::new("."));
    }
    let programs = Programs::new()?;
    let api_versions = api_versions(kinds, rendering, options)?;
    let mut given = Vec::new();
    let mut others = options.clone();
    for path in paths {
        let content = if is_chart(path) {
            (others.values, others.set) = (Vec::new(), Vec::new());
            helm::templates(&programs, path, &api_versions, options)?
        } else if KUSTOMIZATION_FILES.iter().any(|name| path.join(name).is_file()) {
            kustomize::objects(&programs, path)?
        } else {
            kind_of_named(path).map_err(Failure::file("read", path))?;
            return Err(Failure::usage(
                format!("`{}` is neither a kustomization nor a Helm chart", path.display()),
                "name a directory with a `kustomization.yaml` or a `Chart.yaml`, or a packaged \
                 chart, `*.tgz`",
            ));
        };
        let directory = if path.is_dir() { path.into() } else { directory_of(path) };
        given.push(Given {
            name: format!("{} (rendered)", path.display()),
            content,
            directory: Some(directory),
            is_values: false,
        });
    }
    Ok((Inputs { given, ..Inputs::default() }, others))
}

/// The API versions of the cluster that the command line names, and those of its definitions: each version,
/// and each version with the kind.
fn api_versions(
    kinds: &KnownKinds,
    rendering: &Rendering,
    options: &Options,
) -> Result<Vec<String>, Failure> {
    let mut versions = rendering.api_versions.clone();
    if kinds.crds.is_empty() {
        return Ok(versions);
    }
    let crds = Inputs { inputs: kinds.crds.clone(), ..Inputs::default() };
    let read = compile_each(&crds, &KnownKinds::default(), options, Purpose::Build)?;
    for object in &read.compilation.objects {
        let root = object.root();
        let (Some(group), Some(kind), Some(list)) = (
            root.str_at(&["spec", "group"]),
            root.str_at(&["spec", "names", "kind"]),
            root.at(&["spec", "versions"]),
        ) else {
            continue;
        };
        let is_definition = object.gvk().kind() == "CustomResourceDefinition";
        for version in list.items().iter().filter(|_| is_definition) {
            let is_served = version.get("served").and_then(Node::as_bool) == Some(true);
            if let Some(name) = version.str_at(&["name"]).filter(|_| is_served) {
                versions.extend([format!("{group}/{name}"), format!("{group}/{name}/{kind}")]);
            }
        }
    }
    Ok(versions)
}

fn is_chart(path: &Path) -> bool {
    path.join("Chart.yaml").is_file()
        || path.is_file() && path.extension().is_some_and(|it| it == "tgz")
}

/// A path as an argument that no program takes for an option, the name of a chart in a repository, or an address.
fn called(path: &Path) -> PathBuf {
    let below = strip_directory(path, ".");
    if below.is_absolute() { below.into() } else { Path::new(".").join(below) }
}

/// The output of a program. What it writes to standard error is shown as a quote.
fn rendered_by(
    programs: &Programs,
    program: &Program,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
) -> Result<Vec<u8>, Failure> {
    let shown: Vec<_> = arguments.iter().map(|it| it.to_string_lossy()).collect();
    let shown = format!("{} {}", program.name(), shown.join(" "));
    let shown = visible_line(&shown);
    let call = Call { arguments, environment, longest: LONGEST_OUTPUT, ..Call::default() };
    let answer = programs.run(program, &call)?;
    output::complain(&answer.messages);
    if answer.status.success() {
        return Ok(answer.output);
    }
    Err(Failure::input(
        format!("`{shown}` failed: {}; nothing was rendered", answer.status),
        format!(
            "repair what {} reports, or run it with other options and check its output: \
             `{shown} | sandboxc check -`",
            program.name()
        ),
    ))
}

/// The failure of a directory that is not rendered because of something in it.
fn refused(problem: &str, help: &str) -> Failure {
    Failure::input(format!("{problem}; nothing was rendered"), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_called_as_a_path() {
        for (path, expected) in [
            ("--post-renderer=sh", "./--post-renderer=sh"),
            ("charts/web", "./charts/web"),
            ("./web", "./web"),
            (".", "./"),
            ("../web", "./../web"),
            ("/srv/web", "/srv/web"),
            ("https://example.com/a.tgz", "./https:/example.com/a.tgz"),
            ("github.com/org/repo", "./github.com/org/repo"),
        ] {
            assert_eq!(called(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
