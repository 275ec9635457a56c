//! The repair of a reference to an object that is not in the project: the name of a similar one that is.

use std::ops::Range;

use crate::diag::{About, Diagnostic, nearest};
use crate::kube::meeting_namespace;
use crate::source::Workspace;

use super::index::Index;

/// Returns the title of the repair, the part of the finding's file to replace, and its new text. `None` for
/// other findings, without a similar name, and for a name that is not written at the finding.
///
/// The finding itself does not suggest it, because the name of the author can be that of an object in the
/// cluster.
#[must_use]
pub fn correct_name(
    index: &Index,
    workspace: &Workspace,
    diagnostic: &Diagnostic,
) -> Option<(String, Range<usize>, String)> {
    let About::AbsentObject(object) = &diagnostic.details().about else { return None };
    let (file, span) = workspace.file_and_span(diagnostic.primary.span);
    let written = file.text().get(span.range())?;
    let quote = if written.starts_with(['"', '\'']) { written.get(..1)? } else { "" };
    if written != format!("{quote}{}{quote}", object.name) {
        return None;
    }
    let namespace = meeting_namespace(&object.namespace);
    let kinds = [object.kind.as_str()];
    let found = index.of_kinds(&kinds).filter(|it| {
        // One without a namespace can get that of the Project.
        let own = it.outline.namespace(it.document);
        own.is_empty() || meeting_namespace(own) == namespace
    });
    let names: Vec<_> = found.map(|it| it.outline.name(it.document)).collect();
    let names = names.into_iter().filter(|it| !it.is_empty() && !it.contains("{{"));
    let near = nearest(&object.name, names)?;
    let title = format!("Did you mean `{near}` (may change the meaning)");
    Some((title, span.range(), format!("{quote}{near}{quote}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Options, compile};
    use crate::schema::Versions;

    /// The text after the only correction of a name.
    fn corrected(text: &str) -> Option<String> {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        let index = Index::of(&workspace, Versions::NONE);
        let findings = compile(&workspace, &Options::default()).diagnostics;
        let found = findings.iter().find_map(|it| correct_name(&index, &workspace, it));
        found.map(|(_, range, new)| {
            let mut text = text.to_owned();
            text.replace_range(range, &new);
            text
        })
    }

    const POOL: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: python}\n\
                        spec: {image: 'a:1'}\n---\napiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\n\
                        metadata: {name: pool}\nspec: {template: python}\n";

    #[test]
    fn a_similar_name_of_the_project_is_offered() {
        assert_eq!(corrected(POOL), None);
        for quote in ["", "\"", "'"] {
            let name =
                |name: &str| POOL.replace("te: python}", &format!("te: {quote}{name}{quote}}}"));
            assert_eq!(corrected(&name("pyhton")), Some(name("python")));
            assert_eq!(corrected(&name("other")), None);
        }
    }

    #[test]
    fn an_object_of_another_kind_or_namespace_is_not_offered() {
        let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: web}\nspec:\n  \
                   containers: [{name: a, image: 'b:1', envFrom: [{secretRef: {name: tokn}}]}]\n";
        let with = |kind: &str, namespace: &str| {
            format!(
                "{pod}---\napiVersion: v1\nkind: {kind}\nmetadata: {{name: token, namespace: {namespace}}}\n"
            )
        };
        let secret = with("Secret", "web");
        assert_eq!(corrected(&secret), Some(secret.replace("tokn", "token")));
        assert_eq!(corrected(&with("ConfigMap", "web")), None);
        assert_eq!(corrected(&with("Secret", "other")), None);
    }
}
