//! Fixtures: their location, their announcements, and their compilation.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rayon::prelude::*;
use sandboxc::{
    Compilation, Diff, DiffSide, FileId, FileRole, ImportOptions, Options, Paint, PodSecurityLevel,
    Purpose, Span, Versions, Workspace, compile, diff, render_diff_human,
};

use crate::rule_pages;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program: that of this build, or the one at `SANDBOXC_BINARY`.
pub(crate) fn binary() -> PathBuf {
    let other = env::var_os("SANDBOXC_BINARY");
    other.map_or_else(|| env!("CARGO_BIN_EXE_sandboxc").into(), PathBuf::from)
}

/// All YAML files below `fixtures/<folder>`, sorted.
pub(crate) fn fixtures(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&root().join("fixtures").join(folder), &mut files);
    files.sort();
    files
}

/// The difference of two streams of objects.
pub(crate) fn compared(old: &str, new: &str) -> Diff {
    let mut options = Options::default();
    options.purpose = Purpose::Compare;
    let [old, new] = [("old.yaml", old), ("new.yaml", new)].map(|(name, text)| {
        let mut workspace = Workspace::new();
        workspace.add(name, text);
        workspace
    });
    let [of_old, of_new] = [&old, &new].map(|it| compile(it, &options));
    assert!(!of_new.has_errors(), "{:?}", of_new.diagnostics);
    diff(&DiffSide::new(&old, &of_old), &DiffSide::new(&new, &of_new))
}

/// The difference of two streams of objects, as `diff` prints it; empty if there is none.
pub(crate) fn difference(old: &str, new: &str) -> String {
    let found = compared(old, new);
    if found.objects.is_empty() {
        return String::new();
    }
    render_diff_human(&found, false, Paint::Plain)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
}

/// One fixture, with the announcements in its first lines: `# expect: <rule> <line>:<column>` per
/// finding, `# kubernetes: 1.33,1.37` and `# agent-sandbox: 1.0` for the target, `# policy:
/// baseline`, `# environment: prod` for the Project's values, `# values: {a: 1}` and `# set: a.b=1`
/// for values that take precedence, `# verb: check` for the findings of `check`, `# verb: import`
/// for those of `import`. A line `# file: base/web.yaml` starts a file that was found in a
/// directory; a fixture can have several. A line `# unreadable: Permission denied` after it is the
/// reason why the file could not be read. A line `--- # against` starts the stored objects over which
/// those before it are applied: the findings are those of `check --against` as well.
pub(crate) struct Fixture {
    /// The path relative to `fixtures/`, with `/` as separator.
    pub name: String,
    pub bytes: Vec<u8>,
    /// The stored objects.
    pub against: Option<Vec<u8>>,
    pub expected: Vec<String>,
    pub options: Options,
    /// Values that take precedence over those of the Project: their path, and YAML.
    pub values: Vec<(Vec<String>, String)>,
    /// The options of the command line that set `options`.
    pub arguments: Vec<String>,
    /// Whether the fixture is input for `import` and not for `build`: `# verb: import`.
    pub is_import: bool,
}

impl Fixture {
    pub(crate) fn read(path: &Path) -> Self {
        let name = path.strip_prefix(root().join("fixtures")).unwrap();
        Self::new(name.to_str().unwrap().replace('\\', "/"), fs::read(path).unwrap())
    }

    pub(crate) fn new(name: String, bytes: Vec<u8>) -> Self {
        let (bytes, against) = parts(bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let announced = |key: &str| -> Vec<String> {
            text.lines()
                .map_while(|line| line.trim_start_matches('\u{feff}').strip_prefix('#'))
                .filter_map(|line| line.trim().strip_prefix(key))
                .map(|value| value.trim().to_owned())
                .collect()
        };
        let mut options = Options::default();
        let mut arguments = Vec::new();
        for flag in ["kubernetes", "policy", "target", "environment"]
            .into_iter()
            .chain(sandboxc::system_flags().map(|it| it.name))
        {
            let values = announced(&format!("{flag}:")).into_iter();
            arguments.extend(values.map(|it| format!("--{flag}={it}")));
        }
        if let Some(versions) = announced("kubernetes:").first() {
            options.kubernetes = Versions::parse(versions).expect("known versions");
        }
        if let Some(level) = announced("policy:").first() {
            options.policy = Some(PodSecurityLevel::parse(level).expect("a level"));
        }
        for flag in sandboxc::system_flags() {
            for value in announced(&format!("{}:", flag.name)) {
                options.set(flag.system, flag.field, &value).unwrap();
            }
        }
        for target in announced("target:") {
            let (system, value) = target.split_once('=').expect("system=value");
            options.set(system, "target", value).unwrap();
        }
        let verbs = announced("verb:");
        options.purpose = match &verbs[..] {
            [verb, ..] if verb == "check" => Purpose::Check,
            [verb, ..] if verb == "effective" => Purpose::Effective,
            _ => Purpose::Build,
        };
        let is_import = verbs.iter().any(|it| it == "import");
        options.environment = announced("environment:").into_iter().next();
        let mut values: Vec<_> =
            announced("values:").into_iter().map(|it| (Vec::new(), it)).collect();
        values.extend(announced("set:").into_iter().map(|it| {
            let (path, value) = it.split_once('=').expect("path=value");
            (path.split('.').map(str::to_owned).collect(), value.to_owned())
        }));
        let mut expected = announced("expect:");
        expected.sort();
        Self { name, bytes, against, expected, options, values, arguments, is_import }
    }

    /// Whether it is an example of a page of `docs/rules/`.
    pub(crate) fn is_page(&self) -> bool {
        self.name.starts_with("diag/") && self.name.ends_with("_page.yaml")
    }

    /// The files and values of the fixture.
    pub(crate) fn workspace(&self) -> Workspace {
        let mut workspace = Workspace::new();
        let text = String::from_utf8_lossy(&self.bytes);
        let mut files = text.split("# file: ").skip(1).peekable();
        if files.peek().is_none() {
            workspace.add(self.name.clone(), self.bytes.clone());
        }
        for file in files {
            let (name, text) = file.split_once('\n').expect("a name, then the text");
            let file = match text.strip_prefix("# unreadable: ") {
                Some(reason) => workspace.add_unreadable(name, reason.trim_end()),
                None => workspace.add(name, text),
            };
            workspace.set_role(file, FileRole::Found);
        }
        for (path, value) in &self.values {
            workspace.add_values("values", path.clone(), value.as_str());
        }
        workspace
    }

    pub(crate) fn compile(&self) -> (Workspace, Compilation) {
        let workspace = self.workspace();
        let mut compilation = if let Some(against) = &self.against {
            self.applied(&workspace, against)
        } else if self.is_import {
            let imported = sandboxc::import(&workspace, &ImportOptions::default());
            let mut compilation = sandboxc::compile(&Workspace::new(), &self.options);
            compilation.objects = imported.objects;
            compilation.diagnostics = imported.diagnostics;
            compilation
        } else {
            sandboxc::compile(&workspace, &self.options)
        };
        compilation.diagnostics.retain(|it| !is_of_every_definition(it.rule.name, &self.name));
        (workspace, compilation)
    }

    /// The compilation, with the findings of applying its objects over the stored ones.
    fn applied(&self, workspace: &Workspace, against: &[u8]) -> Compilation {
        let mut options = self.options.clone();
        options.purpose = Purpose::Compare;
        let mut stored = Workspace::new();
        stored.add("stored.yaml", against.to_vec());
        let [old, mut new] = [&stored, workspace].map(|it| sandboxc::compile(it, &options));
        let sides = [DiffSide::new(&stored, &old), DiffSide::new(workspace, &new)];
        let found = sandboxc::check_update(&sides[0], &sides[1]).diagnostics;
        new.diagnostics.extend(found);
        new
    }
}

/// The new objects, and the stored ones.
fn parts(bytes: Vec<u8>) -> (Vec<u8>, Option<Vec<u8>>) {
    const MARK: &[u8] = b"\n--- # against\n";
    match bytes.windows(MARK.len()).position(|it| it == MARK) {
        Some(at) => (bytes[..=at].to_vec(), Some(bytes[at + MARK.len()..].to_vec())),
        None => (bytes, None),
    }
}

/// A fixture with the result of its compilation.
pub(crate) struct Compiled {
    pub fixture: Fixture,
    pub workspace: Workspace,
    pub compilation: Compilation,
}

impl Compiled {
    fn of(fixture: Fixture) -> Self {
        let (workspace, compilation) = fixture.compile();
        Self { fixture, workspace, compilation }
    }
}

/// The fixtures of rules: the examples of their pages, and `fixtures/diag`, sorted by name, but for those of
/// updates.
pub(crate) fn of_rules() -> Vec<Fixture> {
    all_of_rules().filter(|it| it.against.is_none()).collect()
}

fn all_of_rules() -> impl Iterator<Item = Fixture> {
    let mut all = rule_pages::fixtures();
    all.extend(fixtures("diag").iter().map(|path| Fixture::read(path)));
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all.into_iter()
}

/// The fixtures of rules and of typos.
pub(crate) fn of_rules_and_typos() -> Vec<Fixture> {
    let typos = fixtures("typos").into_iter().map(|path| Fixture::read(&path));
    of_rules().into_iter().chain(typos).collect()
}

/// All fixtures of rules. They are compiled once for all tests. Call this outside of parallel
/// work, since the first call waits for parallel work of its own.
pub(crate) fn diag() -> &'static [Compiled] {
    static ALL: LazyLock<Vec<Compiled>> =
        LazyLock::new(|| of_rules().into_par_iter().map(Compiled::of).collect());
    &ALL
}

/// The fixtures of the rules for updates, compiled once as [`diag`].
pub(crate) fn updates() -> &'static [Compiled] {
    static ALL: LazyLock<Vec<Compiled>> = LazyLock::new(|| {
        all_of_rules().filter(|it| it.against.is_some()).map(Compiled::of).collect()
    });
    &ALL
}

/// Whether most short definitions raise this rule. Only fixtures of that rule announce it.
pub(crate) fn is_of_every_definition(rule: &str, fixture: &str) -> bool {
    matches!(rule, "run-as-user-unset" | "fs-group-unset") && !fixture.contains(rule)
}

/// The findings in the format of announcements, sorted.
pub(crate) fn found(workspace: &Workspace, compilation: &Compilation) -> Vec<String> {
    let mut found: Vec<_> = compilation
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let place = workspace.locate(diagnostic.primary.span);
            let place = workspace.file(place.file).line_column(place.start);
            format!("{} {}:{}", diagnostic.rule.name, place.line, place.column)
        })
        .collect();
    found.sort();
    found
}

/// The span of the first `text` in a file.
pub(crate) fn find(workspace: &Workspace, file: FileId, text: &str) -> Span {
    let start = workspace.file(file).text().find(text).expect("text in the file");
    Span::new(file, u32::try_from(start).unwrap(), u32::try_from(start + text.len()).unwrap())
}

/// Compares a text with the snapshot with this name.
pub(crate) fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
