//! The summary table of all Tasks: how often each agent may run, and which Tasks it waits for.

use super::task::TaskSpec;
use crate::decode::Text;
use crate::diag::aligned;
use crate::lower::Instances;

const HEADINGS: [&str; 4] = ["TASK", "AGENT", "RUNS AT MOST", "WAITS FOR"];
/// The Jobs of kelos have `backoffLimit: 1`.
const RUNS: &str = "2";
/// With a policy, only some failures count.
const RUNS_WITH_POLICY: &str = "2 (podFailurePolicy)";

/// Returns a table of all Tasks, or `None` if there are no Tasks.
pub(super) fn summarize(instances: &Instances<'_>) -> Option<String> {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    for definition in instances.of_kind::<TaskSpec>() {
        let fields = definition.spec.fields;
        let agent = fields.agent.map_or_else(String::new, |agent| agent.as_str().to_owned());
        let runs = if fields.pod_failure_policy.is_some() { RUNS_WITH_POLICY } else { RUNS };
        let waits_for: Vec<_> =
            fields.depends_on.iter().flat_map(|it| &it.items).map(Text::as_str).collect();
        let name = definition.metadata.name.as_str().to_owned();
        rows.push([name, agent, runs.to_owned(), waits_for.join(", ")]);
    }
    if rows.len() == 1 {
        return None;
    }
    Some(aligned(&rows).map(|line| line + "\n").collect())
}
