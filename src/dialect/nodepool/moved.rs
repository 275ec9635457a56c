//! Options of a `nodepool.yaml` that a NodePool has in another form. Those that differ in spelling
//! only, such as `max-servers`, need no entry.

use crate::lower::Moved;

const GPU: &str = "write the resource in `resources: {limits: {nvidia.com/gpu: 1}}`";

/// Options of a provider, a pool and a label.
pub(super) static OF_NODE_POOL: &[Moved] = &[
    Moved::new("spec.name", "write `provider`, or use it as `metadata.name`"),
    Moved::new(
        "spec.pools[].default-label-cpu",
        "write `defaultResources: {requests: {cpu: \"2\"}}`",
    ),
    Moved::new(
        "spec.pools[].default-label-memory",
        "write `defaultResources: {requests: {memory: 1024Mi}}`; the driver counts MiB",
    ),
    Moved::new(
        "spec.pools[].default-label-storage",
        "write `defaultResources: {requests: {ephemeral-storage: 10M}}`; the driver counts MB",
    ),
    Moved::new(
        "spec.pools[].default-label-cpu-limit",
        "write `defaultResources: {limits: {cpu: \"2\"}}`",
    ),
    Moved::new(
        "spec.pools[].default-label-memory-limit",
        "write `defaultResources: {limits: {memory: 1024Mi}}`; the driver counts MiB",
    ),
    Moved::new(
        "spec.pools[].default-label-storage-limit",
        "write `defaultResources: {limits: {ephemeral-storage: 10M}}`; the driver counts MB",
    ),
    Moved::new("spec.pools[].labels[].image-pull", "write `imagePullPolicy`"),
    Moved::new("spec.pools[].labels[].cpu", "write `resources: {requests: {cpu: \"2\"}}`"),
    Moved::new(
        "spec.pools[].labels[].memory",
        "write `resources: {requests: {memory: 1024Mi}}`; the driver counts MiB",
    ),
    Moved::new(
        "spec.pools[].labels[].storage",
        "write `resources: {requests: {ephemeral-storage: 10M}}`; the driver counts MB",
    ),
    Moved::new("spec.pools[].labels[].cpu-limit", "write `resources: {limits: {cpu: \"2\"}}`"),
    Moved::new(
        "spec.pools[].labels[].memory-limit",
        "write `resources: {limits: {memory: 1024Mi}}`; the driver counts MiB",
    ),
    Moved::new(
        "spec.pools[].labels[].storage-limit",
        "write `resources: {limits: {ephemeral-storage: 10M}}`; the driver counts MB",
    ),
    Moved::new("spec.pools[].labels[].gpu", GPU),
    Moved::new("spec.pools[].labels[].gpu-resource", GPU),
];
