//! What the rules of the Pod as a whole are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses an `activeDeadlineSeconds` of a Pod outside of 1 to 2147483647.
    ///
    /// ## Why
    /// The API server refuses the Pod. Without a deadline the field is left out.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   activeDeadlineSeconds: 0
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   activeDeadlineSeconds: 1
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    DEADLINE_OUT_OF_RANGE = "deadline-out-of-range", Error;

    /// ## What it does
    /// Refuses a `hostname` or a `subdomain` that is no DNS label, and a `hostnameOverride` that is
    /// no DNS subdomain of at most 64 bytes, or stands beside `hostNetwork` or `setHostnameAsFQDN`.
    ///
    /// ## Why
    /// The API server refuses the Pod. A `hostname` has no dots: what stands behind the first one is
    /// the `subdomain`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostname: web.example
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostname: web
    ///   subdomain: example
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    HOST_NAME_INVALID = "host-name-invalid", Error;

    /// ## What it does
    /// Refuses `dnsPolicy: None` without name servers, more than 3 of them or 32 search domains, name
    /// servers that are no IP addresses, and search domains that are none. From Kubernetes 1.36 on
    /// addresses with leading zeros, and IPv4 addresses written as IPv6, are refused too.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   dnsPolicy: None
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   dnsPolicy: None
    ///   dnsConfig: {nameservers: [1.1.1.1]}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    DNS_CONFIG_INVALID = "dns-config-invalid", Error;

    /// ## What it does
    /// Refuses an entry of `hostAliases` whose `ip` is no IP address, or whose names are no DNS
    /// subdomains.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostAliases: [{ip: 10.0.0, hostnames: [db]}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostAliases: [{ip: 10.0.0.1, hostnames: [db]}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    HOST_ALIAS_INVALID = "host-alias-invalid", Error;

    /// ## What it does
    /// Refuses a readiness gate whose condition type is no qualified name, as keys of labels are.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   readinessGates: [{conditionType: load balancer}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   readinessGates: [{conditionType: example.com/load-balancer}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    READINESS_GATE_INVALID = "readiness-gate-invalid", Error;
}
