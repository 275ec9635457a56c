//! What the controller sends, with a service in place of the API server.

use example_controller::{Outcome, reconcile, rejections, workbench};
use http::{Request, Response};
use http_body_util::BodyExt;
use kube::Client;
use kube::api::DynamicObject;
use kube::client::Body;
use sandboxc::Versions;
use serde_json::{Value, json};

/// Reconciles a Workbench: the outcome, and the method, path and body of each request.
async fn requests(memory: &str) -> (Outcome, Vec<(String, Value)>) {
    let (service, mut server) = tower_test::mock::pair::<Request<Body>, Response<Body>>();
    let server = tokio::spawn(async move {
        let mut requests = Vec::new();
        while let Some((request, respond)) = server.next_request().await {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let body: Value = serde_json::from_slice(&body).unwrap();
            respond.send_response(Response::new(Body::from(body.to_string().into_bytes())));
            requests.push((format!("{} {}", head.method, head.uri.path()), body));
        }
        requests
    });
    let mut bench = DynamicObject::new("web", &workbench()).within("team");
    bench.data = json!({ "spec": { "image": "python:3.13", "memory": memory } });
    let client = Client::new(service, "default");
    let outcome = reconcile(&client, &bench, Versions::default()).await.unwrap();
    drop(client);
    (outcome, server.await.unwrap())
}

const STATUS: &str = "PATCH /apis/example.org/v1/namespaces/team/workbenches/web/status";

#[tokio::test]
async fn a_valid_pod_is_applied() {
    let (outcome, requests) = requests("512Mi").await;
    assert_eq!(outcome, Outcome::Applied);
    let [(pod, body), (status, accepted)] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(pod, "PATCH /api/v1/namespaces/team/pods/web");
    assert_eq!(body["spec"]["containers"][0]["resources"]["limits"]["memory"], "512Mi");
    assert_eq!((status.as_str(), &accepted["status"]["accepted"]), (STATUS, &json!(true)));
}

#[tokio::test]
async fn an_invalid_pod_is_a_status_and_no_request() {
    let (outcome, requests) = requests("512MB").await;
    let Outcome::Rejected(reasons) = outcome else { panic!("{outcome:?}") };
    let reason =
        "spec.containers[0].resources.limits[memory]: invalid quantity `512MB` for `memory`";
    assert_eq!(reasons, [reason]);
    let [(status, body)] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(status, STATUS);
    assert_eq!(body["status"], json!({ "accepted": false, "message": reason }));
}

#[test]
fn all_faults_are_reported_at_once() {
    let job = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "name": "A" },
        "spec": { "template": { "spec": { "restartPolicy": "Always", "containers": [] } } },
    });
    let reasons = rejections(&job, Versions::default()).unwrap();
    assert!(reasons.len() >= 3, "{reasons:?}");
}
