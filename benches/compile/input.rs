//! The generated input: templates of realistic size with a pool each, and claims distributed over
//! them.

use std::fmt::Write as _;

/// `claims` claims and `templates` templates with a pool each, as one stream of documents. The same
/// numbers always give the same bytes.
pub(crate) fn definitions(claims: usize, templates: usize) -> String {
    let mut text = String::new();
    for index in 0..templates {
        if index % 5 == 0 {
            template(&mut text, index);
        } else {
            variant(&mut text, index);
        }
        pool(&mut text, index);
    }
    for index in 0..claims {
        claim(&mut text, index, index % templates.max(1));
    }
    text.shrink_to_fit();
    text
}

/// A template that extends the last one that extends no other.
fn variant(text: &mut String, index: usize) {
    let _ = write!(
        text,
        "---
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata:
  name: template-{index}
  namespace: rollouts
  labels: {{team: team-{team}}}
spec:
  extends: template-{base}
  image: ghcr.io/acme/environment-{index}:1.{index}.0
  env:
    - name: ENVIRONMENT
      value: environment-{index}
    - name: CACHE_DIRECTORY
      value: /cache/environment-{index}
  resources:
    requests: {{cpu: 500m, memory: 1Gi}}
    limits: {{cpu: \"2\", memory: 2Gi}}
",
        base = index - index % 5,
        team = index % 7
    );
}

fn template(text: &mut String, index: usize) {
    let _ = write!(
        text,
        "---
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata:
  name: template-{index}
  namespace: rollouts
  labels: {{team: team-{team}}}
spec:
  image: ghcr.io/acme/environment-{index}:1.{index}.0
  podSecurityContext: {{runAsUser: 1000}}
  command: [python, -m, runtime.server]
  args: [--port, \"8888\", --workers, \"2\"]
  ports:
    - {{name: http, containerPort: 8888}}
  readinessProbe:
    httpGet: {{path: /healthz, port: http}}
    periodSeconds: 1
  env:
    - name: ENVIRONMENT
      value: environment-{index}
    - name: LOG_LEVEL
      value: info
    - name: CACHE_DIRECTORY
      value: /cache/environment-{index}
  resources:
    requests: {{cpu: 250m, memory: 512Mi}}
    limits: {{cpu: \"1\", memory: 1Gi}}
  volumes:
    - name: scratch
      emptyDir: {{sizeLimit: 2Gi}}
  volumeMounts:
    - {{name: scratch, mountPath: /scratch}}
  network:
    ingress:
      - from:
          - namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: agent-sandbox-system}}}}
            podSelector: {{matchLabels: {{app: sandbox-router}}}}
        ports: [{{port: 8888, protocol: TCP}}]
    egress:
      - to:
          - namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: kube-system}}}}
            podSelector: {{matchLabels: {{k8s-app: kube-dns}}}}
        ports: [{{port: 53, protocol: UDP}}, {{port: 53, protocol: TCP}}]
      - to: [{{ipBlock: {{cidr: 203.0.113.0/24}}}}]
        ports: [{{port: 443, protocol: TCP}}]
  podMetadata:
    annotations: {{cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\"}}
  claims: {{env: Allowed}}
",
        team = index % 7
    );
}

fn pool(text: &mut String, index: usize) {
    let _ = write!(
        text,
        "---
apiVersion: sandboxc.dev/v1alpha1
kind: WarmPool
metadata:
  name: pool-{index}
  namespace: rollouts
spec:
  template: template-{index}
  replicas: 3
"
    );
}

fn claim(text: &mut String, index: usize, pool: usize) {
    let _ = write!(
        text,
        "---
apiVersion: sandboxc.dev/v1alpha1
kind: Claim
metadata:
  name: rollout-{index}
  namespace: rollouts
spec:
  warmPool: pool-{pool}
  lifecycle:
    shutdownTime: \"2030-01-31T18:00:00Z\"
    shutdownPolicy: Delete
  podMetadata:
    labels: {{sandbox.users.io/rollout: \"r{index}\"}}
"
    );
}
