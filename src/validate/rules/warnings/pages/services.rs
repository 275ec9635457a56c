//! What the rules of Services and addresses are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports an IP address, or a block of addresses, that is not written in its usual form: with
    /// leading zeros, with capital letters, with zeros that `::` stands for.
    ///
    /// ## Why
    /// Programs that compare addresses as text do not find it, and leading zeros are octal to some
    /// and decimal to others. From Kubernetes 1.36 on the API server refuses the forms that are read
    /// in different ways.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostAliases: [{ip: "2001:DB8::0001", hostnames: [a.example]}]
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostAliases: [{ip: "2001:db8::1", hostnames: [a.example]}]
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ADDRESS_NOT_CANONICAL = "address-not-canonical", Warning;

    /// ## What it does
    /// Reports a field that the API server takes and that does nothing beside the others.
    ///
    /// ## Why
    /// What it says is not done: a `ClusterIP` Service is no alias for its `externalName`, and a
    /// headless one keeps no session.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   externalName: web.example.com
    ///   ports: [{port: 80}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: ExternalName
    ///   externalName: web.example.com
    ///   ports: [{port: 80}]
    /// ```
    FIELD_WITHOUT_EFFECT = "field-without-effect", Warning;
}
