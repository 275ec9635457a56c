//! The form of the Markdown files with cases.

use sandboxc::rules;

use crate::support::cases::{
    blocks, cases, cases_of_page, page_with_outputs, split_page, unescaped, with_outputs,
};
use crate::support::{Compiled, Fixture};

const PAGE: &str = "# a-rule\n\n## err_a\n\nWhy.\n\n```yaml\na: 1\n```\n\n```text\nold\n```\n\n## ok_b\n\n```yaml escaped\n\
    a<U+0000><end>\n```\n\n## err_c\n\n````yaml x.yaml\n```\n## d\n````\n";

#[test]
fn each_section_is_a_case() {
    let found: Vec<_> = cases(PAGE).into_iter().flat_map(|it| it.files).collect();
    let expected: [(&str, &[u8]); 3] =
        [("err_a.yaml", b"a: 1\n"), ("ok_b.yaml", b"a\0"), ("err_c/x.yaml", b"```\n## d\n")];
    let expected = expected.map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
    assert_eq!(found, expected);
    let names: Vec<_> = cases(PAGE).into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["err_a", "ok_b", "err_c"]);
    let outputs: Vec<_> = cases(PAGE).into_iter().map(|it| it.output).collect();
    assert_eq!(outputs, [Some("old\n".to_owned()), None, None]);
    assert_eq!(blocks(PAGE)[1], ("text", "old\n"));
}

#[test]
fn an_output_is_written_below_its_input() {
    let outputs = [
        ("err_page", Some("new\n```")),
        ("ok_page", None),
        ("err_a", None),
        ("ok_b", None),
        ("err_c", Some("c\n")),
    ];
    let outputs = outputs.map(|(name, output)| (name.to_owned(), output.map(str::to_owned)));
    let updated = with_outputs(PAGE, &outputs);
    let expected = PAGE
        .replace("\n```text\nold\n```\n", "")
        .replace("# a-rule\n", "# a-rule\n\n## err_page\n\n````text\nnew\n```\n````\n")
        + "\n```text\nc\n```\n";
    assert_eq!(updated, expected);
    assert_eq!(with_outputs(&updated, &outputs), expected);
    // An output without an input belongs to an example that has no findings any more.
    assert!(!with_outputs(&updated, &outputs[1..]).contains("err_page"));
}

#[test]
fn the_cases_of_a_page_are_its_last_section() {
    let page = "# a-rule\n\n## Example\n```yaml\n### a\n```\n";
    let tests = "\n## Tests\n\n### ok_b\n\n```yaml\n## b\n```\n\n### ok_c\n\n```yaml\nc: 1\n```\n";
    let text = format!("{page}{tests}");
    assert_eq!(split_page(&text), (page, tests));
    let found: Vec<_> = cases_of_page(&text).into_iter().flat_map(|it| it.files).collect();
    let expected = [("ok_b.yaml", "## b\n"), ("ok_c.yaml", "c: 1\n")];
    assert_eq!(found, expected.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));

    let outputs = ["err_page", "ok_c"].map(|name| (name.to_owned(), Some(format!("{name}\n"))));
    let updated = page_with_outputs(&text, &outputs);
    let (before, cases) = split_page(&updated);
    assert_eq!(before, page);
    let cases = cases.split_once("\n### ").unwrap().1;
    let expected = tests.replace("\n## Tests\n\n", "err_page\n\n```text\nerr_page\n```\n\n")
        + "\n```text\nok_c\n```\n";
    assert_eq!(cases, expected);
    assert_eq!(page_with_outputs(&updated, &outputs), updated);
    // A page without cases has no section for them.
    assert_eq!(cases_of_page(page).len(), 0);
    assert_eq!(page_with_outputs(page, &[]), page);
}

#[test]
fn escapes_are_bytes() {
    assert_eq!(unescaped("a<U+00E9><0xFF><[, 3 times>b<end>\n"), b"a\xc3\xa9\xff[[[b");
    assert_eq!(unescaped("a: b\n"), b"a: b\n");
}

#[test]
fn a_wrong_case_is_reported() {
    let rule = rules::find("api-version-missing").unwrap();
    let case = |name: &str, text: &str| {
        let name = format!("diag/{}/{name}.yaml", rule.name);
        Compiled::of(Fixture::new(name, text.as_bytes().to_vec()))
    };
    let announced = "# expect: api-version-missing 2:1\nname: a\n";
    assert_eq!(case("err_a", announced).complaint(rule), None);
    let wrong = [
        // Not announced, and announced elsewhere.
        case("err_a", "name: a\n"),
        case("err_a", &announced.replace("2:1", "1:1")),
        // Raised by a case that is not to raise it, and not raised.
        case("ok_a", announced),
        case("err_a", ""),
        case("page", announced),
    ];
    for it in wrong {
        assert!(it.complaint(rule).is_some(), "{}", it.fixture.name);
    }
    assert!(case("err_a", announced).output().unwrap().starts_with("error[api-version-missing]"));
    assert_eq!(case("ok_a", announced).output(), None);
    // An example of a page announces nothing, and raises no other rule.
    assert_eq!(case("err_page", "name: a\n").complaint(rule), None);
    let other = "name: a\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, x: b}\n";
    assert!(case("err_page", other).complaint(rule).is_some());
}
