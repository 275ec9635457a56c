//! What the rules of names and sizes of workloads are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports an indexed Job with more than 100,000 completions that works on more than 10,000 at
    /// once.
    ///
    /// ## Why
    /// The Job keeps a list of the indexes that are done. Where many fail, the list grows beyond what
    /// the API server stores, and the Job can no longer be tracked.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: index}
    /// spec:
    ///   completionMode: Indexed
    ///   completions: 200000
    ///   parallelism: 20000
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: work, image: busybox:1.37}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: index}
    /// spec:
    ///   completionMode: Indexed
    ///   completions: 200000
    ///   parallelism: 10000
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: work, image: busybox:1.37}]
    /// ```
    JOB_INDEXES_TOO_MANY = "job-indexes-too-many", Warning;

    /// ## What it does
    /// Reports a name of a Pod, Deployment, ReplicaSet, ReplicationController, Job or CronJob that
    /// cannot be part of a host name: one with dots, or with more than 63 characters.
    ///
    /// ## Why
    /// The API server takes the name. Pods are called after it, and a Pod's name is its host name:
    /// dots in it are cut, and two Pods may end up with one host name.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web.v2}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web-v2}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    NAME_NOT_A_HOST_NAME = "name-not-a-host-name", Warning;
}
