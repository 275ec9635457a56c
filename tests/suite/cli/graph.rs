//! `graph`: pictures of the objects.

use super::Folder;

/// A pool with claims, a Pod with an absent Secret, a definition with a typo, a Service.
const INPUT: &str = r#"apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: python, namespace: rl}
spec:
  image: "python:3.13"
  podMetadata: {annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "false"}}
---
apiVersion: sandboxc.dev/v1alpha1
kind: WarmPool
metadata: {name: python, namespace: rl}
spec: {template: python}
---
apiVersion: sandboxc.dev/v1alpha1
kind: Claim
metadata: {name: "run-{{ index }}", namespace: rl}
expand: {count: 12}
spec: {warmPool: python}
---
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: broken, namespace: rl}
spec: {image: "python:3.13", resources: {limits: {memory: 512MB}}}
---
apiVersion: sandboxc.dev/v1alpha1
kind: WarmPool
metadata: {name: broken, namespace: rl}
spec: {template: broken}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: site, labels: {app: web}}
spec: {containers: [{name: web, image: "nginx:1.29", envFrom: [{secretRef: {name: token}}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: "web", namespace: site}
spec: {selector: {app: web}, ports: [{port: 80}]}
"#;

fn folder() -> Folder {
    Folder::new(&[("all.yaml", INPUT)])
}

/// The picture, which is printed even if the input has errors.
fn drawn(format: &str) -> String {
    let (stdout, stderr) = folder().run(&["graph", "all.yaml", "--to", format]).expect(1);
    assert!(stderr.contains("error[quantity-invalid]"), "{stderr}");
    stdout
}

#[test]
fn mermaid_has_nodes_links_and_states() {
    let expected = r#"flowchart LR
  subgraph s0["rl"]
    n0["12 × SandboxClaim<br/><b>run-0 … run-11</b>"]
    n1["SandboxTemplate<br/><b>python</b>"]
    n2["SandboxWarmPool<br/><b>broken</b>"]
    n3["SandboxWarmPool<br/><b>python</b>"]
    n4["Template<br/><b>broken</b><br/><i>has errors</i>"]:::bad
  end
  subgraph s1["site"]
    n5["Pod<br/><b>web</b>"]
    n6["Secret<br/><b>token</b><br/><i>missing</i>"]:::bad
    n7["Service<br/><b>web</b>"]
  end
  n0 -->|pool| n3
  n2 -->|template| n4
  n3 -->|template| n1
  n5 -.->|env| n6
  n7 -->|selects| n5
  classDef bad stroke:#d1242f,stroke-width:2px,color:#d1242f
  classDef elsewhere stroke-dasharray:4 3
"#;
    assert_eq!(drawn("mermaid"), expected);
}

#[test]
fn dot_has_nodes_links_and_states() {
    let dot = drawn("dot");
    for line in [
        r#"    label="rl""#,
        r#"    n0 [label="12 × SandboxClaim\nrun-0 … run-11"]"#,
        r##"    n4 [label="Template\nbroken\n(has errors)", color="#d1242f", fontcolor="#d1242f"]"##,
        r#"  n0 -> n3 [label="pool"]"#,
        r##"  n5 -> n6 [label="env", color="#d1242f", style=dashed]"##,
    ] {
        assert!(dot.lines().any(|it| it == line), "{line} is not in\n{dot}");
    }
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
}

/// A coordinate in tenths of a pixel.
fn tenths(text: &str) -> i64 {
    let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
    format!("{whole}{tenth}").parse().unwrap()
}

/// Each link starts at the right side of a node and ends at the left side of another, or the other way round, and its
/// word is between nodes.
fn links_go_from_side_to_side(root: roxmltree::Node<'_, '_>) {
    let of_class = |class: &'static str| {
        root.descendants()
            .filter(move |it| it.attribute("class").is_some_and(|it| it.starts_with(class)))
    };
    let number = |node: roxmltree::Node<'_, '_>, name: &str| tenths(node.attribute(name).unwrap());
    let cards: Vec<_> = of_class("card")
        .map(|it| ["x", "y", "width", "height"].map(|name| number(it, name)))
        .collect();
    let sides = |[x, y]: [i64; 2]| {
        // Both coordinates of an edge are rounded.
        let meets = |edge: i64, top: i64, height: i64| {
            x.abs_diff(edge) <= 2 && (top..=top + height).contains(&y)
        };
        let is_right =
            cards.iter().any(|[left, top, width, height]| meets(left + width, *top, *height));
        let is_left = cards.iter().any(|[left, top, _, height]| meets(*left, *top, *height));
        [is_right, is_left]
    };
    let mut count = 0;
    for link in of_class("link") {
        let path = link.attribute("d").unwrap();
        let places: Vec<[i64; 2]> = path
            .split(['M', 'C', ' '])
            .filter_map(|it| it.split_once(','))
            .map(|(x, y)| [x, y].map(tenths))
            .collect();
        let ends = [*places.first().unwrap(), *places.last().unwrap()].map(sides);
        assert!(matches!(ends, [[true, _], [_, true]] | [[_, true], [true, _]]), "{path} {ends:?}");
        count += 1;
    }
    assert_eq!(count, 5);
    for word in of_class("word") {
        // A character is at least five pixels wide.
        let half = 25 * i64::try_from(word.text().unwrap().len()).unwrap();
        let (x, y) = (number(word, "x"), number(word, "y"));
        let is_free = cards.iter().all(|[left, top, width, height]| {
            x + half < *left || x - half > left + width || !(*top..top + height).contains(&y)
        });
        assert!(is_free, "{word:?}");
    }
}

#[test]
fn svg_is_well_formed_and_shows_each_node_within_its_frame() {
    let svg = drawn("svg");
    assert_eq!(svg, drawn("svg"));
    let document = roxmltree::Document::parse(&svg).unwrap();
    let root = document.root_element();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let (width, height) = (number(root, "width"), number(root, "height"));
    let cards: Vec<_> =
        root.descendants().filter(|it| it.attribute("class") == Some("card")).collect();
    // One more rectangle for the folded claims.
    assert_eq!(cards.len(), 9);
    for card in cards {
        assert!(number(card, "x") >= 0.0 && number(card, "y") >= 0.0);
        assert!(number(card, "x") + number(card, "width") <= width);
        assert!(number(card, "y") + number(card, "height") <= height);
    }
    for frame in root.descendants().filter(|it| it.attribute("class") == Some("space")) {
        let (top, height) = (number(frame, "y"), number(frame, "height"));
        let inside = root.descendants().filter(|it| it.attribute("class") == Some("card"));
        let inside = inside.filter(|it| (top..top + height).contains(&number(*it, "y")));
        // The title ends 20 pixels below the top of the frame.
        assert!(inside.clone().count() > 0);
        assert!(inside.clone().map(|it| number(it, "y") - top).all(|it| it >= 28.0));
        assert!(
            inside.map(|it| number(it, "y") + number(it, "height")).all(|it| it < top + height)
        );
    }
    links_go_from_side_to_side(root);
    let texts: Vec<_> = root.descendants().filter_map(|it| it.text()).collect();
    for text in ["run-0 … run-11", "12 × SandboxClaim", "Secret · missing", "rl", "site"] {
        assert!(texts.contains(&text), "{text} is not in {texts:?}");
    }
    assert!(svg.contains("prefers-color-scheme: dark"));
}

#[test]
fn a_policy_selects_a_sandbox_by_the_hash_of_its_name() {
    let policy = |name: &str, hash: &str| {
        format!(
            "---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: {name}}}\nspec:\n  \
             podSelector: {{matchLabels: {{agents.x-k8s.io/{hash}}}}}\n"
        )
    };
    let sandbox = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev-box}\n\
                   spec: {image: \"x:1\"}\n---\napiVersion: sandboxc.dev/v1alpha1\nkind: Template\n\
                   metadata: {name: alice}\nspec: {image: \"x:1\"}\n";
    let text = [
        sandbox.to_owned(),
        policy("own", "sandbox-name-hash: a6b0e084"),
        policy("other", "sandbox-name-hash: a6b0e085"),
        policy("template", "sandbox-template-ref-hash: \"872213e7\""),
    ];
    let folder = Folder::new(&[("all.yaml", &text.concat())]);
    let (stdout, _) = folder.run(&["graph", "all.yaml", "--to", "dot"]).expect(0);
    let links: Vec<_> = stdout.lines().filter(|it| it.contains("->")).map(str::trim).collect();
    let node = |name: &str, kind: &str| {
        let label = format!("{kind}\\n{name}");
        let line =
            stdout.lines().find(|it| it.contains(&label)).unwrap_or_else(|| panic!("{stdout}"));
        line.trim().split(' ').next().unwrap().to_owned()
    };
    let link = |from: &str, to: &str, kind: &str| {
        format!("{} -> {} [label=\"selects\"]", node(from, "NetworkPolicy"), node(to, kind))
    };
    let mut expected =
        vec![link("own", "dev-box", "Sandbox"), link("template", "alice", "SandboxTemplate")];
    expected.sort();
    let mut found: Vec<_> = links.iter().map(|it| (*it).to_owned()).collect();
    found.sort();
    assert_eq!(found, expected, "{stdout}");
}

#[test]
fn names_are_escaped() {
    let folder = Folder::new(&[(
        "all.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"a\\\"]<b>&#;\\n\\e\", namespace: 'x\"y'}\n",
    )]);
    for format in ["mermaid", "dot", "svg"] {
        let (stdout, _) = folder.run(&["graph", "all.yaml", "--to", format]).expect(1);
        assert!(!stdout.contains('\u{1b}') && !stdout.contains("</b>]"), "{stdout}");
        if format == "dot" {
            let label = r#"[label="ConfigMap\na\"]<b>&amp;#;␊␛\n(has errors)""#;
            assert!(stdout.contains(label), "{stdout}");
        } else {
            assert!(!stdout.contains("<b>&#") && !stdout.contains(r#"a"]"#), "{stdout}");
        }
        if format == "svg" {
            roxmltree::Document::parse(&stdout).unwrap();
        }
    }
}

/// An object without a namespace is created in that of the command line, which is `default` by
/// default.
#[test]
fn no_namespace_is_the_default_namespace() {
    let input = r#"apiVersion: v1
kind: Pod
metadata: {name: web, namespace: default, labels: {app: web}}
spec: {containers: [{name: web, image: "nginx:1.29", envFrom: [{secretRef: {name: token}}]}]}
---
apiVersion: v1
kind: Secret
metadata: {name: token}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
"#;
    let folder = Folder::new(&[("all.yaml", input)]);
    let (stdout, _) = folder.run(&["graph", "all.yaml"]).expect(0);
    assert_eq!(stdout.matches("-->").count() + stdout.matches("-.->").count(), 2, "{stdout}");
    assert!(stdout.contains("|selects|"), "{stdout}");
    assert!(!stdout.contains("missing"), "{stdout}");
}

/// What the rules and the editor know as references.
#[test]
fn objects_without_pods_have_links_too() {
    let input = r#"apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: site}
spec:
  ingressClassName: nginx
  tls: [{hosts: [a.example.com], secretName: certificate}]
  defaultBackend: {service: {name: web, port: {number: 80}}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: site}
spec: {clusterIP: None, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: site}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {serviceAccountName: web, containers: [{name: web, image: "nginx:1.29"}]}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: site}
imagePullSecrets: [{name: registry}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: site}
spec: {volumeName: disk, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"#;
    let (dot, _) =
        Folder::new(&[("a.yaml", input)]).run(&["graph", "a.yaml", "--to", "dot"]).expect(0);
    let name = |node: &str| {
        let start = format!("{node} [label=\"");
        let line = dot.lines().find_map(|line| line.trim_start().strip_prefix(&start));
        line.and_then(|line| line.split('"').next()).unwrap().replace("\\n", " ")
    };
    let links = dot.lines().filter_map(|line| {
        let (from, rest) = line.trim().split_once(" -> ")?;
        let (to, rest) = rest.split_once(" [label=\"")?;
        Some(format!("{} {} {}", name(from), rest.split('"').next()?, name(to)))
    });
    let mut links: Vec<_> = links.collect();
    links.sort();
    let expected = [
        "Ingress web TLS Secret certificate (not in the input)",
        "Ingress web class IngressClass nginx (not in the input)",
        "Ingress web routes to Service web",
        "PersistentVolumeClaim data binds PersistentVolume disk (not in the input)",
        "ServiceAccount web pulls with Secret registry (missing)",
        "StatefulSet web class StorageClass fast (not in the input)",
        "StatefulSet web named by Service web",
        "StatefulSet web uses ServiceAccount web",
    ];
    assert_eq!(links, expected);
}
