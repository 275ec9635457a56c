//! Large documents: what a client gets of their findings, and how soon.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, plain, uri};
use crate::cli::Folder;

/// A time limit far above that of one pass on a busy machine. A search of the line for each finding takes as
/// many minutes.
const SOON: Duration = Duration::from_mins(1);

/// A List in one line, each of whose Pods has an unknown field.
fn in_one_line(pods: usize) -> String {
    let pod = |it| {
        format!(
            "{{apiVersion: v1, kind: Pod, metadata: {{name: a{it}}}, spec: {{containers: [{{name: é😀, imag: b}}]}}}}"
        )
    };
    let items: Vec<_> = (0..pods).map(pod).collect();
    format!("{{apiVersion: v1, kind: List, items: [{}]}}\n", items.join(", "))
}

fn report(client: &mut Client, uri: &str) -> Vec<Value> {
    let report = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    report["items"].as_array().unwrap().clone()
}

#[test]
fn findings_in_one_line_take_one_pass() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    let text = in_one_line(3_000);
    let start = Instant::now();
    client.open(&uri, 1, &text);
    let found = report(&mut client, &uri);
    let took = start.elapsed();
    assert!(took < SOON, "{took:?}");
    let last = found.iter().rev().find(|it| it["code"] == "unknown-field").unwrap();
    let units: Vec<_> = text.encode_utf16().collect();
    let at =
        |name: &str| usize::try_from(last["range"][name]["character"].as_u64().unwrap()).unwrap();
    assert_eq!(String::from_utf16(&units[at("start")..at("end")]).unwrap(), "imag");
}

#[test]
fn the_gravest_findings_of_a_file_are_shown() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {trafficDistribution: PreferClose, \
        selector: {app: a}, ports: [{port: 80}]}\n---\n";
    let service = |number: usize| service.replace("web", &format!("web{number}"));
    let mut text: String = (0..1_200).map(service).collect();
    text.push_str("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: 1}\n");
    client.open(&uri, 1, &text);
    let found = report(&mut client, &uri);
    assert_eq!(found.len(), 1_000);
    let errors: Vec<_> = found.iter().filter(|it| it["severity"] == 1).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    let last = found.last().unwrap();
    assert_eq!(last["severity"], 3);
    let message = last["message"].as_str().unwrap();
    assert!(
        message.ends_with(" more findings are not shown: `sandboxc check` reports all of them"),
        "{message}"
    );
    // Below the limit, all are shown.
    client.change(&uri, 2, [0, 0, 5 * 600, 0], "");
    let few = report(&mut client, &uri);
    let of_each = few.len() / 600;
    assert!(few.iter().all(|it| it["code"].is_string()) && of_each >= 1);
    let left: usize = message.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(999 + left, few.len() + 600 * of_each);
}
