//! Secret values do not appear in any report, whatever happens to the files that have them.
//!
//! Each case of `fixtures/secrets` has one word as the value of every secret, plain and as base64. Mutants
//! with one random edit go through everything that reports on files. `SECRET_MUTANTS=100000` tries more of
//! them, `SECRET_SEED=2` others, and `SECRET_EDITS=3` some with more edits.

use std::env;

use rayon::prelude::*;
use sandboxc::{
    Annotations, Compilation, DiffSide, Graph, ImportOptions, Options, Paint, Purpose, Report,
    ReportFormat, Safety, Versions, Workspace, compile, content_hash, diff, explanations_to_json,
    fix, format_files, ide, import, mask_findings, mask_secrets, migrate, render_diff_github,
    render_diff_human, render_diff_json, render_diff_markdown, render_human, split, why_all,
};

use crate::support::{files_of_cases, portion};

/// The value of every secret, and the same in base64.
const SECRETS: [&str; 2] = ["Qz7xKvWp9mLr", "UXo3eEt2V3A5bUxy"];

/// The length of the shortest part of it that is looked for.
const PART: usize = 6;

/// The number of files and mutants without `SECRET_MUTANTS`.
const FEW: usize = 240;

/// A file with secrets.
struct Seed {
    name: String,
    text: String,
}

fn seeds() -> Vec<Seed> {
    files_of_cases("secrets").into_iter().map(|(name, text)| Seed { name, text }).collect()
}

/// Numbers that follow from a name.
struct Numbers(u64);

impl Numbers {
    fn of(name: &str) -> Self {
        Self(content_hash(name.as_bytes()) | 1)
    }

    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % count.max(1) as u64).unwrap()
    }
}

/// The text after at most this number of random edits.
fn mutant(text: &str, edits: usize, numbers: &mut Numbers) -> String {
    let mut text = text.to_owned();
    for _ in 0..=numbers.below(edits) {
        text = if numbers.below(3) > 0 {
            with_other_characters(&text, numbers)
        } else {
            with_other_lines(&text, numbers)
        };
    }
    text
}

fn with_other_characters(text: &str, numbers: &mut Numbers) -> String {
    const INSERTED: &[u8] = b"{}[],:\"'#&*!|>-?%@`\t\n  aS0=";
    let mut bytes = text.as_bytes().to_vec();
    if bytes.len() < 2 {
        return text.to_owned();
    }
    let at = numbers.below(bytes.len() - 1);
    match numbers.below(5) {
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, INSERTED[numbers.below(INSERTED.len())]),
        2 => bytes.insert(at, bytes[at]),
        3 => bytes.swap(at, at + 1),
        _ => bytes[at] = INSERTED[numbers.below(INSERTED.len())],
    }
    String::from_utf8(bytes).unwrap()
}

fn with_other_lines(text: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    if lines.len() < 2 {
        // One line is cut at its end.
        return text[..numbers.below(text.len())].to_owned();
    }
    let at = numbers.below(lines.len() - 1);
    match numbers.below(7) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, at + 1),
        3 => lines[at].insert_str(0, "  "),
        4 => lines[at] = lines[at].trim_start().into(),
        5 => lines.insert(at, "---".to_owned()),
        _ => lines.truncate(at + 1),
    }
    lines.join("\n") + "\n"
}

/// What has to be left of a file whose secrets are only known by the names of their keys.
const SIGNS: [(&str, &[&str]); 4] = [
    ("address.yaml", &["://web:Qz7xKvWp9mLr@db"]),
    ("sandboxc.yaml", &["://web:Qz7xKvWp9mLr@db", "password:", "token:"]),
    ("config_map.yaml", &["spring.datasource.password=", "postgres://web:Qz7xKvWp9mLr@db/web"]),
    ("values.yaml", &["rootPassword:", "token:"]),
];

/// Whether each document of a text still says that it has secrets.
fn is_known(name: &str, text: &str, original: &str) -> bool {
    let has_all = |sign: &&str| text.matches(*sign).count() >= original.matches(*sign).count();
    let is_known_by_name =
        SIGNS.iter().all(|(file, signs)| *file != name || signs.iter().all(has_all));
    let text = text.to_lowercase();
    is_known_by_name
        && text.split("---\n").all(|document| {
            let words = ["secret", "data", "password", "token", "://web:"];
            let has_secret = SECRETS.iter().any(|it| document.contains(&it.to_lowercase()));
            !has_secret || words.iter().any(|it| document.contains(it))
        })
}

/// What is reported about a file, by what reports it: the findings of `check`, and one other command.
fn reports(name: &str, text: &str, original: &str, command: usize) -> Vec<(&'static str, String)> {
    let mut before = Workspace::new();
    before.add(name, text);
    let mut reports = vec![("mask", mask_secrets(text))];
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    let mut shown = Workspace::new();
    shown.add(name, text);
    let mut compilation = compile(&shown, &options);
    shown.mask(&compilation.secrets);
    let following = std::mem::take(&mut compilation.left_out).into_iter().map(|it| it.finding);
    compilation.diagnostics.extend(following);
    reports.extend(formats(&shown, &compilation));
    match command % 6 {
        0 => reports.extend(of_build(&before)),
        1 => {
            let fixed = fix(&before, &options, Safety::Unsafe);
            reports.push(("fix", format!("{:?}", fixed.shown_changes(&before))));
        }
        2 => reports.extend(edits(&mut shown, &before)),
        3 => {
            let imported = import(&before, &ImportOptions::default());
            shown.mask(&imported.secrets);
            reports.push(("import", render_human(&shown, &imported.diagnostics, Paint::Plain)));
            reports.push(("import", imported.left_out.join("\n")));
        }
        4 => {
            let mut found = split(&before, before.ids().next().unwrap()).diagnostics;
            let shown = mask_findings(&before, &mut found);
            reports.push(("split", render_human(&shown, &found, Paint::Plain)));
            let index = ide::Index::of(&before, Versions::NONE);
            reports.push(("symbols", format!("{:?}", ide::document_symbols(&index, 0))));
            reports.push(("hints", format!("{:?}", ide::hints(&index, 0))));
            reports.push(("hover", of_cursors(&index, text)));
        }
        _ => reports.extend(differences(name, [original, text])),
    }
    reports
}

fn of_build(workspace: &Workspace) -> Vec<(&'static str, String)> {
    let options = Options::default();
    let compilation = compile(workspace, &options);
    let mut reports = Vec::new();
    if !compilation.has_errors() {
        let texts = compilation.objects.iter().filter_map(|it| {
            let all = why_all(workspace, &options, &compilation, it).ok()?;
            Some(explanations_to_json(&all))
        });
        reports.push(("why", texts.collect()));
        reports.push(("annotate", annotated(workspace, &compilation)));
    }
    if let Ok(graph) = Graph::of(&compilation) {
        reports.extend([("mermaid", graph.to_mermaid()), ("dot", graph.to_dot())]);
    }
    reports
}

/// What an editor shows at some positions.
fn of_cursors(index: &ide::Index, text: &str) -> String {
    let each = text.len() / 16 + 1;
    let show = |at| {
        let hover = ide::hover(index, 0, at).map(|it| it.text);
        let completions = ide::completion(index, 0, at);
        format!("{hover:?} {completions:?}\n")
    };
    (0..text.len()).step_by(each).filter(|at| text.is_char_boundary(*at)).map(show).collect()
}

/// The comments that `build --annotate` adds.
fn annotated(workspace: &Workspace, compilation: &Compilation) -> String {
    let mut text = Vec::new();
    Annotations::new(workspace, compilation).write_stream(&compilation.objects, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().filter_map(|it| Some(it.split_once(" # ")?.1)).collect::<Vec<_>>().join("\n")
}

fn edits(shown: &mut Workspace, before: &Workspace) -> Vec<(&'static str, String)> {
    let migrated = migrate(before, &Options::default()).edited;
    let mut reports = Vec::new();
    for (name, edited) in [("fmt", format_files(before)), ("migrate", migrated)] {
        shown.mask(&edited.secrets);
        reports.push((name, format!("{:?}", edited.shown_changes(before))));
        reports.push((name, render_human(shown, &edited.diagnostics, Paint::Plain)));
    }
    reports
}

fn formats(shown: &Workspace, compilation: &Compilation) -> Vec<(&'static str, String)> {
    let found = &compilation.diagnostics[..];
    let report = Report::new(shown, &compilation.inputs, found);
    let formats = ReportFormat::ALL.iter().map(|format| (format.name(), report.render(*format)));
    formats.chain([("editor", format!("{:?}", ide::findings(shown, found)))]).collect()
}

/// The reports of `diff`, in both directions.
fn differences(name: &str, texts: [&str; 2]) -> Vec<(&'static str, String)> {
    let mut options = Options::default();
    options.purpose = Purpose::Compare;
    let [old, new] = texts.map(|text| {
        let mut workspace = Workspace::new();
        workspace.add(name, text);
        workspace
    });
    let [of_old, of_new] = [&old, &new].map(|it| compile(it, &options));
    let [old, new] = [DiffSide::new(&old, &of_old), DiffSide::new(&new, &of_new)];
    let mut reports = Vec::new();
    for found in [diff(&old, &new), diff(&new, &old)] {
        reports.push(("diff", render_diff_human(&found, true, Paint::Plain)));
        reports.push(("diff json", render_diff_json(&found, false)));
        reports.push(("diff markdown", render_diff_markdown(&found, false)));
        reports.push(("diff github", render_diff_github(&found, false)));
    }
    reports
}

/// The line of a text that has a part of a secret.
fn leak(text: &str) -> Option<&str> {
    let parts = SECRETS
        .iter()
        .flat_map(|secret| (0..=secret.len() - PART).map(move |at| &secret[at..at + PART]));
    let at = parts.filter_map(|it| text.find(it)).min()?;
    let start = text[..at]
        .rfind('\n')
        .map_or(0, |it| it + 1)
        .max(text.floor_char_boundary(at.saturating_sub(200)));
    let end = text[at..]
        .find('\n')
        .map_or(text.len(), |it| at + it)
        .min(text.ceil_char_boundary(at + 100));
    Some(&text[start..end])
}

#[test]
fn a_key_that_is_no_name_is_hidden_with_its_value() {
    let secret = |data: &str| {
        format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\nstringData: {{{data}}}\n")
    };
    let old = secret("b: c");
    for data in ["Qz7xKvWp9mLr d: e", "Qz7xKvWp9mLr:", "\"Qz7xKvWp9mLr\\n\": e"] {
        for (what, report) in differences("a.yaml", [&old, &secret(data)]) {
            assert_eq!(leak(&report), None, "{what} of {data}");
        }
    }
}

/// What says that a value is secret, alone.
#[test]
fn each_sign_hides_a_value() {
    for text in [
        "kind: ConfigMap\ndata: {a: \"postgres://web:Qz7xKvWp9mLr@db\"}\n",
        "kind: ConfigMap\ndata: {a: \"stringData: {b: Qz7xKvWp9mLr}\"}\n",
        "kind: SecretList\nitems: [Qz7xKvWp9mLr]\n",
        "kind: SecretList\nitems: Qz7xKvWp9mLr\n",
        "kind: Kustomization\nsecretGenerator: [Qz7xKvWp9mLr]\n",
        "kind: ExternalSecret\nspec: {template: {data: {a: Qz7xKvWp9mLr}}}\n",
        "kind: VaultSecret\ndata: {a: Qz7xKvWp9mLr}\n",
        "kind: Secret\nmetadata: {name: a}\n? [a, Qz7xKvWp9mLr]\n: b\n",
        // These are no names of values.
        "kind: Secret\nstringData: {a: '{Qz7xKvWp9mLr}'}\n",
        "kind: Secret\nstringData: {a: '{values.Qz7xKvWp9mLr'}\n",
        "kind: Secret\nstringData: {a: 'values.Qz7xKvWp9mLr}'}\n",
        "kind: Secret\nstringData: {a: '{values.a, Qz7xKvWp9mLr}'}\n",
    ] {
        let masked = mask_secrets(text);
        assert_eq!(leak(&masked), None, "{masked}");
        assert!(masked.starts_with("kind: ") && masked.len() == text.len(), "{masked}");
    }
}

/// The reports of `check` and of `why` and `diff`, which show what is built.
#[test]
fn a_value_that_an_expression_reads_is_hidden() {
    let project = |values: &str, spec: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {{name: p}}\n\
             spec: {{values: {{{values}}}}}\n---\napiVersion: sandboxc.dev/v1alpha1\n\
             kind: Sandbox\nmetadata: {{name: dev}}\nspec: {{image: a, {spec}}}\n"
        )
    };
    let secret = "token: Qz7xKvWp9mLr, db: {password: Qz7xKvWp9mLr}, url: \"x://a:Qz7xKvWp9mLr@b\"";
    let other = "token: a, db: {password: b}, url: \"x://a:b@c\"";
    for (spec, is_valid) in [
        ("command: ['{{ values.token }}']", true),
        ("command: ['{{ values.token[0:10] }}']", true),
        ("command: ['{{ values.db }}']", false),
        ("args: ['{{ values.db|items|join }}', '{{ values.url }}']", true),
        ("args: ['{{ values[\"url\"] }}']", true),
        ("nodeSelector: '{{ values.db }}'", true),
        ("env: [{name: API_TOKEN, value: '{{ values.token }}'}]", true),
        ("resources: {limits: {cpu: '{{ values.token }}'}}", false),
    ] {
        let [old, new] = [project(other, spec), project(secret, spec)];
        for command in [0, 5] {
            for (what, report) in reports("sandboxc.yaml", &new, &old, command) {
                assert_eq!(leak(&report), None, "{what} of {spec}: {report}");
                let shows_value = is_valid && matches!(what, "why" | "diff json");
                assert!(!shows_value || report.contains("dev"), "{what} of {spec}: {report}");
            }
        }
    }
}

/// A value is fixed like others, although no report shows what changes.
#[test]
fn a_secret_value_is_fixed_in_its_file_and_masked_in_the_changes() {
    let text = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {b: 98765432}\n";
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let fixed = fix(&workspace, &Options::default(), Safety::Safe);
    let [change] = &*fixed.changes(&workspace) else { panic!("{}", fixed.applied) };
    assert_eq!(change.after, text.replace("98765432", "\"98765432\""));
    let shown = format!("{:?}", fixed.shown_changes(&workspace));
    assert!(!shown.contains("9876") && shown.contains("****"), "{shown}");
    let compilation = compile(&workspace, &Options::default());
    assert!(!format!("{:?}", compilation.diagnostics).contains("9876"));
}

#[test]
fn no_report_shows_a_secret() {
    let number = |name| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let (count, seed) =
        (number("SECRET_MUTANTS").unwrap_or(portion(FEW, 3)), number("SECRET_SEED").unwrap_or(1));
    let edits = number("SECRET_EDITS").unwrap_or(1);
    let seeds = seeds();
    let check = |number: usize| {
        let Seed { name, text } = &seeds[number % seeds.len()];
        let mut numbers = Numbers::of(&format!("{seed} {number}"));
        let mutant =
            if number < seeds.len() { text.clone() } else { mutant(text, edits, &mut numbers) };
        if !is_known(name, &mutant, text) {
            return Vec::new();
        }
        let found = reports(name, &mutant, text, number / seeds.len());
        let leaks = found.iter().filter_map(|(what, report)| Some((*what, leak(report)?)));
        leaks.map(|(what, line)| format!("{number} {name}, {what}: {line}\n{mutant}")).collect()
    };
    let leaks: Vec<Vec<String>> = (0..count).into_par_iter().map(check).collect();
    let broken = leaks.iter().filter(|it| !it.is_empty()).count();
    let first: Vec<_> = leaks.iter().filter_map(|it| it.first()).take(20).map(|it| &**it).collect();
    assert_eq!(broken, 0, "mutants of {count} that show a secret, such as\n{}", first.join("\n"));
}
