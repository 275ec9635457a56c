//! The commands other than `check`, each as the command of that name.

use sandboxc::{
    Annotations, Compilation, Diagnostic, DiffSide, ExplainOptions, FieldPath, FileChange, Graph,
    KubernetesVersion, Object, ObjectQuery, Paint, PodSecurityLevel, Purpose, QueryError, Safety,
    Severity, Versions, Workspace, diff as difference, emit_list, emit_stream, explain_field,
    format_files, json_schema_of, json_schema_text, mask_findings, render_diff_human, render_human,
    rules, write_remarked,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::check;
use crate::input::{Input, Run};
use crate::request::{Answer, ObjectFormat, Refusal, value};

/// The result of a command that requires input without errors.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    text: String,
    /// The objects, as `why` names them.
    objects: Vec<String>,
    /// Whether the text has the findings instead, because some are errors.
    has_errors: bool,
}

impl Output {
    fn of(workspace: &Workspace, compilation: &Compilation, text: impl FnOnce() -> String) -> Self {
        let has_errors = compilation.has_errors();
        let text = if has_errors { check::text(workspace, compilation) } else { text() };
        let objects = compilation.objects.iter().map(query_for_object).collect();
        Self { text, objects, has_errors }
    }
}

/// The query for an object; its namespace is in it if there is one.
fn query_for_object(object: &Object) -> String {
    let (kind, namespace, name) = (object.gvk().kind(), object.namespace(), object.name());
    if namespace.is_empty() {
        format!("{kind}/{name}")
    } else {
        format!("{kind}/{namespace}/{name}")
    }
}

pub(crate) fn info() -> Value {
    let rules = rules::all().into_iter().map(|it| it.name);
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "kubernetes": KubernetesVersion::all().map(|it| it.to_string()).collect::<Vec<_>>(),
        "newest": KubernetesVersion::NEWEST.to_string(),
        "policies": PodSecurityLevel::names().collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
    })
}

pub(crate) fn build(input: &Input, to: ObjectFormat, is_annotated: bool) -> Answer {
    let mut run = input.read()?;
    let compilation = run.compile_masked(Purpose::Build);
    let Run { workspace, .. } = &run;
    let objects = &compilation.objects;
    let text = || match to {
        ObjectFormat::Json => emit_list(objects),
        ObjectFormat::Yaml if is_annotated => {
            let annotations = Annotations::new(workspace, &compilation);
            write_text(|out| annotations.write_stream(objects, out))
        }
        ObjectFormat::Yaml => emit_stream(objects),
    };
    value(Output::of(workspace, &compilation, text))
}

pub(crate) fn effective(input: &Input) -> Answer {
    let mut run = input.read()?;
    let compilation = run.compile_masked(Purpose::Effective);
    let text = || write_text(|out| write_remarked(&compilation.objects, &compilation.remarks, out));
    value(Output::of(&run.workspace, &compilation, text))
}

/// The text that a function writes. Memory can always be written to.
fn write_text(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let _ = write(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) fn graph(input: &Input) -> Answer {
    let mut run = input.read()?;
    let compilation = run.compile_masked(Purpose::Build);
    let graph = Graph::of(&compilation)
        .map_err(|problem| Refusal::new(problem.as_prose(), "remove files"))?;
    let (svg, problem) = match graph.to_svg() {
        Ok(svg) => (Some(svg), None),
        Err(problem) => (None, Some(problem)),
    };
    Ok(json!({ "svg": svg, "problem": problem, "mermaid": graph.to_mermaid() }))
}

pub(crate) fn diff(old: &Input, new: &Input) -> Answer {
    let (mut old, mut new) = (old.read()?, new.read()?);
    let before = old.compile_masked(Purpose::Compare);
    let after = new.compile_masked(Purpose::Compare);
    for (side, run, compilation) in [("pinned", &old, &before), ("current", &new, &after)] {
        if compilation.has_errors() {
            let text = check::text(&run.workspace, compilation);
            return Ok(json!({ "text": text, "hasErrors": true, "side": side, "changes": 0 }));
        }
    }
    let sides = (DiffSide::new(&old.workspace, &before), DiffSide::new(&new.workspace, &after));
    let found = difference(&sides.0, &sides.1);
    let text = render_diff_human(&found, false, Paint::Plain);
    Ok(json!({ "text": text, "hasErrors": false, "side": "", "changes": found.objects.len() }))
}

pub(crate) fn why(input: &Input, object: &str, path: Option<&str>) -> Answer {
    let mut run = input.read()?;
    let compilation = run.compile(Purpose::Build);
    let Run { workspace, options } = &mut run;
    if compilation.has_errors() {
        workspace.mask(&compilation.secrets);
        return value(Output::of(workspace, &compilation, String::new));
    }
    let query = ObjectQuery::parse_like_kubectl(object).ok_or_else(|| {
        Refusal::new(format!("`{object}` is not an object"), "write `Kind/name`, as `Sandbox/dev`")
    })?;
    let refused = |error: QueryError| Refusal::new(error.to_string(), error.help());
    let found = query.find_compiled(&compilation.objects, &compilation.inputs).map_err(refused)?;
    let scopes = std::mem::take(&mut options.scopes);
    let file = workspace.file_at(found.document()).id();
    sandboxc::Scope::enter(scopes, workspace, file);
    let text = match path.filter(|path| !path.is_empty()) {
        Some(path) => {
            let path = FieldPath::from(path);
            let explanation = sandboxc::why(workspace, options, &compilation, found, &path);
            explanation.map_err(refused)?.render()
        }
        None => Annotations::new(workspace, &compilation)
            .explain_object(options, found)
            .map_err(refused)?,
    };
    value(Output::of(workspace, &compilation, || text))
}

pub(crate) fn fix(input: &Input, is_unsafe: bool) -> Answer {
    let Run { workspace, mut options } = input.read()?;
    options.purpose = Purpose::Check;
    let level = if is_unsafe { Safety::Unsafe } else { Safety::Safe };
    let fixed = sandboxc::fix(&workspace, &options, level);
    let changes = changes_as_json(fixed.changes(&workspace));
    Ok(json!({ "changes": changes, "applied": fixed.applied, "unsafeLeft": fixed.unsafe_left }))
}

pub(crate) fn format(input: &Input) -> Answer {
    let Run { mut workspace, .. } = input.read()?;
    let formatted = format_files(&workspace);
    let changes = changes_as_json(formatted.changes(&workspace));
    workspace.mask(&formatted.secrets);
    let is_error = |finding: &&Diagnostic| finding.severity == Severity::Error;
    let errors: Vec<_> = formatted.diagnostics.iter().filter(is_error).cloned().collect();
    Ok(json!({ "changes": changes, "text": render_human(&workspace, &errors, Paint::Plain) }))
}

fn changes_as_json(changes: Vec<FileChange>) -> Vec<Value> {
    changes.into_iter().map(|change| json!({ "name": change.name, "text": change.after })).collect()
}

pub(crate) fn split(input: &Input, file: &str) -> Answer {
    let run = input.read()?;
    let mut split = sandboxc::split(&run.workspace, run.file(file)?);
    let shown = mask_findings(&run.workspace, &mut split.diagnostics);
    let parts = split.parts.iter().map(|part| {
        let (kind, name) = part.kind_and_name().unwrap_or_default();
        json!({ "kind": kind, "name": name, "text": part.text })
    });
    Ok(json!({
        "parts": parts.collect::<Vec<_>>(),
        "text": render_human(&shown, &split.diagnostics, Paint::Plain),
    }))
}

pub(crate) fn explain(subject: Option<&str>, api_version: Option<&str>) -> Answer {
    let Some(subject) = subject.map(str::trim).filter(|subject| !subject.is_empty()) else {
        let rule = |rule: &sandboxc::Rule| {
            let (name, severity) = (rule.name, rule.severity.as_str());
            json!({ "name": name, "severity": severity, "summary": rules::summary(rule) })
        };
        let all: Vec<_> = rules::all().into_iter().map(rule).collect();
        return Ok(json!({ "rules": all }));
    };
    if let Some(rule) = rules::find(subject) {
        return Ok(json!({ "page": rules::page(rule) }));
    }
    let options = ExplainOptions { api_version, is_recursive: false };
    let explained = explain_field(subject, options);
    explained
        .map(|text| json!({ "text": text }))
        .map_err(|problem| Refusal::new(problem.message, problem.help))
}

pub(crate) fn schema(kind: Option<&str>, kubernetes: Option<&str>) -> Answer {
    let versions = kubernetes.and_then(Versions::parse);
    // The fields of the oldest version exist in all of them.
    let target = versions.and_then(Versions::first).unwrap_or(KubernetesVersion::NEWEST);
    let text = match kind.filter(|kind| !kind.is_empty()) {
        None => json_schema_text(target),
        Some(kind) => json_schema_of(kind, target).map_err(|known| {
            let message = format!("`{kind}` is not a kind of definition");
            Refusal::new(message, format!("kinds are {}", known.join(", ")))
        })?,
    };
    Ok(json!({ "text": text }))
}
