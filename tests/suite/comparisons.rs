//! Limits on the comparisons of objects with each other, whose number is a product. Those of selectors take
//! 30 s in a debug build, so by default only the evaluations of a policy reach their limit.

use sandboxc::{Options, Severity, Workspace, compile};

use crate::support::has_all;

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

/// A disruption budget with this selector.
fn budget(requirements: &str, at: usize) -> String {
    format!(
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: b{at}}}\nspec: \
         {{minAvailable: 1, selector: {{matchExpressions: [{requirements}]}}}}\n"
    )
}

#[test]
fn the_comparisons_of_selectors_spend_fuel() {
    if !has_all() {
        return;
    }
    let exists = |at| budget("{key: app, operator: Exists}", at);
    for (pods, reported) in [(COMPARED, 0), (6 * COMPARED, 1)] {
        let objects = (0..6 * COMPARED).map(exists).chain((0..pods).map(pod));
        assert_eq!(count(objects, "too-much-work", Severity::Error), reported, "{pods}");
    }
}

#[test]
fn long_selectors_spend_more() {
    if !has_all() {
        return;
    }
    let many = |item: &dyn Fn(usize) -> String, count: usize| {
        (0..count).map(item).collect::<Vec<_>>().join(", ")
    };
    let pod = |at: usize| {
        let labels = many(&|at| format!("l{at}: v"), 60);
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p{at}, labels: {{app: a, {labels}}}}}\n\
             spec: {{containers: [{{name: a, image: 'b:1'}}]}}\n"
        )
    };
    let long = many(&|at| format!("{{key: l{at}, operator: Exists}}"), 60);
    for (requirements, reported) in [("{key: app, operator: Exists}", 0), (&long, 1)] {
        let objects = (0..3 * COMPARED).map(|at| budget(requirements, at));
        let objects = objects.chain((0..200).map(pod));
        assert_eq!(count(objects, "too-much-work", Severity::Error), reported, "{requirements}");
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
    for (bindings, reported) in [(20, 0), (2 * COMPARED, 1)] {
        let config = |at| {
            format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{at}}}\ndata: {{}}\n")
        };
        let objects = [policy.to_owned(), pod(0)].into_iter();
        let objects = objects.chain((0..bindings).map(binding)).chain((0..COMPARED).map(config));
        let errors = count(objects, "too-much-work", Severity::Error);
        assert_eq!(errors, reported, "{bindings} bindings");
    }
}
