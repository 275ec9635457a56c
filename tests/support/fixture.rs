//! A fixture: its announcements, and its compilation.

use std::collections::BTreeSet;
use std::path::Path;

use memchr::memmem;
use sandboxc::{
    Compilation, DiffSide, FileRole, ImportOptions, Options, Paint, PodSecurityLevel, Purpose,
    Rule, Versions, Workspace, render_human,
};

use super::{cases, root};

/// The maximum number of findings in an output.
const MAX_SHOWN: usize = 20;

/// The inputs below `fixtures/<folder>`, sorted by path. Those of the rules are below `diag`.
pub(crate) fn fixtures(folder: &str) -> Vec<Fixture> {
    inputs(folder).into_iter().map(|(name, bytes)| Fixture::new(name, bytes)).collect()
}

/// The bytes of the inputs below `fixtures/<folder>`, and their paths below `fixtures` with `/` as separator.
pub(crate) fn inputs(folder: &str) -> Vec<(String, Vec<u8>)> {
    let name = |path: &Path| path.to_str().expect("UTF-8").replace('\\', "/");
    let inputs = cases::inputs(root(), folder).into_iter();
    inputs.map(|(path, bytes)| (name(&path), bytes)).collect()
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
        values.extend(announced("set:").into_iter().map(|setting| {
            let (path, value) = setting.split_once('=').expect("path=value");
            (path.split('.').map(str::to_owned).collect(), value.to_owned())
        }));
        let mut expected = announced("expect:");
        expected.sort();
        Self { name, bytes, against, expected, options, values, arguments, is_import }
    }

    /// The name of the case: `err_a` of `diag/a-rule/err_a.yaml`.
    pub(crate) fn case(&self) -> String {
        let (_, file) = self.name.rsplit_once('/').unwrap_or(("", &self.name));
        file.trim_end_matches(".yaml").to_owned()
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
        compilation
            .diagnostics
            .retain(|finding| !is_of_every_definition(finding.rule.name, &self.name));
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
    match memmem::find(&bytes, MARK) {
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
    pub(crate) fn of(fixture: Fixture) -> Self {
        let (workspace, compilation) = fixture.compile();
        Self { fixture, workspace, compilation }
    }

    /// What is wrong with the findings of a case of a rule.
    pub(crate) fn complaint(&self, rule: &Rule) -> Option<String> {
        let Self { fixture, workspace, compilation } = self;
        let case = fixture.case();
        let is_err = match case.split_once('_') {
            Some(("err", _)) => true,
            Some(("ok", _)) => false,
            _ => return Some(format!("{case} starts neither with err_ nor with ok_")),
        };
        let found = found(workspace, compilation);
        let raises_rule = found.iter().any(|finding| finding.split(' ').next() == Some(rule.name));
        let is_announced = match (fixture.is_page(), is_err) {
            (true, true) => self.raises_only(rule),
            (true, false) => true,
            (false, _) => found == fixture.expected,
        };
        (is_err != raises_rule || !is_announced).then(|| {
            let messages: Vec<_> =
                compilation.diagnostics.iter().map(|it| &it.details().message).collect();
            format!(
                "{case}\n  announced {:?}\n  found     {found:?}\n  messages  {messages:?}",
                fixture.expected
            )
        })
    }

    /// Whether the example of a page raises its rule, and no other.
    fn raises_only(&self, rule: &Rule) -> bool {
        let also = ALSO_RAISED.iter().filter(|(name, _)| *name == rule.name);
        let expected: BTreeSet<_> = also.map(|(_, other)| *other).chain([rule.name]).collect();
        let found = self.compilation.diagnostics.iter().map(|it| it.rule.name);
        found.collect::<BTreeSet<_>>() == expected
    }

    /// The messages of a case `err_*`, and of an example of a page that has findings, so that each message is
    /// read before it is accepted.
    pub(crate) fn output(&self) -> Option<String> {
        let Self { fixture, workspace, compilation } = self;
        let is_shown = fixture.is_page() && !compilation.diagnostics.is_empty();
        if !fixture.case().starts_with("err_") && !is_shown {
            return None;
        }
        // The example of the limit on findings has as many.
        let (first, others) =
            compilation.diagnostics.split_at_checked(MAX_SHOWN).unwrap_or_default();
        Some(match others.len() {
            0 => render_human(workspace, &compilation.diagnostics, Paint::Plain),
            count => {
                render_human(workspace, first, Paint::Plain) + &format!("... and {count} others\n")
            }
        })
    }
}

/// Examples that necessarily raise another rule as well.
const ALSO_RAISED: &[(&str, &str)] = &[
    // Only a Runner that compiles to no objects has settings without effect.
    ("runner-setting-unused", "runner-not-compiled"),
    // Only a deprecated version has claims of a template.
    ("claim-of-any-pool", "api-version-deprecated"),
    // The files differ, but they define the same object.
    ("definition-ambiguous", "object-in-several-files"),
    // The kubelet also rejects the forbidden setting.
    ("pod-security-run-as-root", "run-as-non-root-conflict"),
    // The error remains.
    ("exception-for-error", "unknown-field"),
    // A Sandbox name that leaves no room for `work-` is always too long for a label.
    ("volume-claim-name-long", "sandbox-name-long"),
    // The findings that exceed the limit.
    ("too-many-findings", "field-missing"),
    // The API server requires the host network for a HostProcess container.
    ("pod-security-host-process", "pod-security-host-namespaces"),
    ("pod-security-host-process", "template-host-network"),
];

/// Whether most short definitions raise this rule. Only fixtures of that rule announce it.
fn is_of_every_definition(rule: &str, fixture: &str) -> bool {
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
