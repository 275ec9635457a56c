//! `migrate` of resources of kelos: the results follow its conversion webhook.

use sandboxc::{Options, Workspace, migrate};

fn one(text: &str) -> (String, Vec<String>) {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let migrated = migrate(&workspace, &Options::default());
    let findings = migrated.edited.diagnostics.iter();
    let findings = findings.map(|it| it.details().message.as_prose().to_string()).collect();
    let workspace = &migrated.edited.workspace;
    (workspace.ids().map(|it| workspace.file(it).text().to_owned()).collect(), findings)
}

fn check(kind: &str, before: &str, after: &str) {
    let head = |version: &str| {
        format!("apiVersion: kelos.dev/{version} # c\nkind: {kind}\nmetadata: {{name: a}}\n")
    };
    let (text, findings) = one(&(head("v1alpha1") + before));
    assert_eq!(text, head("v1alpha2") + after);
    assert_eq!(findings, [""; 0]);
    assert_eq!(one(&text), (text.clone(), Vec::new()));
}

#[test]
fn tasks_refer_to_a_list_of_configurations() {
    check(
        "Task",
        "spec:\n  type: codex\n  agentConfigRef:\n    name: shared # of the team\n  prompt: fix it\nstatus: {phase: Running}\n",
        "spec:\n  type: codex\n  agentConfigRefs:\n    - name: shared # of the team\n  prompt: fix it\n",
    );
    check(
        "Task",
        "spec: {type: codex, agentConfigRef: {name: shared}, agentConfigRefs: [{name: own}]}\n",
        "spec: {type: codex, agentConfigRefs: [{name: own}]}\n",
    );
    check(
        "Workspace",
        "spec: {repo: \"https://example.com/a.git\"}\n",
        "spec: {repo: \"https://example.com/a.git\"}\n",
    );
}

#[test]
fn spawners_move_what_applies_to_all_sources() {
    check(
        "TaskSpawner",
        "spec:\n  when:\n    githubIssues:\n      labels: [bug]\n      # only on demand\n      triggerComment: /fix\n      excludeComments: [/stop]\n    jira:\n      pollInterval: 1m\n  pollInterval: 10m # slow\n  taskTemplate:\n    agentConfigRef: {name: shared}\n",
        "spec:\n  when:\n    githubIssues:\n      labels: [bug]\n      commentPolicy:\n        # only on demand\n        triggerComment: /fix\n        excludeComments: [/stop]\n      pollInterval: 10m # slow\n    jira:\n      pollInterval: 1m\n  taskTemplate:\n    agentConfigRefs:\n      - {name: shared}\n",
    );
    check(
        "TaskSpawner",
        "spec: {when: {githubPullRequests: {commentPolicy: {triggerComment: /own}, triggerComment: /fix}}}\n",
        "spec: {when: {githubPullRequests: {commentPolicy: {triggerComment: /own}}}}\n",
    );
}

#[test]
fn variables_of_servers_are_a_sorted_list() {
    check(
        "AgentConfig",
        "spec:\n  mcpServers:\n  - name: db\n    type: stdio\n    env:\n      # the user\n      USER: jane # not a secret\n      HOST: \"db\"\n",
        "spec:\n  mcpServers:\n  - name: db\n    type: stdio\n    env:\n    # the user\n    - name: HOST\n      value: \"db\"\n    - name: USER\n      value: jane # not a secret\n",
    );
}

#[test]
fn preserved_fields_are_not_guessed() {
    let text = "apiVersion: kelos.dev/v1alpha1\nkind: AgentConfig\nmetadata:\n  name: a\n  annotations:\n    kelos.dev/v1alpha2-skills-secret-ref: \"[]\"\nspec: {}\n";
    let (after, findings) = one(text);
    assert_eq!(after, text);
    assert!(findings[0].contains("has fields of `v1alpha2`"), "{findings:?}");
}
