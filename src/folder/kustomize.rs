//! What kustomize reads, fetches or runs when it builds a kustomization.
//!
//! kustomize decides by the text of a path whether it fetches it: any file can be an address, and so can any
//! directory. It finds the fields of a kustomization as Go's decoder of JSON does, which ignores the case of keys.

use crate::diag::{Severity, Sink};
use crate::source::{FileId, Workspace};
use crate::tree::{Content, Node};
use crate::yaml;

/// Something that a kustomization names.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct KustomizePart {
    /// What kustomize does with it.
    pub kind: KustomizePartKind,
    /// The path or the address, or the name of a field.
    pub name: String,
    /// The line in the file that names it.
    pub line: u32,
}

/// What kustomize does with something that a kustomization names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum KustomizePartKind {
    /// Reads a file with objects, or builds a directory.
    Objects,
    /// Reads the configuration of generators, transformers or validators: a file, or what a directory builds.
    Plugins,
    /// Reads a file.
    File,
    /// Runs Helm, which can fetch a chart.
    Chart,
    /// Runs a function or a plugin, which is a program.
    Function,
}

/// The content of a file that kustomize reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum KustomizeFile {
    /// A kustomization.
    Kustomization,
    /// A kustomization, of which the objects configure generators, transformers or validators.
    KustomizationOfPlugins,
    /// The configuration of generators, transformers or validators.
    Plugins,
}

/// The parts that a file names, in source order.
///
/// # Errors
/// If the file cannot be read as YAML, with the line and the reason: it could be read as anything.
pub fn kustomize_parts(
    text: &[u8],
    file: KustomizeFile,
) -> Result<Vec<KustomizePart>, (u32, String)> {
    let mut workspace = Workspace::new();
    let id = workspace.add_text("kustomization.yaml", text);
    let mut parts = Parts { workspace: &workspace, file: id, found: Vec::new() };
    let mut sink = Sink::new();
    let read = match yaml::check_file(id, workspace.file(id), &mut sink) {
        Ok(()) => yaml::documents(id, workspace.file(id).text(), &mut sink).read,
        Err(_) => Vec::new(),
    };
    if let Some(error) = sink.iter().find(|it| it.severity == Severity::Error) {
        // The message can quote a value.
        let rule = error.rule.name;
        return Err((
            parts.line(error.primary.span),
            format!("it cannot be read as YAML: `{rule}`"),
        ));
    }
    for document in &read {
        match file {
            KustomizeFile::Kustomization => parts.kustomization(&document.root)?,
            KustomizeFile::KustomizationOfPlugins => {
                parts.kustomization(&document.root)?;
                parts.addresses(&document.root, |_, text| text.contains("://"));
            }
            KustomizeFile::Plugins => parts.plugin(&document.root),
        }
    }
    let mut found = parts.found;
    found.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    Ok(found)
}

/// Whether kustomize fetches a file with this path.
pub fn is_remote_file(path: &str) -> bool {
    let scheme = path.split_once(':').map_or("", |(scheme, _)| scheme);
    ["http", "https"].iter().any(|it| scheme.eq_ignore_ascii_case(it))
}

/// Whether kustomize, in any of its versions, can take the path of a directory for the address of a repository.
pub fn is_remote_directory(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let has_user = path.split_once('@').is_some_and(|(user, rest)| {
        let is_name = user.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_name && rest.contains([':', '/'])
    });
    let starts = ["github.com/", "github.com:", "gh:", "git::", "git@"];
    path.contains("://") || has_user || starts.iter().any(|it| path.starts_with(it))
}

/// Keys of plugins whose values are paths.
const PATHS_OF_PLUGINS: [&str; 8] = [
    "path",
    "paths",
    "files",
    "envs",
    "env",
    "targetfilepath",
    "valuesfile",
    "additionalvaluesfiles",
];

struct Parts<'w> {
    workspace: &'w Workspace,
    file: FileId,
    found: Vec<KustomizePart>,
}

impl Parts<'_> {
    fn kustomization(&mut self, root: &Node) -> Result<(), (u32, String)> {
        use KustomizePartKind::{Chart, File, Objects};
        for entry in root.entries() {
            let value = &entry.value;
            match &*folded(entry.key()) {
                "resources" | "bases" | "components" => self.all(Objects, value.items()),
                "crds" | "configurations" | "patchesstrategicmerge" => {
                    self.all(File, value.items());
                }
                "generators" | "transformers" | "validators" => {
                    for item in value.items() {
                        self.plugins(item)?;
                    }
                }
                "patches" | "patchesjson6902" | "replacements" => {
                    value.items().iter().for_each(|it| self.fields(it, &["path"]));
                }
                "configmapgenerator" | "secretgenerator" => {
                    value.items().iter().for_each(|it| self.fields(it, &["files", "envs", "env"]));
                }
                "openapi" => self.fields(value, &["path"]),
                "helmcharts" | "helmchartinflationgenerator" if !value.items().is_empty() => {
                    self.add(Chart, entry.key(), value);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The path of a configuration of plugins, or the configuration itself.
    fn plugins(&mut self, item: &Node) -> Result<(), (u32, String)> {
        let Some(text) = item.as_str() else { return Ok(()) };
        if !text.contains(['\n', '{']) {
            self.add(KustomizePartKind::Plugins, text, item);
            return Ok(());
        }
        let line = self.line(item.span());
        let inner = kustomize_parts(text.as_bytes(), KustomizeFile::Plugins);
        let inner = inner.map_err(|(_, cause)| (line, cause))?;
        self.found.extend(inner.into_iter().map(|it| KustomizePart { line, ..it }));
        Ok(())
    }

    /// An object that configures a plugin. Those that are part of kustomize have a version of their own.
    fn plugin(&mut self, root: &Node) {
        let api_version = root.text_at(&["apiVersion"]);
        let kind = root.text_at(&["kind"]);
        if kind == "HelmChartInflationGenerator" {
            self.add(KustomizePartKind::Chart, kind, root);
        } else if api_version != "builtin" {
            self.add(KustomizePartKind::Function, &format!("{api_version} {kind}"), root);
        }
        self.addresses(root, |key, text| {
            let path = text.split_once('=').map_or(text, |(_, path)| path);
            PATHS_OF_PLUGINS.contains(&key) && (is_remote_file(text) || is_remote_file(path))
        });
    }

    /// Adds the strings below a node that are addresses of files, by the last key and the string.
    fn addresses(&mut self, root: &Node, is_address: impl Fn(&str, &str) -> bool + Copy) {
        let mut open = vec![(String::new(), root)];
        while let Some((key, node)) = open.pop() {
            match node.content() {
                Content::Map(entries) => {
                    open.extend(entries.iter().map(|entry| (folded(entry.key()), &entry.value)));
                }
                Content::List(items) => open.extend(items.iter().map(|item| (key.clone(), item))),
                _ => {
                    if let Some(text) = node.as_str().filter(|it| is_address(&key, it)) {
                        self.add(KustomizePartKind::File, text, node);
                    }
                }
            }
        }
    }

    /// The paths in fields of an object.
    fn fields(&mut self, object: &Node, names: &[&str]) {
        for entry in object.entries().iter().filter(|entry| names.contains(&&*folded(entry.key())))
        {
            let value = &entry.value;
            let items =
                if value.as_str().is_some() { std::slice::from_ref(value) } else { value.items() };
            for item in items {
                let Some(text) = item.as_str() else { continue };
                // `files` can have the key of the data before the path.
                let path = text.split_once('=').map_or(text, |(_, path)| path);
                let path = if is_remote_file(text) { text } else { path };
                self.add(KustomizePartKind::File, path, item);
            }
        }
    }

    fn all(&mut self, kind: KustomizePartKind, items: &[Node]) {
        for item in items {
            if let Some(text) = item.as_str() {
                self.add(kind, text, item);
            }
        }
    }

    fn add(&mut self, kind: KustomizePartKind, name: &str, node: &Node) {
        let line = self.line(node.span());
        self.found.push(KustomizePart { kind, name: name.to_owned(), line });
    }

    fn line(&self, span: crate::source::Span) -> u32 {
        self.workspace.file(self.file).line_column(self.workspace.locate(span).start).line
    }
}

/// A key as Go's decoder of JSON compares it, which also knows two letters that are not in ASCII.
fn folded(key: &str) -> String {
    let plain = |part| match part {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        other => other,
    };
    key.chars().map(plain).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::KustomizePartKind::{Chart, File, Function, Objects, Plugins};
    use super::*;

    fn parts(text: &str, file: KustomizeFile) -> Vec<(KustomizePartKind, String, u32)> {
        let parts = kustomize_parts(text.as_bytes(), file).unwrap();
        parts.into_iter().map(|part| (part.kind, part.name, part.line)).collect()
    }

    #[test]
    fn all_paths_of_a_kustomization_are_found() {
        let text = "resources: [a.yaml]\nbases: [../b]\ncomponents: [c]\ncrds: [d]\nconfigurations: [e]\n\
            patchesStrategicMerge: [f]\npatches: [{path: g}, {patch: x}]\npatchesJson6902: [{path: h}]\n\
            replacements: [{path: i}]\nconfigMapGenerator: [{files: [k=j, k], envs: [l], env: m, literals: [x=y]}]\n\
            secretGenerator: [{files: ['n']}]\nopenapi: {path: o}\ngenerators: [p]\ntransformers: [q]\n\
            validators: [r]\nhelmCharts: [{name: s}]\nRESOURCE\u{17f}: [t]\nnamePrefix: http://x\n";
        let found = parts(text, KustomizeFile::Kustomization);
        let names: String = found.iter().map(|(_, name, _)| &name[name.len() - 1..]).collect();
        assert_eq!(names, "lbcdefghijklmnopqrst");
        let kind = |name: &str| found.iter().find(|part| part.1 == name).map(|it| (it.0, it.2));
        assert_eq!(kind("../b"), Some((Objects, 2)));
        assert_eq!(kind("j"), Some((File, 10)));
        assert_eq!(kind("r"), Some((Plugins, 15)));
        assert_eq!(kind("helmCharts"), Some((Chart, 16)));
        assert_eq!(kind("t"), Some((Objects, 17)));
    }

    #[test]
    fn plugins_that_are_programs_are_found() {
        let text = "apiVersion: builtin\nkind: PatchTransformer\npath: HTTPS://x\n---\n\
            apiVersion: example.com/v1\nkind: Run\nmetadata:\n  annotations:\n    config.kubernetes.io/function: |\n\
            \u{20}     exec: {path: ./a.sh}\n";
        let found = parts(text, KustomizeFile::Plugins);
        let run = (Function, "example.com/v1 Run".to_owned(), 5);
        assert_eq!(found, [(File, "HTTPS://x".to_owned(), 3), run]);
        let inline = "transformers:\n- |\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  files: [a=http://x]\n\
            - '{apiVersion: x, kind: Run}'\n";
        let found = parts(inline, KustomizeFile::Kustomization);
        assert_eq!(found, [(File, "a=http://x".to_owned(), 2), (Function, "x Run".to_owned(), 6)]);
        let of_plugins = "patches:\n- patch: |\n    path: http://x\n";
        assert_eq!(parts(of_plugins, KustomizeFile::Kustomization), []);
        assert_eq!(parts(of_plugins, KustomizeFile::KustomizationOfPlugins).len(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let error = kustomize_parts(b"a: 1\nb: [\n", KustomizeFile::Kustomization).unwrap_err();
        assert!(error.0 > 1 && !error.1.is_empty(), "{error:?}");
    }

    /// With the addresses that the tests of kustomize accept and reject.
    #[test]
    fn addresses_are_told_from_paths() {
        for path in [
            "https://github.com/org/repo?ref=v1",
            "HTTP://example.com/a.yaml",
            "ssh://git@example.com/org/repo.git",
            "file:///var/repo",
            "git@github.com:org/repo.git",
            "org-12345@github.com:org/repo",
            "github.com/org/repo//path",
            "GitHub.com:org/repo",
            "gh:org/repo",
            "git::https://example.com/org/repo",
        ] {
            assert!(is_remote_directory(path), "{path}");
        }
        for path in ["../base", "./github.com/org", "overlays/prod", "a.yaml", "web@2", "/srv/base"]
        {
            assert!(!is_remote_directory(path) && !is_remote_file(path), "{path}");
        }
        assert!(
            is_remote_file("https://x/a.yaml")
                && is_remote_file("HTTP:x")
                && !is_remote_file("a:b")
        );
    }
}
