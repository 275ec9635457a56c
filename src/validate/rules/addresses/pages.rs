//! What the rules of addresses are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a text that is no IP address, or no block of IP addresses, where one has to stand.
    ///
    /// ## Why
    /// The API server refuses the object. A block is an address, `/` and the number of its bits that
    /// are fixed; a single address is a block with all bits: `/32`, or `/128` for IPv6.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: LoadBalancer
    ///   ports: [{port: 80}]
    ///   loadBalancerSourceRanges: [10.0.0.7]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: LoadBalancer
    ///   ports: [{port: 80}]
    ///   loadBalancerSourceRanges: [10.0.0.7/32]
    /// ```
    ADDRESS_INVALID = "address-invalid", Error;

    /// ## What it does
    /// Refuses an address or a block in a form that API servers take up to Kubernetes 1.35: with
    /// leading zeros, an IPv4 address written as IPv6, or a block with bits set behind its prefix.
    ///
    /// ## Why
    /// From 1.36 on the API server refuses new objects with them. Programs disagree what they mean:
    /// some read `010` as eight.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: LoadBalancer
    ///   ports: [{port: 80}]
    ///   loadBalancerSourceRanges: [203.0.113.010/32]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: LoadBalancer
    ///   ports: [{port: 80}]
    ///   loadBalancerSourceRanges: [203.0.113.10/32]
    /// ```
    ADDRESS_LAX = "address-lax", Error;

    /// ## What it does
    /// Refuses an address that has a meaning of its own where one has to stand that others reach:
    /// `0.0.0.0`, `127.0.0.0/8`, `169.254.0.0/16`, `224.0.0.0/24` and their like in IPv6.
    ///
    /// ## Why
    /// The API server refuses the object. With such an address a Service could take over what a node
    /// says to itself.
    ///
    /// ## Example
    /// ```yaml
    /// # kubernetes: 1.35
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80}]
    ///   externalIPs: [127.0.0.1]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80}]
    ///   externalIPs: [203.0.113.10]
    /// ```
    ADDRESS_SPECIAL = "address-special", Error;
}
