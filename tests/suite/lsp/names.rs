//! Names: where they are written, and new ones for all of them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::client::{Client, plain, uri};
use crate::cli::Folder;

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  volumes:\n    - name: data\n      emptyDir: {}\n    \
    - name: keys\n      secret: {secretName: db, items: [{key: pw, path: p}]}\n  containers:\n    - name: a\n      \
    image: b:1\n      volumeMounts: [{name: data, mountPath: /d}, {name: keys, mountPath: /k}]\n      env:\n        \
    - name: PW\n          valueFrom: {secretKeyRef: {name: db, key: pw}}\n";
const SECRET: &str =
    "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {pw: x, other: y}\n";
const PROJECT: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  values: {tag: '1', image: {name: a}}\n  \
    environments:\n    prod: {values: {tag: '2'}}\n";
const TEMPLATE: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: t}\nspec:\n  \
    image: '{{ values.image.name }}:{{ values.tag }}'\n  command: ['{{ values.tag|lower }}', '{{ values.tags }}']\n";

/// A session with these files, which are open.
struct Session {
    client: Client,
    folder: Folder,
    texts: BTreeMap<String, String>,
}

impl Session {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder::new(files);
        let (mut client, _) = Client::start(folder.path(), &plain());
        let mut texts = BTreeMap::new();
        for (name, text) in files {
            let uri = uri(folder.path(), name);
            client.open(&uri, 1, text);
            texts.insert(uri, (*text).to_owned());
        }
        Self { client, folder, texts }
    }

    /// The parameters at the place of a word in a file, in its part that is marked with `^`.
    fn at(&self, name: &str, marked: &str) -> Value {
        let uri = uri(self.folder.path(), name);
        let word = marked.replace('^', "");
        let offset = self.texts[&uri].find(&word).unwrap() + marked.find('^').unwrap();
        let before = &self.texts[&uri][..offset];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap().len();
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character},
               "context": {"includeDeclaration": true}})
    }

    /// The number of places, each of which has this text.
    fn references(&mut self, params: &Value, text: &str) -> usize {
        let found = self.client.ask("textDocument/references", params.clone());
        for place in found.as_array().unwrap() {
            let uri = place["uri"].as_str().unwrap();
            assert_eq!(self.slice(uri, &place["range"]), text);
        }
        let renamable = self.client.ask("textDocument/prepareRename", params.clone());
        assert_eq!(self.slice(params["textDocument"]["uri"].as_str().unwrap(), &renamable), text);
        found.as_array().unwrap().len()
    }

    fn slice(&self, uri: &str, range: &Value) -> &str {
        let line = usize::try_from(range["start"]["line"].as_u64().unwrap()).unwrap();
        let at = |name: &str| usize::try_from(range[name]["character"].as_u64().unwrap()).unwrap();
        &self.texts[uri].lines().nth(line).unwrap()[at("start")..at("end")]
    }

    /// The text of each file after a name is changed.
    fn renamed(&mut self, mut params: Value, new: &str) -> Result<Vec<String>, i32> {
        params["newName"] = json!(new);
        let id = self.client.request("textDocument/rename", params);
        let edit = self.client.answer(&id)?;
        let mut texts = self.texts.clone();
        for change in edit["documentChanges"].as_array().unwrap() {
            let text = texts.get_mut(change["textDocument"]["uri"].as_str().unwrap()).unwrap();
            let mut edits = change["edits"].as_array().unwrap().clone();
            edits.sort_by_key(|it| {
                let start = &it["range"]["start"];
                (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap())
            });
            for edit in edits.iter().rev() {
                let mut lines: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect();
                let range = &edit["range"];
                let at = |place: &str, key: &str| {
                    usize::try_from(range[place][key].as_u64().unwrap()).unwrap()
                };
                let new = edit["newText"].as_str().unwrap();
                lines[at("start", "line")]
                    .replace_range(at("start", "character")..at("end", "character"), new);
                *text = lines.concat();
            }
        }
        Ok(texts.into_values().collect())
    }
}

#[test]
fn volumes_keys_and_values_have_references() {
    let files = [
        ("pod.yaml", POD),
        ("sandboxc.yaml", PROJECT),
        ("secret.yaml", SECRET),
        ("template.yaml", TEMPLATE),
    ];
    let mut session = Session::new(&files);
    for (file, place, word, count) in [
        ("pod.yaml", "- name: da^ta", "data", 2),
        ("pod.yaml", "[{name: da^ta", "data", 2),
        ("pod.yaml", "db, key: p^w", "pw", 3),
        ("pod.yaml", "[{key: p^w", "pw", 3),
        ("secret.yaml", "{p^w: x", "pw", 3),
        ("secret.yaml", "oth^er", "other", 1),
        ("sandboxc.yaml", "values: {ta^g: '1'", "tag", 4),
        ("sandboxc.yaml", "values: {ta^g: '2'", "tag", 4),
        ("template.yaml", "values.ta^g }", "tag", 4),
        ("template.yaml", "values.ima^ge", "image", 2),
        ("template.yaml", "image.na^me", "name", 2),
    ] {
        let params = session.at(file, place);
        assert_eq!(session.references(&params, word), count, "{file} {place}");
    }
    let params = session.at("pod.yaml", "[{name: da^ta");
    let expected = POD.replace("name: data", "name: cache");
    assert_eq!(session.renamed(params, "cache").unwrap()[0], expected);
    let params = session.at("template.yaml", "values.ta^g }");
    let renamed = session.renamed(params, "version").unwrap();
    assert_eq!(renamed[1], PROJECT.replace("tag", "version"));
    assert_eq!(
        renamed[3],
        TEMPLATE.replace("values.tag }", "values.version }").replace("tag|", "version|")
    );
    let params = session.at("secret.yaml", "{p^w: x");
    let renamed = session.renamed(params.clone(), "no").unwrap();
    assert_eq!(renamed[2], SECRET.replace("pw", "\"no\""));
    assert_eq!(renamed[0], POD.replace("key: pw", "key: \"no\""));
    assert_eq!(session.renamed(params, "not a key"), Err(-32803));
}

#[test]
fn a_new_name_is_a_string() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - name: a\n      image: 'b:1'\n      \
        envFrom: [{secretRef: {name: db}}]\n";
    let quoted = SECRET.replace("name: db", "name: \"db\"");
    let json = "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"spec\": {\"imagePullSecrets\": [{\"name\": \"db\"}]}}\n";
    let files = [("a.json", json), ("b.yaml", pod), ("c.yaml", SECRET)];
    for new in ["123", "true", "1e3", "null", "~", "0x1f", "1.5", "no", "web"] {
        let mut session = Session::new(&files);
        let params = session.at("c.yaml", "name: d^b");
        let Ok(renamed) = session.renamed(params, new) else { panic!("{new}") };
        let [single, double] = if new == "web" {
            ["web".to_owned(), "web".to_owned()]
        } else {
            [format!("'{new}'"), format!("\"{new}\"")]
        };
        assert_eq!(renamed[0], json.replace("db", new));
        assert_eq!(renamed[1], pod.replace("name: db", &format!("name: {single}")));
        assert_eq!(renamed[2], SECRET.replace("name: db", &format!("name: {double}")));
    }
    let mut session = Session::new(&[("c.yaml", &quoted)]);
    let params = session.at("c.yaml", "name: \"d^b");
    assert_eq!(session.renamed(params, "123").unwrap()[0], quoted.replace("db", "123"));
}

#[test]
fn items_of_a_list_are_known_by_their_names() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n  spec:\n    \
        containers:\n    - name: a\n      image: b:1\n      envFrom: [{configMapRef: {name: cm}}]\n\
        - apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: cm}\n  data: {k: v}\n";
    let flow = "{\"apiVersion\": \"v1\", \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}, \
        \"spec\": {\"containers\": [{\"name\": \"a\", \"image\": \"b:1\", \"envFrom\": [{\"configMapRef\": {\"name\": \"cm\"}}]}]}}, \
        {\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"cm\"}}], \"kind\": \"List\"}\n";
    for (name, text, image, reference) in [
        ("a.yaml", list, "ima^ge", "Ref: {name: c^m"),
        ("a.json", flow, "\"ima^ge", "Ref\": {\"name\": \"c^m"),
    ] {
        let mut session = Session::new(&[(name, text)]);
        let document = json!({"textDocument": {"uri": uri(session.folder.path(), name)}});
        let symbols = session.client.ask("textDocument/documentSymbol", document);
        let names: Vec<_> =
            symbols.as_array().unwrap().iter().map(|it| (&it["detail"], &it["name"])).collect();
        assert_eq!(json!(names), json!([["Pod", "p"], ["ConfigMap", "cm"]]));
        let params = session.at(name, image);
        let hover = session.client.ask("textDocument/hover", params);
        assert!(
            hover["contents"]["value"].as_str().unwrap().contains("Container image name"),
            "{hover}"
        );
        let params = session.at(name, reference);
        let found = session.client.ask("textDocument/definition", params.clone());
        assert_eq!(found.as_array().unwrap().len(), 1, "{name}");
        assert_eq!(session.references(&params, "cm"), 2);
    }
}

#[test]
fn fields_that_only_rules_knew_are_names_too() {
    let volume = "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: disk}\nspec: {claimRef: {namespace: a, name: data}}\n";
    let claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: a}\nspec: {volumeName: disk}\n";
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\nspec:\n  volumes:\n    - name: v\n      \
        azureFile: {secretName: share, shareName: s}\n    - name: w\n      csi: {driver: d, nodePublishSecretRef: {name: share}}\n";
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: share, namespace: a}\n";
    let files = [
        ("claim.yaml", claim),
        ("pod.yaml", pod),
        ("secret.yaml", secret),
        ("volume.yaml", volume),
    ];
    let mut session = Session::new(&files);
    for (file, place, word, count) in [
        ("claim.yaml", "volumeName: d^isk", "disk", 2),
        ("volume.yaml", "a, name: da^ta", "data", 2),
        ("pod.yaml", "{secretName: sha^re", "share", 3),
    ] {
        let params = session.at(file, place);
        assert_eq!(session.references(&params, word), count, "{file} {place}");
    }
}
