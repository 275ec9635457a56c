//! Exceptions in the Project: `spec.allow`.

use globset::{GlobBuilder, GlobMatcher};

use super::{Cx, EXCEPTION_MALFORMED, Exception, Left, find_rule, report_no_reason};
use crate::decode::Text;
use crate::diag::{Diagnostic, Sink};
use crate::kube::InputObject;
use crate::limits;
use crate::project::Allowed;

/// The exceptions of the Project.
pub(super) struct Exceptions {
    list: Vec<InProject>,
}

struct InProject {
    exception: Exception,
    kind: Option<String>,
    name: Option<GlobMatcher>,
    file: Option<GlobMatcher>,
}

impl Exceptions {
    pub(super) fn read(cx: &Cx<'_>, sink: &mut Sink) -> Self {
        Self { list: cx.project.allow.iter().filter_map(|it| read(cx, it, sink)).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a finding is allowed. Marks every exception for it as used.
    pub(super) fn allow(&mut self, finding: &Diagnostic, cx: &Cx<'_>) -> bool {
        let mut is_allowed = false;
        for InProject { exception, kind, name, file } in &mut self.list {
            if exception.rule.name != finding.rule.name {
                continue;
            }
            let place = finding.primary.span;
            let object = InputObject::index_at(cx.inputs, place).and_then(|at| cx.inputs.get(at));
            let has = |matches: &dyn Fn(&InputObject) -> bool| object.is_some_and(matches);
            let is_for = kind.as_ref().is_none_or(|kind| has(&|it| it.gvk.kind == *kind))
                && name.as_ref().is_none_or(|name| has(&|it| name.is_match(&it.name)))
                && file.as_ref().is_none_or(|glob| glob.is_match(name_from_project(cx, finding)));
            if is_for {
                is_allowed |= exception.meet(finding);
            }
        }
        is_allowed
    }

    pub(super) fn report_useless(&self, left: &Left<'_>, sink: &mut Sink) {
        for InProject { exception, kind, name, file } in &self.list {
            let is_limited = kind.is_some() || name.is_some() || file.is_some();
            let around = if is_limited { "within its limits" } else { "in any file" };
            exception.report_useless(around, left, sink);
        }
    }
}

fn read(cx: &Cx<'_>, allowed: &Allowed, sink: &mut Sink) -> Option<InProject> {
    let Allowed { rule, kind, name, file, because } = allowed;
    if because.as_str().trim().is_empty() {
        report_no_reason(because.span(), sink);
        return None;
    }
    let found = find_rule(cx, rule.as_str(), rule.span(), sink);
    let name = glob(name.as_ref(), sink);
    let file = glob(file.as_ref(), sink);
    let kind = kind.as_ref().map(|it| it.as_str().to_owned());
    Some(InProject {
        exception: Exception::new(found?, rule.span()),
        kind,
        name: name.ok()?,
        file: file.ok()?,
    })
}

/// A glob as in the inputs of the command line; reports an invalid one.
fn glob(text: Option<&Text>, sink: &mut Sink) -> Result<Option<GlobMatcher>, ()> {
    let Some(text) = text else { return Ok(None) };
    let most = limits::GLOB_ALTERNATIVES;
    if text.as_str().matches('{').count() > most.count() {
        let message = format!("glob with more than {} `{{`", most.most);
        sink.report(Diagnostic::new(&EXCEPTION_MALFORMED, text.span(), message));
        return Err(());
    }
    match GlobBuilder::new(text.as_str()).literal_separator(true).build() {
        Ok(glob) => Ok(Some(glob.compile_matcher())),
        Err(error) => {
            let message = format!("invalid glob `{}`: {}", text.as_str(), error.kind());
            sink.report(
                Diagnostic::new(&EXCEPTION_MALFORMED, text.span(), message)
                    .help("`*` matches a part of a name, `**` matches any directories"),
            );
            Err(())
        }
    }
}

/// The name of a finding's file, relative to the folder of the Project if it is below it.
fn name_from_project<'r>(cx: &Cx<'r>, finding: &Diagnostic) -> &'r str {
    let name = cx.texts.file_at(finding.primary.span).name();
    let project = cx.project.place.map_or("", |place| cx.texts.file_at(place).name());
    let folder = project.rfind('/').map_or("", |at| project.get(..=at).unwrap_or(""));
    name.strip_prefix(folder).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;
    use crate::{Options, compile};

    #[test]
    fn the_glob_limit_is_exact() {
        for (more, expected) in [(-1, 0), (0, 0), (1, 1)] {
            let count = limits::GLOB_ALTERNATIVES.count().checked_add_signed(more).unwrap();
            let glob = format!("{}a{}", "{".repeat(count), "}".repeat(count));
            let mut workspace = Workspace::new();
            workspace.add(
                "project.yaml",
                format!(
                    "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {{name: p}}\n\
                     spec: {{allow: [{{rule: unknown-field, file: '{glob}', because: x}}]}}\n"
                ),
            );
            let compilation = compile(&workspace, &Options::default());
            let is_it = |it: &&Diagnostic| it.rule.name == EXCEPTION_MALFORMED.name;
            assert_eq!(compilation.diagnostics.iter().filter(is_it).count(), expected, "{count}");
        }
    }
}
