//! `check --render`: the output of Helm and kustomize, which run on the directories of the command line.
//!
//! The directories are input. What could make a program fetch something, run another one or read files elsewhere is
//! found before it starts, and is an error.

mod helm;
mod kustomize;
mod limit;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sandboxc::KUSTOMIZATION_FILES;

use super::arguments::{Given, Inputs, Options};
use super::failure::Failure;
use super::files::kind_of_named;
use super::output;
use super::programs::{Call, Program, Programs};
use super::projects::directory_of;
use sandboxc::markup::visible_line;

/// The maximum length of what a program renders, in bytes: that of a file.
const LONGEST_OUTPUT: usize = sandboxc::LARGEST_FILE;

/// The inputs after they are rendered, and the options without those of Helm.
pub(crate) fn rendered(inputs: &Inputs, options: &Options) -> Result<(Inputs, Options), Failure> {
    let mut paths: Vec<_> = inputs.all().map(PathBuf::as_path).collect();
    if paths.is_empty() {
        paths.push(Path::new("."));
    }
    let programs = Programs::new()?;
    let mut given = Vec::new();
    let mut others = options.clone();
    for path in paths {
        let content = if is_chart(path) {
            (others.values, others.set) = (Vec::new(), Vec::new());
            helm::templates(&programs, path, options)?
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

fn is_chart(path: &Path) -> bool {
    path.join("Chart.yaml").is_file()
        || path.is_file() && path.extension().is_some_and(|it| it == "tgz")
}

/// A path as an argument that no program takes for an option, the name of a chart in a repository, or an address.
fn called(path: &Path) -> PathBuf {
    let below = path.strip_prefix(".").unwrap_or(path);
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
        format!("`{shown}` failed: {}; nothing was checked", answer.status),
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
