//! Defaults of all groups. Recorded from a kube-apiserver of 1.36: the second form is what it stores of
//! the first one.

use super::{compared, expect};

#[track_caller]
fn same(version: &str, kind: &str, written: &str, stored: &str) {
    let [written, stored] = [written, stored]
        .map(|rest| format!("apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: a\n{rest}\n"));
    expect(&written, &stored, &[]);
    expect(&stored, &written, &[]);
    assert!(compared(&written, &stored).objects.is_empty(), "{kind}");
}

#[test]
fn defaults_of_classes_and_drivers_are_silent() {
    let class = |scope: &str| {
        format!(
            "spec: {{controller: a.b/c, parameters: {{apiGroup: a.b, kind: C, name: c{scope}}}}}"
        )
    };
    same("networking.k8s.io/v1", "IngressClass", &class(""), &class(", scope: Cluster"));
    same(
        "storage.k8s.io/v1",
        "CSIDriver",
        "spec: {}",
        "spec: {attachRequired: true, podInfoOnMount: false, storageCapacity: false, requiresRepublish: false, \
         seLinuxMount: false, fsGroupPolicy: ReadWriteOnceWithFSType, volumeLifecycleModes: [Persistent]}",
    );
    let service = |port: &str| {
        format!("spec: {{group: a.b, version: v1, service: {{name: a, namespace: b{port}}}}}")
    };
    same("apiregistration.k8s.io/v1", "APIService", &service(""), &service(", port: 443"));
}

#[test]
fn defaults_of_limits_are_silent() {
    let limits = |defaults: &str| {
        format!(
            "spec: {{limits: [{{type: Container, max: {{cpu: 2}}, min: {{cpu: 1, ephemeral-storage: 1Gi}}, \
             {defaults}}}]}}"
        )
    };
    same(
        "v1",
        "LimitRange",
        &limits("default: {memory: 1Gi}"),
        &limits(
            "default: {memory: 1Gi, cpu: 2}, defaultRequest: {cpu: 2, memory: 1Gi, ephemeral-storage: 1Gi}",
        ),
    );
    let group = "flowcontrol.apiserver.k8s.io/v1";
    let level = |shares: &str, queuing: &str| {
        format!(
            "spec: {{type: Limited, limited: {{{shares}limitResponse: {{type: Queue, queuing: {{{queuing}}}}}}}}}"
        )
    };
    same(
        group,
        "PriorityLevelConfiguration",
        &level("", ""),
        &level(
            "nominalConcurrencyShares: 30, lendablePercent: 0, ",
            "queues: 64, handSize: 8, queueLengthLimit: 50",
        ),
    );
    let schema = |rest: &str| format!("spec: {{priorityLevelConfiguration: {{name: b}}{rest}}}");
    same(group, "FlowSchema", &schema(""), &schema(", matchingPrecedence: 1000"));
}

#[test]
fn defaults_of_admission_policies_are_silent() {
    let constraints = |selectors: &str, scope: &str| {
        format!(
            "{{resourceRules: [{{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: \
             [pods]{scope}}}]{selectors}}}"
        )
    };
    let written = constraints("", "");
    let stored = constraints(
        ", namespaceSelector: {}, objectSelector: {}, matchPolicy: Equivalent",
        ", scope: '*'",
    );
    let group = "admissionregistration.k8s.io/v1";
    let policy = |rest: &str, constraints: &str| {
        format!("spec: {{validations: []{rest}, matchConstraints: {constraints}}}")
    };
    let kind = "ValidatingAdmissionPolicy";
    same(group, kind, &policy("", &written), &policy(", failurePolicy: Fail", &stored));
    let binding = |it: &str| format!("spec: {{policyName: a, matchResources: {it}}}");
    same(group, "ValidatingAdmissionPolicyBinding", &binding(&written), &binding(&stored));
}

/// `StorageObjectInUseProtection` adds them.
#[test]
fn finalizers_of_volumes_are_silent() {
    same(
        "v1",
        "PersistentVolume",
        "spec: {hostPath: {path: /a}}",
        "  finalizers: [kubernetes.io/pv-protection]\nspec: {hostPath: {path: /a, type: ''}}",
    );
}

/// What an API server allocated to an object stays if the manifest does not name it, as it was not applied.
#[test]
fn fields_that_the_cluster_allocated_are_silent() {
    let service = |metadata: &str, spec: &str, port: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: a{metadata}}}\nspec: {{type: NodePort{spec}, ports: [{{port: \
             80{port}}}]}}\n"
        )
    };
    let allocated = ", clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack";
    let stored = service(", uid: u", allocated, ", nodePort: 30001");
    expect(&stored, &service("", "", ""), &[]);
    // A manifest that named it had applied it.
    let manifest = service("", "", ", nodePort: 30001");
    expect(&manifest, &service("", "", ""), &["spec.ports[80/TCP].nodePort: 30001 ->"]);
    let other = service("", "", ", nodePort: 30002");
    expect(&stored, &other, &["spec.ports[80/TCP].nodePort: 30001 -> 30002"]);
}
