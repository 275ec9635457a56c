//! `check --render`: the output of Helm and kustomize, which run on the directories of the command line.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sandboxc::{KUSTOMIZATION_FILES, PROJECT_FILE, TEMPLATE_COMMENT, Versions, Workspace};

use super::arguments::{Given, Inputs, Options, SetValue};
use super::failure::Failure;
use super::input::canonical;
use super::output;
use super::projects::{Choice, Roots, directory_of};

/// The inputs after they are rendered, and the options without those of Helm.
pub(crate) fn rendered(inputs: &Inputs, options: &Options) -> Result<(Inputs, Options), Failure> {
    let mut paths: Vec<_> = inputs.all().map(PathBuf::as_path).collect();
    if paths.is_empty() {
        paths.push(Path::new("."));
    }
    let mut given = Vec::new();
    let mut others = options.clone();
    for path in paths {
        let content = if is_chart(path) {
            (others.values, others.set) = (Vec::new(), Vec::new());
            templates(path, options)?
        } else if KUSTOMIZATION_FILES.iter().any(|it| path.join(it).is_file()) {
            kustomization(path)?
        } else {
            fs::metadata(path).map_err(Failure::file("read", path))?;
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

/// The templates of a chart, with its custom resource definitions, which `helm install` also applies.
fn templates(chart: &Path, options: &Options) -> Result<Vec<u8>, Failure> {
    let mut arguments = vec!["template".into(), chart.into(), "--include-crds".into()];
    for path in &options.values {
        arguments.extend(["--values".into(), OsString::from(path)]);
    }
    for SetValue { path, value } in &options.set {
        let keys: Vec<_> = path.iter().map(|it| it.replace('.', "\\.")).collect();
        arguments.extend(["--set".into(), format!("{}={value}", keys.join(".")).into()]);
    }
    let mut versions = versions(chart, options)?.iter();
    if let (Some(version), None) = (versions.next(), versions.next()) {
        arguments.extend(["--kube-version".into(), version.to_string().into()]);
    }
    let help = format!(
        "install Helm, or render the chart elsewhere: `helm template {} | sandboxc check -`",
        chart.display()
    );
    let missing = || Failure::usage("`helm` is not installed: it is not in the `PATH`", help);
    let text = run("helm", &arguments)?.ok_or_else(missing)?;
    Ok(with_files(&text, chart))
}

/// The versions for which a chart is checked: those of the command line, or of its Project.
fn versions(chart: &Path, options: &Options) -> Result<Versions, Failure> {
    let project = match Choice::of(options)? {
        Choice::Nearest => Roots::default().of(&canonical(chart)).map(|it| it.join(PROJECT_FILE)),
        Choice::File(file) => Some(file),
        Choice::None => None,
    };
    let mut workspace = Workspace::new();
    // The check reports a Project that cannot be read.
    if let Some(text) = project.and_then(|it| fs::read(it).ok()) {
        workspace.add(PROJECT_FILE, text);
    }
    let mut compile = sandboxc::Options::default();
    compile.kubernetes = options.versions();
    if let [environment] = &options.environment[..] {
        compile.environment = Some(environment.clone());
    }
    let judged = sandboxc::compile(&workspace, &compile).judged;
    Ok(judged.iter().fold(Versions::NONE, |all, it| all.union(it.kubernetes)))
}

fn kustomization(directory: &Path) -> Result<Vec<u8>, Failure> {
    if let Some(text) = run("kustomize", &["build".into(), directory.into()])? {
        return Ok(text);
    }
    let help = format!(
        "install one of them, or build elsewhere: `kustomize build {} | sandboxc check -`",
        directory.display()
    );
    let text = run("kubectl", &["kustomize".into(), directory.into()])?;
    text.ok_or_else(|| {
        let problem = "neither `kustomize` nor `kubectl` is installed: they are not in the `PATH`";
        Failure::usage(problem, help)
    })
}

/// The output of a program; `None` if it is not installed. What it writes to standard error is shown as
/// it is.
fn run(program: &'static str, arguments: &[OsString]) -> Result<Option<Vec<u8>>, Failure> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    let output = match output {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(Failure::File { action: "run", path: PathBuf::from(program), source });
        }
    };
    let messages = String::from_utf8_lossy(&output.stderr);
    if !messages.is_empty() {
        output::complain(&format!("{}\n", messages.trim_end()));
    }
    if output.status.success() {
        return Ok(Some(output.stdout));
    }
    let shown: Vec<_> = arguments.iter().map(|it| it.to_string_lossy()).collect();
    let shown = format!("{program} {}", shown.join(" "));
    Err(Failure::input(
        format!("`{shown}` failed: {}; nothing was checked", output.status),
        format!(
            "repair what {program} reports, or run it with other options and check its output: \
             `{shown} | sandboxc check -`"
        ),
    ))
}

/// The text with the path of each template as a path of a file. Helm writes the name of the chart in place
/// of its directory.
fn with_files(text: &[u8], chart: &Path) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|it| *it == b'\n') {
        match line.strip_prefix(TEMPLATE_COMMENT.as_bytes()).and_then(|it| file_of(it, chart)) {
            Some(file) => {
                out.extend_from_slice(TEMPLATE_COMMENT.as_bytes());
                out.extend_from_slice(file.as_bytes());
                out.push(b'\n');
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// The file of a template, if the chart has it: a dependency can be packed.
fn file_of(template: &[u8], chart: &Path) -> Option<String> {
    let (_, below) = std::str::from_utf8(template).ok()?.trim_end().split_once('/')?;
    let file = chart.join(below);
    let file = file.strip_prefix(".").unwrap_or(&file);
    file.is_file().then(|| file.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_has_the_path_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let chart = folder.path().join("dir");
        fs::create_dir_all(chart.join("templates")).unwrap();
        fs::write(chart.join("templates/a.yaml"), "").unwrap();
        let text = "---\n# Source: web/templates/a.yaml\na: |\n  # Source: web/templates/a.yaml\n\
            ---\n# Source: web/charts/db/templates/b.yaml\n";
        let file = format!("# Source: {}/templates/a.yaml\na", chart.display());
        let expected = text.replacen("# Source: web/templates/a.yaml\na", &file, 1);
        assert_eq!(String::from_utf8(with_files(text.as_bytes(), &chart)).unwrap(), expected);
    }
}
