//! The definitions for an archive's configuration.

use super::input::{
    ContainerLimits, ConventionInput, HookInput, HookRunInput, IngesterInput, IngesterRunInput,
    K8sConfig, Release, RunnerConfig, Runtime, ServerBackend,
};
use crate::decode::{Anything, Integer, Mapped, Text};
use crate::diag::{Diagnostic, Message, message};
use crate::lower::{API_VERSION, ImportCx};
use crate::schema::FIELD_MISSING;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::{Node, Origin};

/// Name of the Runner.
const RUNNER: &str = "osa";
/// The namespace of an archive that sets none.
const DEFAULT_NAMESPACE: &str = "osa";

/// Writes definitions.
pub(super) struct Writer {
    /// The origin of the document.
    origin: Origin,
    /// The names so far.
    names: SortedSet<String>,
    /// The lowest number that may be free, by name.
    numbers: SortedMap<String, u32>,
}

impl Writer {
    /// A writer for one document.
    pub(super) const fn new(origin: Origin) -> Self {
        Self { origin, names: SortedSet::new(), numbers: SortedMap::new() }
    }

    fn text(&self, text: impl AsRef<str>) -> Node {
        Node::string(text.as_ref(), self.origin)
    }

    /// Creates a map of the fields that have a value.
    fn map<'k>(&self, fields: impl IntoIterator<Item = (&'k str, Option<Node>)>) -> Node {
        let mut map = Node::map(self.origin);
        for (key, value) in fields {
            map.set_some(key, value);
        }
        map
    }

    /// A definition in the namespace of the Project.
    fn definition(&self, kind: &str, name: Option<Node>, spec: Node) -> Node {
        let metadata = name.map(|name| self.map([("name", Some(name))]));
        self.map([
            ("apiVersion", Some(self.text(API_VERSION))),
            ("kind", Some(self.text(kind))),
            ("metadata", metadata),
            ("spec", Some(spec)),
        ])
    }

    /// The Runner and, in Kubernetes, a Project with its namespace and the external objects.
    pub(super) fn runner(&mut self, runner: RunnerConfig, cx: &mut ImportCx<'_>) -> Vec<Node> {
        let RunnerConfig { backend, k8s } = runner;
        let is_kubernetes = backend.is_some_and(|backend| backend.value == ServerBackend::K8s);
        let namespace = k8s.as_ref().and_then(|k8s| k8s.namespace.as_ref());
        if let Some(namespace) = namespace.filter(|_| !is_kubernetes) {
            let message = "`namespace` has no effect with the backend `oci`";
            let reason = "the server starts the containers on its own machine";
            cx.unused(namespace.span(), message, reason, "remove it, or set `backend: k8s`");
        }
        self.names.insert(RUNNER.to_owned());
        let project = is_kubernetes.then(|| self.project(k8s.as_ref()));
        let backend = if is_kubernetes { "kubernetes" } else { "oci" };
        let mut spec = self.map([("backend", Some(self.text(backend)))]);
        if let Some(k8s) = k8s {
            self.set_kubernetes(&mut spec, k8s);
        }
        let runner = self.definition("Runner", Some(self.text(RUNNER)), spec);
        project.into_iter().chain([runner]).collect()
    }

    fn project(&self, k8s: Option<&K8sConfig>) -> Node {
        let object = |kind: &str, name: Node| {
            self.map([("kind", Some(self.text(kind))), ("name", Some(name))])
        };
        let node = |text: &Option<Text>| {
            text.clone().map(Text::into_node).filter(|node| node.as_str() != Some(""))
        };
        let own = k8s.and_then(|k8s| k8s.namespace.clone()).map(Text::into_node);
        let namespace = own.unwrap_or_else(|| self.text(DEFAULT_NAMESPACE));
        let mut objects = vec![object("Namespace", namespace.clone())];
        if let Some(k8s) = k8s {
            let claim = node(&k8s.data_pvc_name).map(|name| object("PersistentVolumeClaim", name));
            let account = node(&k8s.service_account).map(|name| object("ServiceAccount", name));
            let secrets = k8s.image_pull_secrets.iter().flat_map(|it| &it.items);
            let secrets = secrets.map(|name| object("Secret", name.clone().into_node()));
            objects.extend(claim.into_iter().chain(account).chain(secrets));
        }
        let external = Node::list(objects, self.origin);
        let spec = self.map([("namespace", Some(namespace)), ("external", Some(external))]);
        self.definition("Project", None, spec)
    }

    fn set_kubernetes(&self, spec: &mut Node, k8s: K8sConfig) {
        let K8sConfig {
            namespace: _,
            service_account,
            data_pvc_name,
            data_mount_path,
            image_pull_secrets,
            job_ttl_seconds,
            s3_bucket,
            s3_endpoint_url,
        } = k8s;
        let node = |text: Option<Text>| text.map(Text::into_node);
        let secret = |text: Text| self.map([("name", Some(text.into_node()))]);
        let secrets = image_pull_secrets
            .map(|secrets| Node::list(secrets.items.into_iter().map(secret), self.origin));
        let store = self.map([("bucket", node(s3_bucket)), ("endpointUrl", node(s3_endpoint_url))]);
        spec.set_some("dataVolumeClaim", node(data_pvc_name));
        spec.set_some("dataMountPath", node(data_mount_path));
        spec.set_some("serviceAccountName", node(service_account));
        spec.set_some("imagePullSecrets", secrets);
        spec.set_some("jobTtlSeconds", job_ttl_seconds.map(Integer::into_node));
        spec.set_some("s3", Some(store).filter(|store| !store.entries().is_empty()));
    }

    /// The hooks and the ingester of a convention.
    pub(super) fn convention(
        &mut self,
        convention: ConventionInput,
        cx: &mut ImportCx<'_>,
    ) -> Vec<Node> {
        let ConventionInput { title, hooks, ingester, .. } = convention;
        let slug = Node::string(slug_of_title(title.as_str()), title.clone().into_node().origin());
        let hooks = hooks.into_iter().flat_map(|it| it.items);
        let mut definitions: Vec<_> = hooks.filter_map(|hook| self.hook(hook, cx)).collect();
        definitions.extend(ingester.and_then(|ingester| self.source(ingester, Some(slug), cx)));
        definitions
    }

    /// A Hook.
    pub(super) fn hook(&mut self, hook: HookInput, cx: &mut ImportCx<'_>) -> Option<Node> {
        let HookInput { name, feature: _, config, limits, release, runtime, run } = hook;
        let (image, digest, config, limits) = match (release, runtime) {
            (Some(Release { image, digest, .. }), None) => (image, digest, config, limits),
            (None, Some(runtime)) => {
                let first = config.as_ref().and_then(|config| config.entries.first());
                let places = [
                    ("config", first.map(|(_, value)| value.node.span())),
                    ("limits", limits.as_ref().and_then(place_of)),
                ];
                for (field, place) in places {
                    let Some(place) = place else { continue };
                    let message = message!("`{field}` of hook `{}` has no effect", name.as_str());
                    let reason = message!("the server reads the `{field}` in `runtime`");
                    cx.unused(place, message, reason, "move it to `runtime`");
                }
                let Runtime { image, digest, config, limits, .. } = runtime;
                (image, digest, config, limits)
            }
            _ => {
                let message = message!(
                    "hook `{}` has not exactly one of `release` and `runtime`",
                    name.as_str()
                );
                cx.sink.report(image_missing(name.span(), message));
                return None;
            }
        };
        let own = self.name_like(name.as_str(), "hook");
        let is_default = own.as_str().is_some_and(|own| own.replace('-', "_") == name.as_str());
        let (run, run_config) = run.map(|run| self.hook_run(run, cx)).unzip();
        let spec = self.map([
            ("runner", Some(self.text(RUNNER))),
            ("hookName", (!is_default).then(|| name.into_node())),
            ("image", Some(image.into_node())),
            ("digest", Some(digest.into_node())),
            ("config", self.merged(config, run_config.flatten())),
            ("limits", limits.map(|limits| self.limits(limits))),
            ("run", run),
        ]);
        Some(self.definition("Hook", Some(own), spec))
    }

    fn hook_run(
        &self,
        run: HookRunInput,
        cx: &mut ImportCx<'_>,
    ) -> (Node, Option<Mapped<Anything>>) {
        let HookRunInput { deposition, run_id, batch, work_dir, files_dirs, config } = run;
        let (id, number) = match (run_id.map(Text::into_node), batch.map(Integer::into_node)) {
            (Some(id), None) => split_batch(id),
            other => other,
        };
        let files = files_dirs.and_then(|directories| mounted_directory(directories, cx));
        let run = self.map([
            ("subject", deposition.map(Text::into_node)),
            ("runId", id),
            ("batch", number),
            ("workDir", Some(work_dir.into_node())),
            ("filesDir", files),
        ]);
        (run, config)
    }

    /// A Source; a run that names its convention takes precedence over `convention`.
    pub(super) fn source(
        &mut self,
        ingester: IngesterInput,
        convention: Option<Node>,
        cx: &mut ImportCx<'_>,
    ) -> Option<Node> {
        let IngesterInput {
            name,
            image,
            digest,
            release,
            config,
            limits,
            schedule,
            initial_run,
            run,
            ..
        } = ingester;
        let ((Some(Release { image, digest, .. }), None, None) | (None, Some(image), Some(digest))) =
            (release, image, digest)
        else {
            let span = name.as_ref().map_or_else(|| self.origin.span(), Text::span);
            let message = "an ingester has not exactly one of `release` and `image` with `digest`";
            cx.sink.report(image_missing(span, message.into()));
            return None;
        };
        let of_run = run.as_ref().and_then(|run| run.convention.clone()).map(Text::into_node);
        let convention = of_run.filter(|name| name.as_str() != Some("")).or(convention);
        let given = name.map(Text::into_node).or_else(|| convention.clone());
        let own = self.name_like(given.as_ref().and_then(Node::as_str).unwrap_or(""), "ingester");
        let (run, run_config) = run.map(|run| self.source_run(run)).unzip();
        let spec = self.map([
            ("runner", Some(self.text(RUNNER))),
            ("convention", convention),
            ("image", Some(image.into_node())),
            ("digest", Some(digest.into_node())),
            ("config", self.merged(config, run_config.flatten())),
            ("limits", limits.map(|limits| self.limits(limits))),
            ("schedule", schedule.map(|it| it.node)),
            ("initialRun", initial_run.map(|it| it.node)),
            ("run", run),
        ]);
        Some(self.definition("Source", Some(own), spec))
    }

    fn source_run(&self, run: IngesterRunInput) -> (Node, Option<Mapped<Anything>>) {
        let IngesterRunInput {
            convention: _,
            run_id,
            batch,
            since,
            limit,
            offset,
            session,
            config,
            work_dir,
            files_dir,
        } = run;
        let run_id = run_id.filter(|id| !id.as_str().is_empty());
        let run = self.map([
            ("runId", run_id.map(Text::into_node)),
            ("batch", batch.map(Integer::into_node)),
            ("since", since.map(Text::into_node)),
            ("limit", limit.map(Integer::into_node)),
            ("offset", offset.map(Integer::into_node)),
            ("session", self.merged(session, None)),
            ("workDir", Some(work_dir.into_node())),
            ("filesDir", Some(files_dir.into_node())),
        ]);
        (run, config)
    }

    fn limits(&self, limits: ContainerLimits) -> Node {
        let ContainerLimits { timeout_seconds, memory, cpu } = limits;
        self.map([
            ("timeoutSeconds", timeout_seconds.map(Integer::into_node)),
            ("memory", memory.map(Text::into_node)),
            ("cpu", cpu.map(Text::into_node)),
        ])
    }

    /// Merges the configuration of a run over that of its definition, key by key.
    fn merged(
        &self,
        own: Option<Mapped<Anything>>,
        over: Option<Mapped<Anything>>,
    ) -> Option<Node> {
        if own.is_none() && over.is_none() {
            return None;
        }
        let mut map = Node::map(self.origin);
        let entries = [own, over].into_iter().flatten().flat_map(|it| it.entries);
        map.set_all(entries.map(|(key, value)| (key, value.node)));
        Some(map)
    }

    /// A unique name for a definition: lowercase letters, digits and dashes.
    fn name_like(&mut self, text: &str, default: &str) -> Node {
        let plain = |character: char| {
            if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' }
        };
        let readable: String = text.chars().map(plain).take(NAME_LENGTH).collect();
        let name = match readable.trim_matches('-') {
            "" => default,
            name => name,
        };
        // All lower numbers of this name are taken.
        let next = self.numbers.entry(name.to_owned()).or_insert(1);
        let numbered = |number: u32| match number {
            1 => name.to_owned(),
            _ => format!("{name}-{number}"),
        };
        while self.names.contains(&numbered(*next)) {
            *next += 1;
        }
        let free = numbered(*next);
        self.names.insert(free.clone());
        self.text(free)
    }
}

/// The place of the first limit.
fn place_of(limits: &ContainerLimits) -> Option<Span> {
    let ContainerLimits { timeout_seconds, memory, cpu } = limits;
    let timeout = timeout_seconds.as_ref().map(Integer::span);
    timeout.or_else(|| memory.as_ref().or(cpu.as_ref()).map(Text::span))
}

fn image_missing(span: Span, message: Message) -> Diagnostic {
    Diagnostic::new(&FIELD_MISSING, span, message)
        .at("no image, or two")
        .help("add `release` with `image` and `digest`")
}

/// The maximum length of a name.
const NAME_LENGTH: usize = 50;

/// The slug that the server derives from the title of a convention.
fn slug_of_title(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower
        .split(|character: char| !(character.is_ascii_lowercase() || character.is_ascii_digit()));
    let slug = words.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("-");
    slug.get(..SLUG_LENGTH).unwrap_or(&slug).trim_end_matches('-').to_owned()
}

/// The maximum length of a slug.
const SLUG_LENGTH: usize = 64;

/// The server writes batch 2 of a run as `<id>_b2`.
fn split_batch(id: Node) -> (Option<Node>, Option<Node>) {
    if let Some((run, batch)) = id.as_str().and_then(|text| text.rsplit_once("_b"))
        && !run.is_empty()
        // A number as the server writes it, without zeros before it.
        && let Ok(number) = batch.parse::<u32>()
        && number.to_string() == batch
    {
        let batch = Node::int(i64::from(number), id.origin());
        return (Some(Node::string(run, id.origin())), Some(batch));
    }
    (Some(id), None)
}

/// The directory that the server mounts: the parent of the files of the first record. Reports records
/// whose files are elsewhere.
fn mounted_directory(directories: Mapped<Text>, cx: &mut ImportCx<'_>) -> Option<Node> {
    let mut directories = directories.entries.into_iter();
    let (_, first) = directories.next()?;
    let mounted = parent_directory(&first.into_node());
    for (record, directory) in directories {
        if !parent_directory(&directory.clone().into_node()).same_value(&mounted) {
            let message = message!("the files of record `{record}` are not mounted");
            let mounted = mounted.as_str().unwrap_or_default();
            let reason =
                message!("the server only mounts `{mounted}`, the parent of the first directory");
            let help = message!("move the files to a directory in `{mounted}`");
            cx.unused(directory.span(), message, reason, help);
        }
    }
    Some(mounted)
}

/// The parent directory of a path.
fn parent_directory(path: &Node) -> Node {
    let text = path.as_str().unwrap_or("").trim_end_matches('/');
    let parent = match text.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((parent, _)) => parent,
        None => ".",
    };
    Node::string(parent, path.origin())
}
