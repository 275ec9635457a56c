//! `import`: comments of the input are in the output, or in a finding.

use sandboxc::{ImportOptions, Workspace, import, write_imported};

/// The output of an import, and the positions of the comments that it does not have.
fn imported(text: &str) -> (String, Vec<usize>) {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let imported = import(&workspace, &ImportOptions::default());
    let mut output = Vec::new();
    write_imported(&imported, &mut output).unwrap();
    let dropped = imported.diagnostics.iter().filter(|it| it.rule.name == "import-comment-dropped");
    let labels = dropped.flat_map(|it| {
        let others = it.details().secondary.iter().map(|label| label.span);
        std::iter::once(it.primary.span).chain(others).collect::<Vec<_>>()
    });
    let lines = labels.map(|it| workspace.locate(it).range().start);
    let lines = lines.map(|at| text[..at].lines().count()).collect();
    (String::from_utf8(output).unwrap(), lines)
}

#[test]
fn comments_stay_at_their_fields() {
    let (output, dropped) = imported(
        "# The templates.\n---\n# One of them.\napiVersion: extensions.agents.x-k8s.io/v1beta1 # current\n\
        kind: SandboxTemplate\nmetadata:\n  # A name.\n  name: swe\n  labels: # by team\n    team: a # core\n\
        spec:\n  # The Pod.\n  podTemplate: # all of it\n    spec:\n      automountServiceAccountToken: false # none\n\
        \x20     containers:\n      # The agent.\n      - name: agent # as everywhere\n        image: agent:1\n\
        \x20       args:\n        - --a # first\n        # Then the second.\n        - --b\n\
        \x20       env: [{name: A, value: \"# no comment\"}] # variables\n        command: # a script\n\
        \x20       - sh\n        - -c\n        - | # of two lines\n          echo # no comment\n          exit\n\
        \x20     # A proxy.\n      - name: proxy\n        image: proxy:1 # pinned\n# The end.\n",
    );
    let expected = "\
# The templates.
# One of them.
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata:
  # A name.
  name: swe
  labels: # by team
    team: a # core
spec:
  # The Pod.
  # The agent.
  container: agent # as everywhere
  image: agent:1
  command: # a script
  - sh
  - -c
  - | # of two lines
    echo # no comment
    exit
  args:
  - --a # first
  # Then the second.
  - --b
  env: # variables
  - name: A
    value: '# no comment'
  automountServiceAccountToken: false # none
  podOverrides:
    containers:
    # A proxy.
    - name: proxy
      image: proxy:1 # pinned
  security: baseline
# The end.
";
    assert_eq!(output, expected);
    assert_eq!(dropped, [4, 13]);
}

#[test]
fn comments_of_fields_with_other_names_are_kept() {
    let (output, dropped) = imported(
        "# A task.\napiVersion: kelos.dev/v1alpha2\nkind: Task\nmetadata: {name: t}\nspec:\n  # What to do.\n\
        \x20 prompt: |- # now\n    # no comment\n  worker:\n    # The agent.\n    type: claude-code # the best\n\
        \x20   credentials: # none\n      type: none\n    podOverrides:\n      # Two.\n      resources:\n\
        \x20       limits: {cpu: 2} # at most\n",
    );
    for part in [
        "---\n# A task.\napiVersion: sandboxc.dev",
        "  # What to do.\n  prompt: '# no comment' # now\n",
        "  # The agent.\n  agent: claude-code # the best\n",
        "  credentials: # none\n",
        "  # Two.\n  resources:\n    limits: # at most\n",
    ] {
        assert!(output.contains(part), "{part}\n{output}");
    }
    assert!(dropped.is_empty(), "{dropped:?}");
}

#[test]
fn objects_that_are_kept_have_their_comments() {
    let text = "# A map.\napiVersion: v1 # core\nkind: ConfigMap\nmetadata:\n  # Its name.\n  name: a\n# End.\n";
    assert_eq!(imported(text), (text.to_owned(), Vec::new()));
}

#[test]
fn an_exception_stays_one() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  # sandboxc: allow label-value-invalid - known\n  labels:\n    a: b c\n";
    assert_eq!(imported(text), (text.to_owned(), Vec::new()));
}

#[test]
fn comments_of_merged_definitions_are_reported() {
    let claim = |name: &str, comment: &str| {
        format!(
            "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\nmetadata:\n  name: {name}\n\
            spec:\n  warmPoolRef:\n    name: pool # {comment}\n"
        )
    };
    let (output, dropped) = imported(&format!("{}---\n{}", claim("a", "one"), claim("b", "two")));
    assert!(output.contains("  warmPool: pool # one\n"), "{output}");
    assert_eq!(dropped, [15]);
}
