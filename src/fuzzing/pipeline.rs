//! The whole pipeline: `check`, `build` and `import`.

use serde_json::Value;

use super::text::is_cheap;
use crate::compile::{Options, Purpose, compile};
use crate::diag::{Diagnostic, Sink};
use crate::emit::{emit_files, emit_stream};
use crate::import::{ImportOptions, import};
use crate::kube::Object;
use crate::report::{Report, ReportFormat};
use crate::source::Workspace;
use crate::yaml;

/// The spans of all findings are inside the file, and every report format can show them.
pub(super) fn check(bytes: &[u8]) {
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", bytes);
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    let mut compilation = compile(&workspace, &options);
    workspace.mask(&compilation.secrets);
    compilation.diagnostics.truncate(50);
    for finding in &compilation.diagnostics {
        assert_is_inside(&workspace, finding);
    }
    let (findings, inputs) = (&compilation.diagnostics, &compilation.inputs);
    let report = Report::new(&workspace, inputs, findings);
    for format in ReportFormat::ALL {
        let text = report.render(*format);
        if matches!(format, ReportFormat::Json | ReportFormat::Sarif) {
            serde_json::from_str::<Value>(&text).expect("a report is JSON");
        }
    }
}

fn assert_is_inside(workspace: &Workspace, finding: &Diagnostic) {
    let span = workspace.locate(finding.primary.span);
    let text = workspace.file(span.file).text();
    assert!(text.get(span.range()).is_some(), "{} is not at characters", finding.rule.name);
}

/// The output of `build` is read back as the same objects, and is the same on every run.
pub(super) fn build(bytes: &[u8]) {
    if !is_cheap(&String::from_utf8_lossy(bytes)) {
        return;
    }
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", bytes);
    let compilation = compile(&workspace, &Options::default());
    if compilation.has_errors() {
        return;
    }
    let stream = emit_stream(&compilation.objects);
    let again = compile(&workspace, &Options::default());
    assert_eq!(stream, emit_stream(&again.objects), "two builds differ");
    assert_reads_as(&stream, &compilation.objects);
    let files = emit_files(&compilation.objects);
    assert_eq!(files.len(), compilation.objects.len());
    for (at, file) in files.iter().enumerate() {
        assert!(!file.name.contains(['/', '\\', '\0']) && !file.name.starts_with('.'));
        assert!(files.iter().skip(at + 1).all(|it| it.name != file.name), "{} twice", file.name);
    }
}

fn assert_reads_as(stream: &str, objects: &[Object]) {
    let mut workspace = Workspace::new();
    let file = workspace.add("output.yaml", stream);
    let mut sink = Sink::new();
    let documents = yaml::documents(file, stream, &mut sink).read;
    assert!(sink.reported().is_none(), "the output has errors: {:?}", sink.iter().next());
    let read: Vec<_> = documents.iter().map(|it| it.root.to_json()).collect();
    let made: Vec<_> = objects.iter().map(|it| it.root.to_json()).collect();
    assert_eq!(read, made, "the output reads as something else");
}

/// `import` returns findings, or definitions that can be read.
pub(super) fn import_files(bytes: &[u8]) {
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", bytes);
    let imported = import(&workspace, &ImportOptions::default());
    for finding in imported.diagnostics.iter().take(50) {
        assert_is_inside(&workspace, finding);
    }
}
