//! Findings as text: the rendering of difficult cases, and its cost.

use sandboxc::{
    Diagnostic, Paint, Rule, Severity, Span, Workspace, render_github, render_human, render_json,
};
use sandboxc_syntax::message::message;

use crate::support::{find, snapshot};

static RULE: Rule = Rule::new("some-rule", Severity::Error);
static SURPRISE: Rule = Rule::new("some-surprise", Severity::Warning);

fn plain(workspace: &Workspace, diagnostic: &Diagnostic) -> String {
    render_human(workspace, std::slice::from_ref(diagnostic), Paint::Plain)
}

#[test]
fn all_parts_of_a_finding_are_shown() {
    let mut workspace = Workspace::new();
    let pool = workspace.add("pool.yaml", "kind: WarmPool\nmetadata: {name: python}\n");
    let text = "kind: Claim\nmetadata: {name: a}\nspec:\n  warmPool: pyhton\n  env: []\n";
    let claim = workspace.add("claim.yaml", text);
    let diagnostic = Diagnostic::new(&RULE, find(&workspace, claim, "pyhton"), "no pool `pyhton`")
        .at("not found")
        .label(find(&workspace, claim, "Claim"), "this claim needs it")
        .label(find(&workspace, pool, "python"), "a pool with a near name")
        .note("the claim would wait for ever")
        .help("name a pool of the same namespace")
        .suggest(find(&workspace, claim, "pyhton"), "python", "write the name of the pool")
        .suggest(find(&workspace, claim, "  env: []\n"), "", "remove the empty list")
        .suggest(find(&workspace, pool, "python"), "pyhton", "rename the pool");
    snapshot("report__all_parts", &plain(&workspace, &diagnostic));
}

#[test]
fn a_long_line_is_truncated_and_keeps_its_column() {
    let mut workspace = Workspace::new();
    let items: Vec<_> = (0..2000).map(|it| format!("\"item-{it}\"")).collect();
    let file = workspace.add("min.json", format!("{{\"list\":[{}]}}", items.join(",")));
    let diagnostic = Diagnostic::new(&RULE, find(&workspace, file, "\"item-1500\""), "too much")
        .at("this one")
        .label(find(&workspace, file, "\"item-3\""), "after this one")
        .suggest(find(&workspace, file, "\"item-1500\""), "1500", "write a number");
    let text = plain(&workspace, &diagnostic);
    assert!(text.contains("min.json:1:16900"), "{text}");
    snapshot("report__long_line", &text);
}

#[test]
fn distant_locations_are_shown_with_their_lines() {
    let mut workspace = Workspace::new();
    let mut text = "first: 1\n".to_owned();
    text.push_str(&"filler: x\n".repeat(5000));
    text.push_str("last: 2\n");
    let file = workspace.add("a.yaml", text);
    let diagnostic = Diagnostic::new(&SURPRISE, find(&workspace, file, "last"), "key is repeated")
        .label(find(&workspace, file, "first"), "here for the first time");
    snapshot("report__distant_places", &plain(&workspace, &diagnostic));
}

#[test]
fn one_faulty_line_in_many_objects_is_not_repeated() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "name: \"a-{{ index }}\"\nother: 1\n");
    let span = find(&workspace, file, "\"a-{{ index }}\"");
    let finding = |name: &str| Diagnostic::new(&RULE, span, message!("`{name}` is taken"));
    let other = Diagnostic::new(&RULE, find(&workspace, file, "1"), "`a-9` is taken");
    let mut diagnostics: Vec<_> = (0..100).map(|it| finding(&format!("a-{it}"))).collect();
    diagnostics.push(other);
    let text = render_human(&workspace, &diagnostics, Paint::Plain);
    assert_eq!(text.matches("error[some-rule]").count(), 2, "{text}");
    let note = "= note: and 99 more of this kind at the same location\n";
    assert_eq!(text.matches(note).count(), 1, "{text}");
    let named = ["a", "b", "c", "d"].map(|it| Diagnostic::new(&RULE, span, message!("no `{it}`")));
    let text = render_human(&workspace, &named[..3], Paint::Plain);
    assert!(!text.contains("more of this kind"), "{text}");
    let text = render_human(&workspace, &named, Paint::Plain);
    assert!(text.contains("and 1 more of this kind") && text.contains("no `c`"), "{text}");
}

#[test]
fn a_change_that_removes_spaces_marks_nothing_as_added() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "spec:\n  image: a\n   command: [x]\n");
    let span = Span::new(file, 17, 20);
    let diagnostic = Diagnostic::new(&RULE, find(&workspace, file, "command"), "too far in")
        .suggest(span, "  ", "indent it by 2 blanks");
    snapshot("report__shorter", &plain(&workspace, &diagnostic));
}

#[test]
fn input_text_cannot_contain_terminal_escapes() {
    let mut workspace = Workspace::new();
    let file =
        workspace.add("\u{1b}[2Ja.yaml", "a: \"\u{1b}]0;x\u{7}\u{202e}\u{9b}31m\"\n\tb: 1\n");
    let diagnostic = Diagnostic::new(&RULE, find(&workspace, file, "b:"), "bad \u{1b}[31m`b`")
        .at("\u{1b}[0m")
        .label(find(&workspace, file, "\u{202e}"), "\u{7}")
        .note("\u{1b}")
        .help("\u{1b}")
        .suggest(find(&workspace, file, "b:"), "\u{1b}c:", "\u{1b}");
    let text = plain(&workspace, &diagnostic);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    assert!(!text.contains('\u{202e}'), "{text:?}");
    snapshot("report__control_characters", &text);
}

#[test]
fn a_name_with_line_breaks_cannot_look_like_a_message() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a\nb.yaml", "a: 1\n");
    let span = find(&workspace, file, "1");
    let name = "x\nerror[some-rule]: y\tz";
    let diagnostic = Diagnostic::new(&RULE, span, message!("unknown field `{name}`"))
        .at(name)
        .note(name)
        .help(name)
        .suggest(span, "2", name);
    let text = plain(&workspace, &diagnostic);
    let shown = "x␊error[some-rule]: y␉z";
    assert_eq!(text.matches(shown).count(), 5, "{text}");
    assert!(text.contains("--> a␊b.yaml:1:4\n"), "{text}");
    let text = render_github(&workspace, &[diagnostic]);
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn spans_at_the_end_or_over_many_lines_are_shown_on_one_line() {
    let mut workspace = Workspace::new();
    let text = "spec:\n  image: a\n  command: [x]\n";
    let file = workspace.add("a.yaml", text);
    let end = u32::try_from(text.len()).unwrap();
    let diagnostic = Diagnostic::new(&RULE, Span::new(file, end, end), "the text ends too early")
        .label(Span::new(file, 8, end), "in this map");
    snapshot("report__end_of_text", &plain(&workspace, &diagnostic));
}

#[test]
fn colors_are_only_used_on_request() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "a: 1\n");
    let diagnostics = [Diagnostic::new(&RULE, find(&workspace, file, "1"), "wrong")];
    assert!(!render_human(&workspace, &diagnostics, Paint::Plain).contains('\u{1b}'));
    assert!(render_human(&workspace, &diagnostics, Paint::Coloured).contains('\u{1b}'));
}

#[test]
fn any_span_can_be_rendered() {
    let mut workspace = Workspace::new();
    let text = "é: |\r\n  日本\u{202e}\r語\n\n\tx: \"\u{1b}\"\n";
    let file = workspace.add("a.yaml", text);
    let end = u32::try_from(text.len()).unwrap() + 3;
    for start in 0..end {
        for end in start..end {
            let span = Span::new(file, start, end);
            let diagnostic = Diagnostic::new(&RULE, span, "x")
                .label(Span::new(file, end - start, end), "y")
                .suggest(span, "z\nz", "w");
            assert!(plain(&workspace, &diagnostic).contains("a.yaml:"));
            assert!(render_json(&workspace, &[diagnostic], None).contains("\"format\": 1"));
        }
    }
}

#[test]
fn json_keeps_every_part() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "é: tue\n");
    let diagnostic = Diagnostic::new(&SURPRISE, find(&workspace, file, "tue"), "`tue` is text")
        .at("a string")
        .path(&"spec.é")
        .label(find(&workspace, file, "é"), "for this key")
        .note("it looks like `true`")
        .help("quote it")
        .suggest(find(&workspace, file, "tue"), "\"tue\"", "quote the value");
    snapshot("report__json", &render_json(&workspace, &[diagnostic], None));
}
