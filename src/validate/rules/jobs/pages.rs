//! What the rules of Jobs and CronJobs are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses numbers that a Job with indexes cannot have: no `completions`, a `parallelism` or a
    /// `maxFailedIndexes` above 100000, or above 10000 in a Job of more than 100000 indexes with a
    /// limit for each. Also refuses `backoffLimitPerIndex` and `maxFailedIndexes` in a Job without
    /// indexes, and the second one without the first.
    ///
    /// ## Why
    /// The API server refuses the Job: the list of indexes that are done would become too long. In
    /// the Jobs of a CronJob it fills in no `completions`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   parallelism: 4
    ///   completionMode: Indexed
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   parallelism: 4
    ///   completions: 16
    ///   completionMode: Indexed
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    JOB_INDEXES_INVALID = "job-indexes-invalid", Error;

    /// ## What it does
    /// Refuses the name of a Job with indexes that makes no host names: with `-` and the last index
    /// behind it, it must be a DNS label of at most 63 characters.
    ///
    /// ## Why
    /// The Pods of such a Job are called after it and their index. The API server refuses the Job.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report.daily}
    /// spec:
    ///   completions: 16
    ///   completionMode: Indexed
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report-daily}
    /// spec:
    ///   completions: 16
    ///   completionMode: Indexed
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    JOB_HOST_NAME_INVALID = "job-host-name-invalid", Error;

    /// ## What it does
    /// Refuses a `managedBy` that is no domain and name like `example.com/controller`, or is longer
    /// than 63 bytes.
    ///
    /// ## Why
    /// The API server refuses the Job. The domain keeps the names of several controllers apart.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   managedBy: queue
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   managedBy: example.com/queue
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    JOB_MANAGER_INVALID = "job-manager-invalid", Error;

    /// ## What it does
    /// Refuses a `podFailurePolicy` that the API server refuses: a rule that asks for neither exit
    /// codes nor conditions, or for both; exit codes out of order, repeated, or 0 with `In`; a
    /// container that the Pod does not have; `FailIndex` without `backoffLimitPerIndex`; more rules
    /// or values than there may be; and a `podReplacementPolicy` other than `Failed` beside it.
    ///
    /// ## Why
    /// The API server refuses the Job.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   podFailurePolicy:
    ///     rules: [{action: FailJob, onExitCodes: {operator: In, values: [43, 42]}}]
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   podFailurePolicy:
    ///     rules: [{action: FailJob, onExitCodes: {operator: In, values: [42, 43]}}]
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    FAILURE_POLICY_INVALID = "failure-policy-invalid", Error;

    /// ## What it does
    /// Refuses a `successPolicy` that the API server refuses: in a Job without indexes; without
    /// rules, or with an empty one; with indexes that are out of order or that the Job does not have;
    /// with a count above that of the indexes.
    ///
    /// ## Why
    /// The API server refuses the Job.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   completions: 4
    ///   completionMode: Indexed
    ///   successPolicy: {rules: [{succeededIndexes: 0-4}]}
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   completions: 4
    ///   completionMode: Indexed
    ///   successPolicy: {rules: [{succeededIndexes: 0-3}]}
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    SUCCESS_POLICY_INVALID = "success-policy-invalid", Error;

    /// ## What it does
    /// Refuses a `selector` in a Job that does not say `manualSelector: true`, and both fields in a
    /// CronJob.
    ///
    /// ## Why
    /// The API server gives each Job a selector of its own, so that no two Jobs share their Pods. It
    /// refuses one that asks for other labels than those it sets.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   selector: {matchLabels: {app: report}}
    ///   template:
    ///     metadata: {labels: {app: report}}
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   template:
    ///     metadata: {labels: {app: report}}
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    JOB_SELECTOR_OWN = "job-selector-own", Error;

    /// ## What it does
    /// Refuses the labels `controller-uid` and `job-name`, alone or with `batch.kubernetes.io/` in
    /// front, in the template of a Job, unless the second one is the name of the Job.
    ///
    /// ## Why
    /// The API server sets these labels on the Pods of a Job, and refuses a Job that has others. They
    /// come along when a Job is read from a cluster and created again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report-2}
    /// spec:
    ///   template:
    ///     metadata: {labels: {job-name: report}}
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report-2}
    /// spec:
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    JOB_LABEL_RESERVED = "job-label-reserved", Error;

    /// ## What it does
    /// Refuses a `schedule` of a CronJob that the API server cannot read.
    ///
    /// ## Why
    /// A schedule is five fields, minute, hour, day of the month, month and day of the week, or one of
    /// `@yearly`, `@monthly`, `@weekly`, `@daily`, `@hourly` and `@every 1h30m`. A field is a list of
    /// numbers, ranges and `*`, with an optional step; months and days have English names of three
    /// letters. Other programs know more: seconds, `L`, `W`, `#`, `@reboot`, and 7 for Sunday are
    /// unknown here. A time zone stands in `timeZone`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: CronJob
    /// metadata: {name: report}
    /// spec:
    ///   schedule: 0 4 * * 7
    ///   jobTemplate:
    ///     spec:
    ///       template:
    ///         spec:
    ///           restartPolicy: Never
    ///           containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: CronJob
    /// metadata: {name: report}
    /// spec:
    ///   schedule: 0 4 * * 0
    ///   jobTemplate:
    ///     spec:
    ///       template:
    ///         spec:
    ///           restartPolicy: Never
    ///           containers: [{name: main, image: "python:3.13"}]
    /// ```
    SCHEDULE_INVALID = "schedule-invalid", Error;

    /// ## What it does
    /// Refuses a `timeZone` of a CronJob that is not in the IANA database of time zones.
    ///
    /// ## Why
    /// The API server refuses the CronJob. Upper and lower case count, and offsets like `UTC+1` are no
    /// names.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: CronJob
    /// metadata: {name: report}
    /// spec:
    ///   schedule: 0 4 * * *
    ///   timeZone: europe/berlin
    ///   jobTemplate:
    ///     spec:
    ///       template:
    ///         spec:
    ///           restartPolicy: Never
    ///           containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: CronJob
    /// metadata: {name: report}
    /// spec:
    ///   schedule: 0 4 * * *
    ///   timeZone: Europe/Berlin
    ///   jobTemplate:
    ///     spec:
    ///       template:
    ///         spec:
    ///           restartPolicy: Never
    ///           containers: [{name: main, image: "python:3.13"}]
    /// ```
    TIME_ZONE_UNKNOWN = "time-zone-unknown", Error;
}
