//! Exceptions in the Project: `spec.allow`.

use globset::{Glob, GlobBuilder, GlobMatcher};
use lean_string::LeanStr;

use super::{EXCEPTION_MALFORMED, Exception, ExceptionContext, Left, find_rule, report_no_reason};
use crate::decode::Text;
use crate::diag::{Diagnostic, Sink, message};
use crate::kube::InputObject;
use crate::limits;
use crate::project::Allowed;
use crate::sorted::SortedMap;
use crate::source::{FileId, Slice as _, Span};

/// The exceptions of the Project. A run can have 50,000 findings and as many exceptions, so
/// exceptions without wildcards are indexed, and equal ones form a group.
#[derive(Default)]
pub(super) struct Exceptions {
    /// In the order of the Project, each with the index of its group.
    list: Vec<(Exception, usize)>,
    groups: Vec<Group>,
    /// The groups without wildcards.
    exact: SortedMap<Key, usize>,
    /// The groups with wildcards.
    wild: Vec<Wild>,
}

/// The conditions of an exception: rule, kind, name and file.
type Key = (&'static str, Option<LeanStr>, Option<LeanStr>, Option<LeanStr>);

/// Exceptions with the same conditions.
struct Group {
    /// The first one, which records the findings for all of them.
    first: Exception,
    is_limited: bool,
}

struct Wild {
    group: usize,
    kind: Option<LeanStr>,
    name: Option<Pattern<usize>>,
    /// The file, or the document that is rendered from one.
    file: Option<Pattern<(FileId, u32)>>,
}

/// A glob with its last answer: thousands of findings in a row are about one object, whose name can
/// have megabytes.
struct Pattern<K> {
    glob: GlobMatcher,
    /// The object or file, and whether the glob matches its name.
    last: Option<(K, bool)>,
}

impl<K: Copy + PartialEq> Pattern<K> {
    fn new(glob: &Glob) -> Self {
        Self { glob: glob.compile_matcher(), last: None }
    }

    fn is_match(&mut self, named: K, name: &str) -> bool {
        if let Some((_, answer)) = self.last.filter(|(last, _)| *last == named) {
            return answer;
        }
        let answer = self.glob.is_match(name);
        self.last = Some((named, answer));
        answer
    }
}

impl Exceptions {
    pub(super) fn read(cx: &ExceptionContext<'_>, sink: &mut Sink) -> Self {
        let mut all = Self::default();
        let mut known = SortedMap::new();
        let mut is_full = false;
        for allowed in &cx.project.allow {
            let Some((exception, key)) = read(cx, allowed, sink) else { continue };
            let next = all.groups.len();
            let group = *known.entry(key.clone()).or_insert(next);
            if group == next {
                let is_limited = key.1.is_some() || key.2.is_some() || key.3.is_some();
                if is_wild(key.2.as_ref()) || is_wild(key.3.as_ref()) {
                    let (name, file) =
                        (glob(allowed.name.as_ref(), sink), glob(allowed.file.as_ref(), sink));
                    let (Ok(name), Ok(file)) = (name, file) else {
                        known.remove(&key);
                        continue;
                    };
                    if all.wild.len() == limits::ALLOW_WILDCARDS.count() {
                        if !std::mem::replace(&mut is_full, true) {
                            sink.error(too_many(allowed.rule.span()));
                        }
                        known.remove(&key);
                        continue;
                    }
                    // Compiling a glob takes much longer than checking it.
                    let (name, file) =
                        (name.as_ref().map(Pattern::new), file.as_ref().map(Pattern::new));
                    all.wild.push(Wild { group, kind: key.1, name, file });
                } else {
                    all.exact.insert(key, group);
                }
                let first = Exception::new(exception.rule, exception.place);
                all.groups.push(Group { first, is_limited });
            }
            all.list.push((exception, group));
        }
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a finding is allowed. Marks every exception for it as used.
    pub(super) fn allow(&mut self, finding: &Diagnostic, cx: &ExceptionContext<'_>) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let position = InputObject::index_at(cx.inputs, finding.primary.span);
        let object = position.and_then(|at| cx.inputs.get(at));
        let written = cx.texts.file_at(finding.primary.span);
        let template = cx.templates.start_and_template(finding.primary.span);
        let (start, name) = template.unwrap_or_else(|| (0, written.name()));
        let file = name_from_project(cx, name);
        let mut is_allowed = false;
        for key in keys(finding, object, file) {
            let group = self.exact.get(&key).and_then(|it| self.groups.get_mut(*it));
            is_allowed |= group.is_some_and(|it| it.first.meet(finding));
        }
        for Wild { group, kind, name, file: glob } in &mut self.wild {
            let Some(group) = self.groups.get_mut(*group) else { continue };
            if group.first.rule.name != finding.rule.name {
                continue;
            }
            let is_kind = |kind: &LeanStr| object.is_some_and(|it| it.gvk.kind == *kind);
            let is_name = |name: &mut Pattern<usize>| {
                position.zip(object).is_some_and(|(at, it)| name.is_match(at, &it.name))
            };
            let is_for = kind.as_ref().is_none_or(is_kind)
                && name.as_mut().is_none_or(is_name)
                && glob.as_mut().is_none_or(|glob| glob.is_match((written.id(), start), file));
            if is_for {
                is_allowed |= group.first.meet(finding);
            }
        }
        is_allowed
    }

    pub(super) fn report_useless(&self, left: &Left<'_>, sink: &mut Sink) {
        for (exception, group) in &self.list {
            let Some(Group { first, is_limited }) = self.groups.get(*group) else { continue };
            let around = if *is_limited { "within its limits" } else { "in any file" };
            Exception { met: first.met, ..*exception }.report_useless(around, left, sink);
        }
    }
}

/// The conditions of all exceptions without wildcards that apply to a finding.
fn keys<'f>(
    finding: &'f Diagnostic,
    object: Option<&'f InputObject>,
    file: &'f str,
) -> impl Iterator<Item = Key> {
    let kinds = [None, object.map(|it| LeanStr::from(it.gvk.kind.as_str()))];
    let names = [None, object.map(|it| it.name.clone())];
    let files = [None, Some(LeanStr::from(file))];
    let with = usize::from(object.is_some());
    let all = kinds.into_iter().take(1 + with).flat_map(move |kind| {
        let files = files.clone();
        names.clone().into_iter().take(1 + with).flat_map(move |name| {
            let kind = kind.clone();
            files.clone().into_iter().map(move |file| (kind.clone(), name.clone(), file))
        })
    });
    all.map(|(kind, name, file)| (finding.rule.name, kind, name, file))
}

fn read(cx: &ExceptionContext<'_>, allowed: &Allowed, sink: &mut Sink) -> Option<(Exception, Key)> {
    let Allowed { rule, kind, name, file, because } = allowed;
    if because.as_str().trim().is_empty() {
        report_no_reason(because.span(), sink);
        return None;
    }
    let found = find_rule(cx, rule.as_str(), rule.span(), sink)?;
    let text = |it: &Option<Text>| it.as_ref().map(|it| LeanStr::from(it.as_str()));
    Some((Exception::new(found, rule.span()), (found.name, text(kind), text(name), text(file))))
}

/// Whether a name has wildcards, or characters that are only valid in them.
fn is_wild(text: Option<&LeanStr>) -> bool {
    text.is_some_and(|it| it.contains(['*', '?', '[', ']', '{', '}', '\\']))
}

fn too_many(place: Span) -> Diagnostic {
    let most = limits::ALLOW_WILDCARDS.most;
    let message = message!("more than {most} exceptions with wildcards");
    Diagnostic::new(&EXCEPTION_MALFORMED, place, message)
        .at("first exception without effect")
        .help("allow the findings of more objects with one pattern, or without wildcards")
}

/// A glob as in the inputs of the command line; reports an invalid one.
fn glob(text: Option<&Text>, sink: &mut Sink) -> Result<Option<Glob>, ()> {
    let Some(text) = text else { return Ok(None) };
    let (braces, length) = (limits::GLOB_ALTERNATIVES, limits::GLOB_LENGTH);
    let too_large = if text.as_str().len() > length.count() {
        Some(message!("glob with more than {} bytes", length.most))
    } else if text.as_str().matches('{').count() > braces.count() {
        Some(message!("glob with more than {} `{{`", braces.most))
    } else {
        None
    };
    if let Some(message) = too_large {
        sink.report(Diagnostic::new(&EXCEPTION_MALFORMED, text.span(), message));
        return Err(());
    }
    match GlobBuilder::new(text.as_str()).literal_separator(true).build() {
        Ok(glob) => Ok(Some(glob)),
        Err(error) => {
            let message = message!("invalid glob `{}`: {}", text.as_str(), error.kind());
            sink.report(
                Diagnostic::new(&EXCEPTION_MALFORMED, text.span(), message)
                    .help("`*` matches a part of a name, `**` matches any directories"),
            );
            Err(())
        }
    }
}

/// The name of a file, relative to the folder of the Project if it is below it.
fn name_from_project<'n>(cx: &ExceptionContext<'_>, name: &'n str) -> &'n str {
    let project = cx.project.place.map_or("", |place| cx.texts.file_at(place).name());
    let folder = project.rfind('/').map_or("", |at| project.slice(..=at));
    name.strip_prefix(folder).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::exception::EXCEPTION_UNUSED;
    use crate::source::Workspace;
    use crate::{Grouping, Options, compile};

    #[test]
    fn the_glob_limit_is_exact() {
        for (more, expected) in [(-1, 0), (0, 0), (1, 1)] {
            let count = limits::GLOB_ALTERNATIVES.count().checked_add_signed(more).unwrap();
            let glob = format!("{}a{}", "{".repeat(count), "}".repeat(count));
            let allow = format!("{{rule: unknown-field, file: '{glob}', because: x}}");
            let (malformed, _) = found(&allow, EXCEPTION_MALFORMED.name, "");
            assert_eq!(malformed, expected, "{count}");
        }
    }

    #[test]
    fn the_limit_of_the_length_of_a_glob_is_exact() {
        for (more, expected) in [(-1, 0), (0, 0), (1, 1)] {
            let count = limits::GLOB_LENGTH.count().checked_add_signed(more).unwrap();
            let name = "?".repeat(count);
            let allow = format!("{{rule: unknown-field, name: '{name}', because: x}}");
            let (malformed, _) = found(&allow, EXCEPTION_MALFORMED.name, "");
            assert_eq!(malformed, expected, "{count}");
        }
    }

    #[test]
    fn a_pattern_is_for_each_object_alone() {
        let pod = |name: &str, secret: &str| {
            format!(
                "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {{containers: \
                 [{{name: a, image: b}}], volumes: [{{name: v, secret: {{secretName: {secret}}}}}, \
                 {{name: w, secret: {{secretName: {secret}x}}}}]}}\n"
            )
        };
        let allow = "{rule: secret-not-found, name: 'a*', because: x}";
        let objects = [pod("b", "s"), pod("a1", "t"), pod("c", "u"), pod("a2", "v")].concat();
        assert_eq!(found(allow, "secret-not-found", &objects), (4, 4));
    }

    #[test]
    fn a_project_has_as_many_wildcards_as_its_limit() {
        for (more, expected) in [(-1, 0), (0, 0), (1, 1), (1000, 1)] {
            let count = limits::ALLOW_WILDCARDS.count().checked_add_signed(more).unwrap();
            let of = |it: usize| format!("{{rule: unknown-field, name: 'a{it}*', because: x}}");
            let allow: Vec<_> = (0..count).flat_map(|it| [of(it), of(it)]).collect();
            let (malformed, _) = found(&allow.join(", "), EXCEPTION_MALFORMED.name, "");
            assert_eq!(malformed, expected, "{count}");
        }
    }

    #[test]
    fn exceptions_with_and_without_wildcards_apply_alike() {
        let pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, image: b}], \
                   volumes: [{name: v, secret: {secretName: s}}]}\n";
        for (conditions, allowed, unused) in [
            ("", 1, 0),
            ("kind: Pod", 1, 0),
            ("name: web", 1, 0),
            ("file: project.yaml", 1, 0),
            ("kind: Pod, name: web, file: project.yaml", 1, 0),
            ("kind: Pod, name: 'w*', file: '*.yaml'", 1, 0),
            ("kind: Job", 0, 1),
            ("name: we", 0, 1),
            ("name: 'x*'", 0, 1),
            ("file: other.yaml", 0, 1),
            ("kind: Pod, name: web, file: other.yaml", 0, 1),
        ] {
            let one = format!("{{rule: secret-not-found, because: x, {conditions}}}");
            for (allow, copies) in [(one.clone(), 1), (format!("{one}, {one}"), 2)] {
                let found = found(&allow, EXCEPTION_UNUSED.name, pod);
                assert_eq!(found, (unused * copies, allowed), "{allow}");
            }
        }
    }

    /// The number of findings of a rule, and of allowed ones, with these exceptions.
    fn found(allow: &str, rule: &str, objects: &str) -> (usize, usize) {
        let mut workspace = Workspace::new();
        workspace.add(
            "project.yaml",
            format!(
                "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {{name: p}}\n\
                 spec: {{allow: [{allow}]}}\n{objects}"
            ),
        );
        let mut options = Options::default();
        options.grouping = Grouping::None;
        let compilation = compile(&workspace, &options);
        let is_it = |it: &&Diagnostic| it.rule.name == rule;
        (compilation.diagnostics.iter().filter(is_it).count(), compilation.allowed)
    }
}
