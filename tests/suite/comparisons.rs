//! Limits on the comparisons of objects with each other, whose number is a product.

use sandboxc::{Options, Severity, Workspace, compile};

const COMPARED: usize = 1_000;

fn pod(at: usize) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: p{at}, labels: {{app: a{at}}}}}\n\
         spec: {{containers: [{{name: a, image: 'b:1'}}]}}\n"
    )
}

/// The number of findings of a rule with this severity.
fn count(objects: impl Iterator<Item = String>, rule: &str, severity: Severity) -> usize {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", objects.collect::<Vec<_>>().join("---\n"));
    let compilation = compile(&workspace, &Options::default());
    let found = compilation.diagnostics.iter();
    let found = found.filter(|it| it.rule.name == rule && it.severity == severity);
    found.map(|it| 1 + it.others.count()).sum()
}

#[test]
fn selectors_of_different_labels_are_compared_with_few_pods() {
    let services = (0..COMPARED).map(|at| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: s{at}}}\n\
             spec: {{selector: {{app: x{at}}}, ports: [{{port: 80}}]}}\n"
        )
    });
    let objects = services.chain((0..=COMPARED).map(pod));
    assert_eq!(count(objects, "selector-without-pods", Severity::Warning), COMPARED);
}

#[test]
fn the_comparisons_of_selectors_are_limited() {
    let budget = |at| {
        format!(
            "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: b{at}}}\n\
             spec: {{minAvailable: 1, selector: {{matchExpressions: [{{key: app, operator: Exists}}]}}}}\n"
        )
    };
    for (pods, reported) in [(COMPARED, 0), (COMPARED + 1, 1)] {
        let objects = (0..COMPARED).map(budget).chain((0..pods).map(pod));
        assert_eq!(count(objects, "selector-not-checked", Severity::Note), reported, "{pods}");
    }
}

#[test]
fn long_selectors_and_many_ports_count_as_several_comparisons() {
    let many = |item: &dyn Fn(usize) -> String, count: usize| {
        (0..count).map(item).collect::<Vec<_>>().join(", ")
    };
    let pod = |at: usize| {
        let labels = many(&|at| format!("l{at}: v"), 60);
        let ports = many(&|at| format!("{{containerPort: {}, name: p{at}}}", at + 1), 100);
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p{at}, labels: {{app: a, {labels}}}}}\n\
             spec: {{containers: [{{name: a, image: 'b:1', ports: [{ports}]}}]}}\n"
        )
    };
    let long = many(&|at| format!("{{key: l{at}, operator: Exists}}"), 60);
    let budget = |requirements: &str, at: usize| {
        format!(
            "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: b{at}}}\nspec: \
             {{minAvailable: 1, selector: {{matchExpressions: [{requirements}, {{key: l0, operator: \
             DoesNotExist}}]}}}}\n"
        )
    };
    let service = |port: &str, at: usize| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: s{at}}}\nspec: {{selector: {{app: \
             a}}, ports: [{{port: 80, targetPort: {port}}}]}}\n"
        )
    };
    let short = "{key: app, operator: Exists}";
    for (objects, reported) in [
        ((0..200).map(|at| budget(short, at)).collect::<Vec<_>>(), 0),
        ((0..200).map(|at| budget(&long, at)).collect(), 1),
        ((0..COMPARED).map(|at| service("80", at)).collect(), 0),
        ((0..COMPARED).map(|at| service("p1", at)).collect(), 1),
    ] {
        let first = objects[0].clone();
        let objects = objects.into_iter().chain((0..100).map(pod));
        assert_eq!(count(objects, "selector-not-checked", Severity::Note), reported, "{first}");
    }
}

#[test]
fn the_evaluations_of_a_policy_are_limited_whatever_they_cost() {
    let policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
        metadata: {name: p}\nspec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n  matchConstraints:\n    \
        resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]\n  \
        validations: [{expression: 'true'}]\n";
    let binding = |at| {
        format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
             metadata: {{name: b{at}}}\nspec:\n  policyName: p\n  validationActions: [Deny]\n  \
             paramRef: {{selector: {{}}, parameterNotFoundAction: Deny}}\n"
        )
    };
    // The limit is higher for larger objects.
    for (bindings, length, reported) in
        [(20, 0, 0), (2 * COMPARED, 0, 1), (2 * COMPARED, 3 * COMPARED, 0)]
    {
        let config = |at| {
            let name = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{at}}}\n");
            format!("{name}data: {{a: '{}'}}\n", "a".repeat(length))
        };
        let objects = [policy.to_owned(), pod(0)].into_iter();
        let objects = objects.chain((0..bindings).map(binding)).chain((0..COMPARED).map(config));
        let errors = count(objects, "policy-not-decided", Severity::Error);
        assert_eq!(errors, reported, "{bindings} bindings, {length} bytes");
    }
}
