//! Placeholders that were not substituted: `${APP}`, `$(APP)`, `__APP__`, `@APP@`, `<APP>`, `[YOUR APP]`,
//! `{{ .Values.app }}`.
//!
//! A manifest that is a template for another program is full of placeholders, and each violates the
//! rules of its field. The only mistake is that the program was not run. So an error about such a
//! value is replaced by an error about the placeholder, and all findings about one variable are
//! grouped. Severity and versions stay the same.

use crate::diag::{
    About, CommonCause, Diagnostic, FieldPath, PathStep, Severity, Sink, declare_rules, message,
};
use crate::scalar::Placeholder;
use crate::source::{Span, Workspace};
use crate::yaml;

declare_rules! {
    PLACEHOLDER_NOT_SUBSTITUTED = "placeholder-not-substituted", Error;
}

/// The maximum length, in bytes, of a value in which placeholders are searched.
const MAX_VALUE_LENGTH: usize = 300;

/// Words of placeholders in capitals.
const PLACEHOLDER_WORDS: [&str; 20] = [
    "CHANGE",
    "CHANGEME",
    "FIXME",
    "IMAGE",
    "INSERT",
    "NAME",
    "PLACEHOLDER",
    "PROJECT",
    "REGISTRY",
    "REPLACE",
    "REPLACEME",
    "REPO",
    "REPOSITORY",
    "TAG",
    "TBD",
    "TODO",
    "USERNAME",
    "VERSION",
    "XXX",
    "YOUR",
];

/// Fields in which Kubernetes expands `$(APP)`, or that contain arbitrary text.
const EXPANDED: [&str; 7] =
    ["args", "command", "data", "env", "lifecycle", "stringData", "subPathExpr"];

/// Whether a finding is about a placeholder.
pub(crate) fn is_placeholder(finding: &Diagnostic) -> bool {
    *finding.rule == PLACEHOLDER_NOT_SUBSTITUTED
}

/// Replaces errors about values that contain placeholders, and warnings about such names.
/// Definitions are skipped: their expressions look like placeholders. `is_value` decides whether a
/// placeholder is an expression that reads a value of the Project.
pub(crate) fn replace(
    texts: &Workspace,
    is_value: &dyn Fn(&str) -> bool,
    is_definition: &dyn Fn(Span) -> bool,
    findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let placeholder = |finding: &Diagnostic| {
        let is_error = finding.severity == Severity::Error && !finding.is_policy;
        let is_name = |path: &FieldPath| path.starts_with(&["metadata"]);
        let is_reference = matches!(finding.details().about, About::AbsentObject(_));
        let is_open = |it: &&FieldPath| is_error || is_reference || is_name(it) || is_image(it);
        let place = finding.primary.span;
        if *finding.rule == yaml::TEMPLATE_NOT_QUOTED {
            let found = find(texts.slice(place), &FieldPath::from(""));
            let is_of_others = |it: &Placeholder<'_>| it.is_of_go() || it.opening == "${";
            return found.filter(|it| is_of_others(it) && !is_definition(place));
        }
        if *finding.rule == yaml::RESERVED_CHARACTER {
            let found = find(texts.slice(value_of(finding)), &FieldPath::from(""));
            return found.filter(|it| it.opening == "@");
        }
        // Some rules recognize placeholders themselves.
        let is_known = matches!(finding.details().common_cause, Some(CommonCause::Placeholder(_)));
        let path = finding.details().path.as_ref().filter(|it| is_open(it) && !is_known)?;
        // Definitions have expressions.
        let is_judged = |it: &Placeholder<'_>| is_image(path) && it.opening != "{{";
        find(texts.slice(place), path).filter(|it| is_judged(it) || !is_definition(place))
    };
    let found: Vec<_> = findings.iter().map(placeholder).collect();
    if found.iter().all(Option::is_none) {
        return findings;
    }
    let mut sink = Sink::new();
    for (finding, found) in findings.into_iter().zip(found) {
        match found {
            Some(found) => {
                sink.report(replaced(&finding, found, is_value(found.text)));
            }
            None => sink.report(finding),
        }
    }
    sink.into_sorted()
}

/// The span of the whole value. An error about a reserved character only points to that character.
fn value_of(finding: &Diagnostic) -> Span {
    let quoted =
        finding.details().suggestions.first().filter(|_| *finding.rule == yaml::RESERVED_CHARACTER);
    quoted.map_or(finding.primary.span, |it| it.span)
}

fn is_image(path: &FieldPath) -> bool {
    path.last_field() == Some("image")
}

/// Whether another program fills in an image. That is usual, and the API server accepts any image, so it is
/// only noted, once for all images. A person writes the value of `YOUR_PROJECT` and
/// `[PROJECT]`.
fn is_filled_in_image(finding: &Diagnostic, placeholder: Placeholder<'_>) -> bool {
    let is_advice = finding.severity != Severity::Error && !finding.is_policy;
    let is_for_person = matches!(placeholder.opening, "" | "[") || says_your(placeholder.variable);
    is_advice && !is_for_person && finding.details().path.as_ref().is_some_and(is_image)
}

fn replaced(finding: &Diagnostic, placeholder: Placeholder<'_>, is_value: bool) -> Diagnostic {
    let Placeholder { text, variable, opening } = placeholder;
    let place = value_of(finding);
    let help = match opening {
        "{{" if is_value => {
            "annotate the object with `sandboxc.dev/expressions: \"true\"`, or set `expressions: all` \
             in the Project: by default, only expressions in definitions are evaluated"
        }
        "{{" => "render the template first: `helm template CHART | sandboxc check -`",
        "" if finding.details().path.as_ref().is_some_and(is_image) => "substitute an image first",
        "${" | "$" => "substitute it first: `envsubst < FILE | sandboxc check -`",
        _ => "write the value",
    };
    let message = message!("`{text}` looks like a placeholder");
    let is_filled_in = is_filled_in_image(finding, placeholder);
    let cause = if is_filled_in { "" } else { variable };
    let new = Diagnostic::new(&PLACEHOLDER_NOT_SUBSTITUTED, place, message)
        .at("not substituted")
        .because_of(CommonCause::Placeholder(cause.into()))
        // If there are an error and a warning about one value, only the error is reported.
        .same_mistake_as(place)
        .help(help);
    let mut new = new.about(finding.details().about.clone());
    new.details_mut().path.clone_from(&finding.details().path);
    new.kubernetes = finding.kubernetes;
    if !is_filled_in {
        return new.with_severity(finding.severity);
    }
    new.add_note("images that are filled in later are not checked");
    new.with_severity(Severity::Note)
}

/// The first placeholder of a value.
fn find<'t>(value: &'t str, path: &FieldPath) -> Option<Placeholder<'t>> {
    if value.len() > MAX_VALUE_LENGTH || value.contains(['\n', '\r']) {
        return None;
    }
    let value = value.trim().trim_matches(['"', '\'']);
    let is_name = path.starts_with(&["metadata"]);
    // Some kustomize bases use `_` as a name that an overlay replaces.
    if value == "_" && is_name {
        return Some(Placeholder { text: value, variable: value, opening: "" });
    }
    let fields = || path.steps().iter().filter_map(PathStep::field);
    let is_expanded = fields().any(|field| EXPANDED.contains(&field));
    let mut found = Placeholder::first_of_each_form(value);
    let found = found.find(|it| !(is_expanded && it.opening == "$("));
    found.or_else(|| if is_image(path) { find_in_image(value) } else { None })
}

/// A placeholder in forms that only images are searched for.
fn find_in_image(image: &str) -> Option<Placeholder<'_>> {
    let mut parts = image.split(['/', ':', '@']);
    let of_shell = Placeholder::of_shell(image);
    of_shell.or_else(|| {
        let text = parts.find(|it| is_spelled_out(it))?;
        Some(Placeholder { text, variable: text, opening: "" })
    })
}

/// Whether a name has the word `your`: `<your-registry>`.
fn says_your(name: &str) -> bool {
    name.split([' ', '-', '_']).any(|it| it.eq_ignore_ascii_case("your"))
}

/// Whether a part of an image reference is a placeholder in capitals: `IMAGE_PLACEHOLDER`,
/// `YOUR_PROJECT`.
fn is_spelled_out(part: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-".contains(c);
    part.starts_with(|c: char| c.is_ascii_uppercase())
        && part.chars().all(is_capital)
        && part.split(['_', '-']).any(|it| PLACEHOLDER_WORDS.contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(value: &str, path: &str) -> Option<(String, String)> {
        let found = find(value, &FieldPath::from(path))?;
        Some((found.text.to_owned(), found.variable.to_owned()))
    }

    #[test]
    fn images_in_capitals_are_placeholders_if_their_words_are() {
        for (value, text) in [
            ("IMAGE_PLACEHOLDER", Some("IMAGE_PLACEHOLDER")),
            ("gcr.io/YOUR_PROJECT/app:1", Some("YOUR_PROJECT")),
            ("registry.example.com/app:TAG", Some("TAG")),
            ("NGINX", None),
            ("gcr.io/Team/app", None),
            ("nginx:1-IMAGE", None),
        ] {
            let found = found(value, "spec.containers[0].image");
            assert_eq!(found.as_ref().map(|it| it.0.as_str()), text, "{value}");
        }
        assert_eq!(found("IMAGE_PLACEHOLDER", "metadata.name"), None);
    }

    #[test]
    fn placeholders_of_common_programs_are_found() {
        for (value, text, variable) in [
            ("${APP}", "${APP}", "APP"),
            ("\"${APP}-web\"", "${APP}", "APP"),
            ("${SIZE:=5Gi}", "${SIZE:=5Gi}", "SIZE"),
            ("web-$(APP)", "$(APP)", "APP"),
            ("__APP_NAME__", "__APP_NAME__", "APP_NAME"),
            ("@APP_NAME@-web", "@APP_NAME@", "APP_NAME"),
            ("<your-cluster>", "<your-cluster>", "your-cluster"),
            ("docker.io/[YOUR ALIAS]/x:dev", "[YOUR ALIAS]", "YOUR ALIAS"),
            ("[your-name]-web", "[your-name]", "your-name"),
            ("[PROJECT_ID]", "[PROJECT_ID]", "PROJECT_ID"),
            ("{{ .Values.app }}-x", "{{ .Values.app }}", ".Values.app"),
            ("{{.Name}}", "{{.Name}}", ".Name"),
            ("$(kfp-namespace)", "$(kfp-namespace)", "kfp-namespace"),
            ("_", "_", "_"),
        ] {
            let expected = Some((text.to_owned(), variable.to_owned()));
            assert_eq!(found(value, "metadata.name"), expected, "{value}");
        }
    }

    #[test]
    fn other_values_have_no_placeholder() {
        for value in [
            "[::1]:80",
            "[a-z]+",
            "[A-Z]+",
            "[0]",
            "[FE80::1]",
            "web",
            "a_b",
            "a@b@c",
            "$5",
            "${}",
            "a<b",
            "x > y",
            "<1>",
            "____",
            "$(a b)",
            "a\n${B}",
        ] {
            assert_eq!(found(value, "spec.replicas"), None, "{value}");
        }
        assert_eq!(found("_", "spec.replicas"), None);
        assert_eq!(found("$(APP)", "spec.containers[0].env[0].value"), None);
    }
}
