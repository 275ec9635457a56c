//! Deep and large inputs generated from a grammar: expressions of definitions, and CEL rules.
//!
//! The seeds are the same in each run. A test fails if the program panics, if an accepted
//! expression has a different result than in minijinja, or if a span is outside the input.

use sandboxc::{Compilation, Options, Workspace, compile};
use serde_json::json;

use crate::support::{has_all, portion, sampled};

/// A pseudo-random number generator with a fixed seed (xorshift64*).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).unwrap() % end
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// A form of an expression, in which `@` is replaced by an expression.
fn filled(numbers: &mut Numbers, forms: &[&str], leaves: &[&str], depth: usize) -> String {
    let form = if depth == 0 { numbers.pick(leaves) } else { numbers.pick(forms) };
    let mut parts = form.split('@');
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let below = numbers.below(depth.max(1));
        text.push_str(&filled(numbers, forms, leaves, below));
        text.push_str(part);
    }
    text
}

const JINJA_LEAVES: &[&str] = &[
    "1",
    "-2",
    "3.5",
    "1e3",
    "0x1f",
    "'a'",
    "\"b'c\"",
    "''",
    "true",
    "none",
    "[]",
    "{}",
    "values.s",
    "values.n",
    "values.l",
    "values.m",
    "values.m.k",
    "values['s']",
    "range(5)",
    "99999999999999999999",
    "'\\n}}'",
    "'é~*'",
];

const JINJA_FORMS: &[&str] = &[
    "@ + @",
    "@ - @",
    "@ * @",
    "@ / @",
    "@ // @",
    "@ % @",
    "@ ** @",
    "@ ~ @",
    "@ == @",
    "@ < @",
    "@ >= @ ",
    "@ in @",
    "@ not in @",
    "(@)",
    "(@ ~ @)",
    "-@",
    "not @",
    "@ and @",
    "@ or @",
    "@ if @ else @",
    "[@, @]",
    "{'a': @}",
    "(@)[@]",
    "(@)[@:@]",
    "(@)[::@]",
    "@|upper",
    "@|string",
    "@|list",
    "@|join(@)",
    "@|replace(@, @)",
    "@|length",
    "@|first",
    "@|default(@)",
    "@|sort",
    "@|unique|list",
    "@|map('upper')|list",
    "@|select('odd')|list",
    "@|batch(@)|list",
    "@|round(@)",
    "@|int",
    "@|float",
    "@|abs",
    "@|indent(@)",
    "@|format(@)",
    "@ is odd",
    "@ is defined",
    "@ is divisibleby @",
    "@ is in(@)",
    "range(@)",
    "range(@, @, @)|list",
    "values.l|join(@)",
    "@|trim",
    "@|split(@)",
    "@|items|list",
];

const TEXT_FORMS: &[&str] = &[
    "{{ @ }}",
    "a{{ @ }}b",
    "{{ @ }}{{ @ }}",
    "{% if @ %}x{% elif @ %}y{% else %}{{ @ }}{% endif %}",
    "{% for i in @ %}{{ i }}{% if not loop.last %},{% endif %}{% endfor %}",
    "{# @ #}{{- @ -}}",
    "{{- @ -}}{ #",
    "{% raw %}{{ @ }}{% endraw %}",
    "a {%- raw -%} {{ @ }} {%- endraw %}{{ @ }}",
];

fn compiled(text: String) -> (Workspace, Compilation) {
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", text);
    let compilation = compile(&workspace, &Options::default());
    for finding in &compilation.diagnostics {
        let span = workspace.locate(finding.primary.span);
        assert!(
            span.end as usize <= workspace.file(span.file).text().len(),
            "{}",
            finding.details().message.as_prose()
        );
    }
    (workspace, compilation)
}

#[test]
fn expressions_evaluate_as_in_minijinja() {
    let values = json!({"s": "text", "n": 7, "l": ["a", "b", "c"], "m": {"k": "v"}});
    let mut environment = minijinja::Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    let (mut accepted, mut numbers) = (0, Numbers(0x5eed));
    for _ in sampled(0..1000, 8) {
        let mut text = String::new();
        for part in numbers.pick(TEXT_FORMS).split_inclusive('@') {
            let depth = numbers.below(7);
            let expression = filled(&mut numbers, JINJA_FORMS, JINJA_LEAVES, depth);
            text.push_str(&part.replace('@', &expression));
        }
        let yaml = format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {{name: p}}\nspec: {{values: {values}}}\n\
             ---\napiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {{name: t}}\n\
             spec: {{image: a, env: [{{name: A, value: {}}}]}}\n",
            json!(format!("<{text}>"))
        );
        let (_, compilation) = compiled(yaml);
        if compilation.has_errors() {
            continue;
        }
        accepted += 1;
        let said =
            environment.render_str(&format!("<{text}>"), json!({ "values": values })).unwrap();
        let found = compilation.objects.iter().find_map(|object| {
            let containers = object.root().at(&["spec", "podTemplate", "spec", "containers"])?;
            Some(
                containers
                    .items()
                    .first()?
                    .get("env")?
                    .items()
                    .first()?
                    .str_at(&["value"])?
                    .to_owned(),
            )
        });
        assert_eq!(found, Some(said), "{text}");
    }
    assert!(accepted > portion(50, 8), "{accepted} were accepted");
}

const CEL_LEAVES: &[&str] = &[
    "1",
    "-1",
    "2u",
    "1.5",
    "'a'",
    "\"\"",
    "b'x'",
    "true",
    "null",
    "[]",
    "{}",
    "self.a",
    "self.n",
    "self.l",
    "self.b",
    "oldSelf.n",
    "duration('1h')",
    "timestamp('2026-01-01T00:00:00Z')",
    "9223372036854775807",
    "'%.99999f'",
    "'é'",
];

const CEL_FORMS: &[&str] = &[
    "@ + @",
    "@ - @",
    "@ * @",
    "@ / @",
    "@ % @",
    "@ == @",
    "@ != @",
    "@ < @",
    "@ in @",
    "!@",
    "-@",
    "(@)",
    "@ && @",
    "@ || @",
    "@ ? @ : @",
    "[@, @]",
    "{@: @}",
    "(@)[@]",
    "has(self.a)",
    "size(@)",
    "self.l.all(x, @)",
    "self.l.exists(x, x == @)",
    "self.l.map(x, @)",
    "[@].map(x, [x].map(y, @))",
    "self.l.filter(x, @)",
    "@.startsWith(@)",
    "@.matches(@)",
    "@.split(@)",
    "@.replace(@, @)",
    "@.substring(@, @)",
    "@.format([@])",
    "[@].join(@)",
    "string(@)",
    "int(@)",
    "double(@)",
    "uint(@)",
    "type(@)",
    "dyn(@)",
    "quantity(@)",
    "@.indexOf(@)",
    "@.lowerAscii()",
    "@.find(@)",
    "isURL(@)",
    "@.getSeconds()",
];

#[test]
fn no_cel_rule_crashes_the_compiler() {
    let (mut run, mut numbers) = (0, Numbers(0xce1));
    for _ in sampled(0..600, 8) {
        let depth = numbers.below(8);
        let mut rule = filled(&mut numbers, CEL_FORMS, CEL_LEAVES, depth);
        if numbers.below(2) == 0 {
            rule = format!("dyn({rule}) == true");
        }
        let yaml = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: things.example.com}}\n\
             spec:\n  group: example.com\n  scope: Namespaced\n  names: {{kind: Thing, plural: things, singular: thing, listKind: ThingList}}\n\
             \x20 versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n\
             \x20       properties:\n          spec:\n            type: object\n            x-kubernetes-validations: [{{rule: {rule}}}]\n\
             \x20           properties: {{a: {{type: string, maxLength: 30}}, n: {{type: integer}}, b: {{type: boolean}}, \
             l: {{type: array, maxItems: 9, items: {{type: string, maxLength: 9}}}}}}\n\
             ---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {{name: t}}\n\
             spec: {{a: text, n: 3, b: true, l: [x, yy, zzz]}}\n",
            rule = json!(rule)
        );
        let (_, compilation) = compiled(yaml);
        let is_invalid =
            compilation.diagnostics.iter().any(|it| it.rule.name == "cel-rule-invalid");
        run += usize::from(!is_invalid);
    }
    assert!(run > portion(10, 8), "{run} were run");
}

/// Each variable of a policy reads the one before it, and evaluation goes into all of them.
#[test]
fn a_long_chain_of_policy_variables_is_not_decided() {
    let variables: Vec<_> = (1..3000)
        .map(|at| format!("  - {{name: v{at}, expression: variables.v{} + 1}}\n", at - 1))
        .collect();
    let variables = variables.concat();
    let input = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: a}}\n\
         spec:\n  matchConstraints:\n    resourceRules:\n    - {{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}}\n  \
         variables:\n  - {{name: v0, expression: '1'}}\n{variables}  \
         validations: [{{expression: variables.v2999 > 0}}]\n---\n\
         apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {{name: a}}\n\
         spec: {{policyName: a, validationActions: [Deny]}}\n---\n\
         apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n"
    );
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", input);
    let compilation = compile(&workspace, &Options::default());
    let rules: Vec<_> = compilation.diagnostics.iter().map(|it| it.rule.name).collect();
    assert_eq!(rules, ["policy-not-decided"]);
}

/// The names of all claims end in that of the first one, whose template has many volume claims.
#[test]
fn comparisons_of_volume_claims_spend_fuel() {
    let entries: Vec<_> =
        (0..1000).map(|at| format!("  - {{metadata: {{name: v{at}}}}}\n")).collect();
    let template = format!(
        "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxTemplate\nmetadata: {{name: a}}\n\
         spec:\n  podTemplate: {{spec: {{containers: [{{name: a, image: \"b:1\"}}]}}}}\n  \
         volumeClaimTemplates:\n{}---\n\
         apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {{name: a}}\n\
         spec: {{replicas: 0, sandboxTemplateRef: {{name: a}}}}\n",
        entries.concat()
    );
    let rules = |count: usize| -> Vec<&'static str> {
        let names = (0..count).map(|at| format!("b{at}-a")).chain(["a".to_owned()]);
        let claims = names.map(|name| {
            format!(
                "---\napiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\n\
                 metadata: {{name: {name}}}\nspec: {{warmPoolRef: {{name: a}}}}\n"
            )
        });
        let mut workspace = Workspace::new();
        workspace.add("input.yaml", template.clone() + &claims.collect::<String>());
        let found = compile(&workspace, &Options::default()).diagnostics;
        let found = found.into_iter().map(|it| it.rule.name);
        found.filter(|it| ["volume-claim-collision", "too-much-work"].contains(it)).collect()
    };
    assert_eq!(rules(1_000), [""; 0]);
    if has_all() {
        assert_eq!(rules(20_000), ["too-much-work"]);
    }
}
