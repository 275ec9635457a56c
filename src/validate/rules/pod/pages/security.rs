//! What the rules of security contexts are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses the number of a user or a group outside of 0 to 2147483647.
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
    ///   securityContext: {runAsUser: -1}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {runAsUser: 1000}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    USER_ID_OUT_OF_RANGE = "user-id-out-of-range", Error;

    /// ## What it does
    /// Refuses `allowPrivilegeEscalation: false` beside `privileged: true`, or beside the capability
    /// `CAP_SYS_ADMIN`. `SYS_ADMIN` without the prefix passes.
    ///
    /// ## Why
    /// The API server refuses the Pod: the container has the privileges already. It often happens
    /// when a profile adds `allowPrivilegeEscalation: false` to a container that needs privileges.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     securityContext: {privileged: true, allowPrivilegeEscalation: false}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     securityContext: {privileged: true}
    /// ```
    PRIVILEGE_ESCALATION_CONFLICT = "privilege-escalation-conflict", Error;

    /// ## What it does
    /// Refuses `procMount: Unmasked` in a Pod without `hostUsers: false`.
    ///
    /// ## Why
    /// The API server refuses the Pod: root of such a container would be root of the node, with all
    /// of `/proc`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13", securityContext: {procMount: Unmasked}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostUsers: false
    ///   containers: [{name: main, image: "python:3.13", securityContext: {procMount: Unmasked}}]
    /// ```
    PROC_MOUNT_WITHOUT_OWN_USERS = "proc-mount-without-own-users", Error;

    /// ## What it does
    /// Refuses a seccomp profile of type `Localhost` without a path, with one that is absolute or has
    /// a step `..`, and a path beside another type.
    ///
    /// ## Why
    /// The API server refuses the Pod. The path starts at the kubelet's folder of profiles.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {seccompProfile: {type: Localhost}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {seccompProfile: {type: Localhost, localhostProfile: profiles/audit.json}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    SECCOMP_PROFILE_INVALID = "seccomp-profile-invalid", Error;

    /// ## What it does
    /// Refuses an AppArmor profile of type `Localhost` without a name, with white space around it, or
    /// with one longer than 4095 bytes, and a name beside another type.
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
    ///   securityContext: {appArmorProfile: {type: Localhost}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {appArmorProfile: {type: Localhost, localhostProfile: audit}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    APPARMOR_PROFILE_INVALID = "apparmor-profile-invalid", Error;

    /// ## What it does
    /// Refuses a sysctl whose name is none, that stands twice, or that belongs to a namespace which
    /// the Pod shares with the node: `net.*` with `hostNetwork`, those of shared memory, semaphores
    /// and message queues with `hostIPC`.
    ///
    /// ## Why
    /// The API server refuses the Pod: it would change the node.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostNetwork: true
    ///   securityContext: {sysctls: [{name: net.core.somaxconn, value: "1024"}]}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {sysctls: [{name: net.core.somaxconn, value: "1024"}]}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    SYSCTL_INVALID = "sysctl-invalid", Error;

    /// ## What it does
    /// Refuses `hostUsers: false` beside `hostNetwork`, `hostPID` or `hostIPC`, and
    /// `shareProcessNamespace` beside `hostPID`.
    ///
    /// ## Why
    /// The API server refuses the Pod: users of the Pod's own have no rights in the namespaces of the
    /// node.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostUsers: false
    ///   hostNetwork: true
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostUsers: false
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    OWN_USERS_WITH_HOST_NAMESPACE = "own-users-with-host-namespace", Error;
}
