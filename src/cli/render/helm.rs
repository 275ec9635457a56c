//! The templates of a chart, rendered by Helm.
//!
//! Helm gets no repositories, plugins, settings or cluster. It follows links in a chart, and fetches what the schema of
//! its values refers to, so both are checked before it runs.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use sandboxc::{Choice, PROJECT_FILE, TEMPLATE_COMMENT, Versions, Workspace};
use serde_json::Value;

use super::limit::Limit;
use super::{called, refused, rendered_by};
use crate::cli::archive;
use crate::cli::arguments::{Options, SetValue};
use crate::cli::failure::Failure;
use crate::cli::programs::Programs;
use crate::cli::projects::{choice_of, nearest_root};
use sandboxc_files::{Kind, canonical, open_named, read_named, strip_directory};

/// The name of the schema of a chart's values.
const SCHEMA: &str = "values.schema.json";

/// The maximum number of files and directories of a chart.
const MOST_FILES: usize = 1_000_000;

/// The templates of a chart, with its custom resource definitions, which `helm install` also applies.
pub(super) fn templates(
    programs: &Programs,
    chart: &Path,
    api_versions: &[String],
    options: &Options,
) -> Result<Vec<u8>, Failure> {
    check(chart)?;
    let mut arguments: Vec<OsString> = vec!["template".into(), "--include-crds".into()];
    for path in &options.values {
        arguments.push(joined("--values=", &listed(&called(path))));
    }
    for SetValue { path, value } in &options.set {
        let keys: Vec<_> = path.iter().map(|it| it.replace('.', "\\.")).collect();
        arguments.push(format!("--set={}={value}", keys.join(".")).into());
    }
    let mut versions = versions(chart, options)?.iter();
    if let (Some(version), None) = (versions.next(), versions.next()) {
        arguments.push(format!("--kube-version={version}").into());
    }
    arguments.extend(api_versions.iter().map(|version| format!("--api-versions={version}").into()));
    arguments.extend(["--".into(), called(chart).into()]);
    let help = format!(
        "install Helm, or render the chart elsewhere: `helm template {} | sandboxc check -`",
        chart.display()
    );
    let program = programs
        .find("helm")
        .ok_or_else(|| Failure::usage("`helm` is not installed: it is not in the `PATH`", help))?;
    let home = |name: &str, below: &str| (name.into(), programs.home().path().join(below).into());
    let environment = vec![
        home("HELM_CACHE_HOME", "cache"),
        home("HELM_CONFIG_HOME", "config"),
        home("HELM_DATA_HOME", "data"),
        home("HELM_PLUGINS", "data/plugins"),
        home("KUBECONFIG", "kubeconfig"),
        ("HELM_NO_PLUGINS".into(), "1".into()),
    ];
    let text = rendered_by(programs, &program, arguments, environment)?;
    Ok(with_files(&text, chart))
}

fn joined(start: &str, rest: &OsStr) -> OsString {
    let mut whole = OsString::from(start);
    whole.push(rest);
    whole
}

/// A path as an item of a list with commas, as which Helm reads it.
fn listed(path: &Path) -> OsString {
    match path.to_str() {
        Some(text) if text.contains([',', '"']) => {
            format!("\"{}\"", text.replace('"', "\"\"")).into()
        }
        _ => path.into(),
    }
}

/// The versions for which a chart is checked: those of the command line, or of its Project.
fn versions(chart: &Path, options: &Options) -> Result<Versions, Failure> {
    let project = match choice_of(options)? {
        Choice::Nearest => nearest_root(&canonical(chart)).map(|root| root.join(PROJECT_FILE)),
        Choice::File(file) => Some(file),
        Choice::None => None,
    };
    let mut workspace = Workspace::new();
    // The check reports a Project that cannot be read.
    if let Some(file) = project
        && let Ok(text) = read_named(&file)
    {
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

/// Checks all that Helm reads of a chart.
fn check(chart: &Path) -> Result<(), Failure> {
    if chart.is_file() {
        return check_archive(chart);
    }
    let limit = Limit::around(chart)?;
    let mut open = vec![chart.to_owned()];
    let mut seen = std::collections::BTreeSet::new();
    let mut left = MOST_FILES;
    while let Some(directory) = open.pop() {
        if !seen.insert(canonical(&directory)) {
            continue;
        }
        let entries = limit.list(&directory).map_err(Failure::file("read", &directory))?;
        for entry in entries {
            let path = directory.join(entry.name);
            let failed = |cause| Failure::file("read", &path)(cause);
            left = left.checked_sub(1).ok_or_else(|| failed(too_many()))?;
            if limit.kind(&path).map_err(failed)? == Kind::Directory {
                open.push(path);
            } else if path.file_name() == Some(OsStr::new(SCHEMA)) {
                let text = limit.read(&path).map_err(failed)?;
                check_schema(&path, &text)?;
            } else if archive::is_archive(&path) {
                check_archive(&path)?;
            }
        }
    }
    Ok(())
}

/// Checks the schemas in a packaged chart. Helm follows no links in it.
fn check_archive(path: &Path) -> Result<(), Failure> {
    let files =
        open_named(path).and_then(archive::manifests).map_err(Failure::file("read", path))?;
    let is_schema =
        |manifest: &&archive::Manifest| manifest.path.file_name() == Some(OsStr::new(SCHEMA));
    files
        .iter()
        .filter(is_schema)
        .try_for_each(|manifest| check_schema(&path.join(&manifest.path), &manifest.content))
}

/// Checks that a schema refers to nothing outside of it. Only the schemas of JSON Schema itself are known to Helm.
fn check_schema(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let failed = |cause: serde_json::Error| Failure::file("read", path)(io::Error::other(cause));
    let schema: Value = serde_json::from_slice(text).map_err(failed)?;
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                for (key, value) in fields {
                    let other = value.as_str().filter(|value| is_reference(key) && is_other(value));
                    if let Some(other) = other {
                        let problem =
                            format!("`{}` refers to the schema `{other}`", path.display());
                        let help = "write the schema into the file, or render the chart elsewhere: \
                                    `helm template CHART | sandboxc check -`";
                        return Err(refused(&problem, help));
                    }
                }
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_reference(key: &str) -> bool {
    matches!(key, "$ref" | "$dynamicRef" | "$recursiveRef" | "$schema")
}

fn is_other(reference: &str) -> bool {
    let address = reference.split_once("://").map_or(reference, |(_, rest)| rest);
    !reference.starts_with('#') && !address.starts_with("json-schema.org/")
}

fn too_many() -> io::Error {
    io::Error::other(format!("the chart has more than {MOST_FILES} files"))
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
    let file = strip_directory(&file, ".");
    file.is_file().then(|| file.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    #[test]
    fn a_schema_refers_to_itself_alone() {
        let check = |text: &str| check_schema(Path::new(SCHEMA), text.as_bytes()).is_ok();
        assert!(check(
            r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/a", "$id": "https://x/y"}"##
        ));
        assert!(check(r#"{"properties": {"url": {"default": "https://example.com"}}}"#));
        for other in
            ["https://x/y.json", "file:///etc/x.json", "other.json", "//x/json-schema.org/"]
        {
            assert!(!check(&format!(r#"{{"allOf": [{{"$ref": "{other}"}}]}}"#)), "{other}");
        }
        assert!(!check(r#"{"\u0024ref": "https://x/y.json"}"#));
        assert!(!check("{"));
    }
}
