//! The modules that each module may import.

use std::path::Path;

use super::{SOURCES, texts};

/// Each module and the modules that it may import. These are in lines above it, so a cycle is
/// impossible.
pub(super) const LAYERS: &[(&str, &[&str])] = &[
    ("sorted", &[]),
    ("parallel", &[]),
    ("limits", &[]),
    ("markup", &[]),
    ("source", &["limits"]),
    ("message", &[]),
    ("scalar", &["source", "message"]),
    ("diag", &["limits", "source", "message", "scalar"]),
    ("tree", &["source", "scalar", "diag"]),
    ("yaml", &["limits", "parallel", "markup", "source", "scalar", "diag", "tree"]),
    ("schema", &["limits", "source", "scalar", "diag", "tree", "yaml"]),
    ("convert", &["source", "scalar", "diag", "tree", "schema"]),
    ("rewrite", &["source", "tree", "yaml"]),
    ("cel", &["limits", "source", "scalar", "diag", "tree", "schema"]),
    ("kube", &["limits", "source", "scalar", "diag", "tree", "yaml", "schema"]),
    ("applying", &["tree", "schema", "kube"]),
    ("pod_security", &["source", "diag", "tree", "schema"]),
    ("folder", &["source", "diag", "tree", "yaml", "kube"]),
    ("decode", &["source", "scalar", "diag", "tree", "schema"]),
    ("expand", &["limits", "source", "scalar", "diag", "tree", "schema", "decode"]),
    ("merge", &["source", "scalar", "diag", "tree", "schema"]),
    (
        "crd",
        &[
            "limits", "parallel", "source", "scalar", "diag", "tree", "yaml", "schema", "cel",
            "kube",
        ],
    ),
    ("lower", LOWER),
    ("workload", WORKLOAD),
    (
        "project",
        &[
            "limits",
            "source",
            "scalar",
            "diag",
            "tree",
            "yaml",
            "schema",
            "kube",
            "decode",
            "pod_security",
            "workload",
        ],
    ),
    ("discovery", &["source", "diag", "tree", "yaml", "kube", "lower", "project"]),
    ("object_query", &["diag", "tree", "kube"]),
    ("test_case", TEST_CASE),
    ("dialect", DIALECT),
    ("validate", VALIDATE),
    ("effective", &["limits", "source", "diag", "tree", "kube", "lower"]),
    ("emit", &["parallel", "markup", "source", "diag", "tree", "yaml", "kube"]),
    (
        "import",
        &["markup", "source", "diag", "tree", "yaml", "expand", "kube", "lower", "dialect", "emit"],
    ),
    ("unevaluated", &["diag", "tree", "kube", "expand"]),
    (
        "findings",
        &[
            "limits",
            "source",
            "scalar",
            "diag",
            "tree",
            "yaml",
            "schema",
            "kube",
            "folder",
            "decode",
            "expand",
            "lower",
            "project",
            "validate",
            "unevaluated",
        ],
    ),
    ("rules", RULES),
    ("report", &["limits", "parallel", "markup", "source", "diag", "kube", "rules", "findings"]),
    ("collect", &["source", "diag", "tree", "yaml", "kube", "folder", "findings"]),
    ("language", LANGUAGE),
    ("compile", COMPILE),
    ("diff", DIFF),
    ("why", WHY),
    ("testing", TESTING),
    ("edited", &["source", "diag", "findings"]),
    ("krm", KRM),
    ("fix", &["limits", "source", "diag", "schema", "findings", "compile", "edited"]),
    ("format", &["parallel", "source", "diag", "yaml", "schema", "folder", "edited"]),
    ("migrate", MIGRATE),
    ("adopt", ADOPT),
    ("systems", &["source", "tree", "kube", "crd", "lower", "dialect", "compile"]),
    ("graph", &["limits", "markup", "source", "diag", "tree", "kube", "validate", "compile"]),
    ("ide", IDE),
    ("fuzzing", FUZZING),
    // The command uses the library like any other program.
    ("cli", &[]),
];

/// What an editor shows.
const IDE: &[&str] = &[
    "discovery",
    "markup",
    "parallel",
    "source",
    "diag",
    "tree",
    "yaml",
    "schema",
    "kube",
    "findings",
    "expand",
    "lower",
    "project",
    "dialect",
    "emit",
    "rules",
    "report",
    "language",
    "compile",
    "why",
    "fix",
    "format",
];

const KRM: &[&str] = &[
    "markup",
    "source",
    "diag",
    "tree",
    "yaml",
    "schema",
    "rewrite",
    "kube",
    "pod_security",
    "decode",
    "lower",
    "project",
    "report",
];

const LANGUAGE: &[&str] = &[
    "markup",
    "source",
    "diag",
    "tree",
    "schema",
    "kube",
    "decode",
    "expand",
    "project",
    "crd",
    "lower",
    "workload",
    "test_case",
    "dialect",
    "rules",
];

/// The document with expectations.
const TEST_CASE: &[&str] =
    &["source", "diag", "tree", "schema", "kube", "decode", "lower", "project", "object_query"];

/// The comparison of the result of a run with expectations.
const TESTING: &[&str] = &[
    "markup",
    "parallel",
    "source",
    "diag",
    "tree",
    "yaml",
    "schema",
    "kube",
    "findings",
    "decode",
    "emit",
    "object_query",
    "test_case",
    "rules",
    "report",
    "compile",
    "diff",
    "why",
];

/// The conversion of objects in the source.
const MIGRATE: &[&str] = &[
    "source", "scalar", "diag", "tree", "yaml", "schema", "convert", "rewrite", "kube", "folder",
    "lower", "dialect", "findings", "compile", "edited", "fix", "format",
];

/// The import of custom resources, whose definitions are built and compared.
const ADOPT: &[&str] = &[
    "source", "scalar", "diag", "tree", "schema", "convert", "rewrite", "kube", "expand", "lower",
    "dialect", "emit", "import", "findings", "compile", "diff",
];

/// The comparison of the results of two runs.
const DIFF: &[&str] = &[
    "applying", "limits", "markup", "parallel", "source", "scalar", "diag", "tree", "yaml",
    "schema", "kube", "findings", "merge", "crd", "lower", "project", "dialect", "validate",
    "report", "compile",
];

/// Modules that explain the result of a run.
const WHY: &[&str] = &[
    "markup",
    "limits",
    "source",
    "diag",
    "tree",
    "yaml",
    "expand",
    "schema",
    "kube",
    "crd",
    "lower",
    "emit",
    "findings",
    "object_query",
    "compile",
];

const LOWER: &[&str] = &[
    "limits", "parallel", "source", "scalar", "diag", "tree", "schema", "convert", "kube",
    "decode", "expand", "merge", "crd",
];

const WORKLOAD: &[&str] = &[
    "source",
    "scalar",
    "diag",
    "tree",
    "schema",
    "kube",
    "pod_security",
    "decode",
    "merge",
    "lower",
];

/// The modules that a system may import, which never include another system.
const DIALECT: &[&str] = &[
    "limits",
    "parallel",
    "source",
    "scalar",
    "diag",
    "tree",
    "schema",
    "kube",
    "decode",
    "project",
    "merge",
    "crd",
    "lower",
    "pod_security",
    "workload",
    "convert",
];

const VALIDATE: &[&str] = &[
    "limits",
    "parallel",
    "source",
    "scalar",
    "diag",
    "tree",
    "schema",
    "cel",
    "kube",
    "applying",
    "pod_security",
    "crd",
    "convert",
];

/// Every module that declares rules.
const RULES: &[&str] = &[
    "source",
    "diag",
    "yaml",
    "folder",
    "schema",
    "kube",
    "decode",
    "expand",
    "project",
    "merge",
    "lower",
    "workload",
    "dialect",
    "crd",
    "validate",
    "findings",
    "effective",
    "import",
    "pod_security",
    "test_case",
    "unevaluated",
];

/// The fuzzed modules.
const FUZZING: &[&str] = &[
    "limits", "source", "diag", "tree", "yaml", "cel", "kube", "expand", "emit", "import",
    "report", "findings", "compile", "ide", "schema",
];

/// Every stage.
const COMPILE: &[&str] = &[
    "discovery",
    "limits",
    "parallel",
    "source",
    "diag",
    "tree",
    "yaml",
    "folder",
    "schema",
    "kube",
    "decode",
    "expand",
    "project",
    "merge",
    "lower",
    "workload",
    "dialect",
    "crd",
    "validate",
    "effective",
    "emit",
    "findings",
    "test_case",
    "rules",
    "pod_security",
    "unevaluated",
];

/// The modules that may use a particular crate, or a part of the standard library.
const OWNERS: &[(&str, &[&str])] = &[
    ("granit_parser", &["yaml"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("annotate_snippets", &["report"]),
    ("k8s_openapi", &["lower", "workload", "dialect"]),
    ("minijinja", &["expand"]),
    ("rayon_core", &["parallel"]),
    ("ignore", &["cli"]),
    ("notify", &["cli"]),
    ("flate2", &["cli", "schema"]),
    ("tar", &["cli"]),
    ("similar", &["diff", "ide", "cli"]),
    ("lsp_server", &["cli"]),
    ("gen_lsp_types", &["cli"]),
    ("tempfile", &["cli"]),
    ("signal_hook", &["cli"]),
    ("std::fs", &["cli"]),
    ("std::env", &["cli"]),
    ("std::net", &[]),
    ("std::time", &["cli"]),
    ("std::process", &["cli"]),
];

/// Modules that all others may import, as the collections of the standard library.
const COMMON: [&str; 1] = ["sorted"];

/// The macros that are used by several crates.
const MACROS: [&str; 2] = ["declare_rules", "record"];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = table_complaints();
    let files = texts(repository, SOURCES, &["rs"]);
    let tests = test_modules(&files);
    for (path, text) in &files {
        // Tests may use any layer.
        if tests.iter().any(|test| path.starts_with(test)) {
            continue;
        }
        let Some(file) = File::new(path) else { continue };
        let Some(allowed) = file.allowed() else {
            let module = &file.module;
            complaints.push(format!(
                "{path}: `{module}` has no line in the table of tests/suite/tidy/layers.rs"
            ));
            continue;
        };
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with("mod tests {") {
                break;
            }
            for complaint in file.line_complaints(code_of(line), allowed) {
                complaints.push(format!("{path}:{number}: {complaint}"));
            }
        }
    }
    complaints
}

/// The path prefixes of modules that are only compiled for tests.
pub(super) fn test_modules(files: &[(String, String)]) -> Vec<String> {
    let mut modules = Vec::new();
    for (path, text) in files {
        let folder = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line != "#[cfg(test)]" {
                continue;
            }
            let next = lines.next().map(|line| line.trim_start_matches("pub(crate) "));
            let declared = next.and_then(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
            if let Some(name) = declared {
                modules.extend([format!("{folder}/{name}.rs"), format!("{folder}/{name}/")]);
            }
        }
    }
    modules
}

/// Checks the table itself: a line only names lines above it.
fn table_complaints() -> Vec<String> {
    let mut complaints = Vec::new();
    for (at, (module, allowed)) in LAYERS.iter().enumerate() {
        for name in *allowed {
            if !LAYERS[..at].iter().any(|(above, _)| above == name) {
                complaints
                    .push(format!("the line of `{module}` names `{name}`, which is not above it"));
            }
        }
    }
    complaints
}

/// The line without a comment. `://` is part of an address.
pub(super) fn code_of(line: &str) -> &str {
    let starts = line.match_indices("//").map(|(at, _)| at);
    let mut comments = starts.filter(|at| !line[..*at].ends_with(':'));
    comments.next().map_or(line, |at| &line[..at])
}

struct File {
    /// `diag`, or `dialect/kelos`.
    module: String,
    /// The number of `super` that lead to the root of the crate.
    depth: usize,
}

/// The packages without layers: a macro, the reading of files, and programs that use the library.
const WITHOUT_LAYERS: [&str; 4] =
    ["crates/message/", "crates/files/", "crates/wasm/", "crates/python/"];

/// The path below the folder `src` of its crate.
fn inside(path: &str) -> Option<&str> {
    if WITHOUT_LAYERS.iter().any(|it| path.starts_with(it)) {
        return None;
    }
    let in_crate = path.strip_prefix("crates/").and_then(|it| it.split_once('/'));
    in_crate.map_or(path, |(_, path)| path).strip_prefix("src/")
}

impl File {
    /// The module path of a file; empty for the roots.
    fn new(path: &str) -> Option<Self> {
        let mut parts: Vec<_> = inside(path)?.trim_end_matches(".rs").split('/').collect();
        if parts.last() == Some(&"mod") {
            parts.pop();
        }
        let module = match parts.as_slice() {
            ["lib" | "main"] | [] => return None,
            ["dialect", system, ..] => format!("dialect/{system}"),
            [module, ..] => (*module).to_owned(),
        };
        Some(Self { module, depth: parts.len() })
    }

    fn allowed(&self) -> Option<&'static [&'static str]> {
        let name = self.module.split('/').next()?;
        LAYERS.iter().find(|(module, _)| *module == name).map(|(_, allowed)| *allowed)
    }

    fn line_complaints(&self, code: &str, allowed: &[&str]) -> Vec<String> {
        let mut complaints = Vec::new();
        let module = &self.module;
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            if rest.starts_with('{') {
                complaints.push("write one `use` per module, not `crate::{...}`".to_owned());
                continue;
            }
            let imported = self.imported(rest);
            // A macro that other crates use is at the root of its crate.
            let is_common = MACROS.iter().chain(&COMMON).any(|it| *it == imported);
            if imported != *module && !is_common && !allowed.contains(&imported.as_str()) {
                complaints.push(format!("`{module}` may not import `{imported}`"));
            }
        }
        if code.contains(&"super::".repeat(self.depth)) {
            complaints.push(format!("`super` leads out of `{module}`; write `crate::`"));
        }
        for (name, owners) in OWNERS {
            let owner = module.split('/').next().unwrap_or("");
            if names(code, name) && !owners.contains(&owner) {
                complaints.push(format!("`{name}` belongs to `{}`", owners.join("`, `")));
            }
        }
        complaints
    }

    /// The module at the start of a path after `crate::`.
    fn imported(&self, rest: &str) -> String {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut parts =
            rest.split("::").map(|part| part.split(|c| !is_name(c)).next().unwrap_or(""));
        let first = parts.next().unwrap_or("");
        match parts.next() {
            // Items of `dialect` itself are shared by its systems.
            Some(system) if first == "dialect" && self.module.starts_with("dialect/") => {
                format!("dialect/{system}")
            }
            _ => first.to_owned(),
        }
    }
}

/// Whether the code uses the crate: its name as a whole word, followed by a path.
fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
            && matches!(after, Some(':' | ';'))
    })
}
