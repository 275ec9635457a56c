//! Runs the controller in the cluster of the current context.

use std::sync::Arc;
use std::time::Duration;

use example_controller::{Error, Outcome, reconcile, workbench};
use futures::StreamExt;
use kube::api::{Api, DynamicObject};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher;
use kube::{Client, ResourceExt};
use sandboxc::Versions;

#[tokio::main]
async fn main() -> Result<(), kube::Error> {
    let client = Client::try_default().await?;
    let server = client.apiserver_version().await?;
    // A server that sandboxc does not know is judged as the newest one that it knows.
    let versions =
        Versions::parse(&format!("{}.{}", server.major, server.minor)).unwrap_or_default();
    let resource = workbench();
    let workbenches: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    Controller::new_with(workbenches, watcher::Config::default(), resource)
        .run(
            move |it, client| run(it, client, versions),
            |_, error, _| {
                eprintln!("{error}");
                Action::requeue(Duration::from_secs(30))
            },
            Arc::new(client),
        )
        .for_each(|_| async {})
        .await;
    Ok(())
}

async fn run(
    workbench: Arc<DynamicObject>,
    client: Arc<Client>,
    versions: Versions,
) -> Result<Action, Error> {
    let outcome = reconcile(&client, &workbench, versions).await?;
    if let Outcome::Rejected(reasons) = outcome {
        eprintln!("{}: {}", workbench.name_any(), reasons.join("; "));
    }
    // A change of the Workbench is the only thing that can change the verdict.
    Ok(Action::await_change())
}
