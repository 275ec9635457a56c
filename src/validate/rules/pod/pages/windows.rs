//! What the rules of operating systems are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a `runAsUserName` that is no user of Windows, and a `gmsaCredentialSpec` longer than
    /// 64 KiB.
    ///
    /// ## Why
    /// The API server refuses the Pod. A user is a name of at most 104 bytes, with a domain and one
    /// backslash before it if need be.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {windowsOptions: {runAsUserName: svc@example.com}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {windowsOptions: {runAsUserName: 'example.com\svc'}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    WINDOWS_OPTIONS_INVALID = "windows-options-invalid", Error;

    /// ## What it does
    /// Refuses a Pod in which only some containers are host processes, in which the Pod and a
    /// container say different things, or that has host processes and no `hostNetwork: true`.
    ///
    /// ## Why
    /// The API server refuses the Pod: host processes of Windows share the node, all of a Pod or
    /// none.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostNetwork: true
    ///   containers:
    ///   - {name: main, image: "python:3.13", securityContext: {windowsOptions: {hostProcess: true}}}
    ///   - {name: side, image: "python:3.13"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostNetwork: true
    ///   securityContext: {windowsOptions: {hostProcess: true}}
    ///   containers:
    ///   - {name: main, image: "python:3.13"}
    ///   - {name: side, image: "python:3.13"}
    /// ```
    HOST_PROCESS_MIXED = "host-process-mixed", Error;

    /// ## What it does
    /// Refuses `windowsOptions` in a Pod with `os: {name: linux}`, and the fields that only Linux has
    /// in one with `os: {name: windows}`.
    ///
    /// ## Why
    /// The API server refuses the Pod: whoever names the system wants to hear of settings that cannot
    /// hold there.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   os: {name: windows}
    ///   securityContext: {runAsUser: 1000}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   os: {name: windows}
    ///   securityContext: {windowsOptions: {runAsUserName: ContainerUser}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    FIELD_OF_OTHER_SYSTEM = "field-of-other-system", Error;
}
