//! The configuration of a function: what it does, and with which settings.

use super::ResourceList;
use super::list::Source;
use crate::decode::{Anything, Choice, Field, Fields, Listed, Record, Text, choice, definition};
use crate::diag::{Diagnostic, Sink};
use crate::kube::GroupVersionKind;
use crate::lower::is_of_language;
use crate::pod_security::{PodSecurityLevel, Profile, StandardVersion};
use crate::project::{document, report_version};
use crate::schema::{self, CheckContext, Object, Property, Type, Versions};
use crate::source::Workspace;
use crate::tree::Node;
use crate::yaml;

/// The group of the configuration.
const GROUP: &str = "functions.sandboxc.dev";
/// The type of the configuration.
pub(super) const API_VERSION: &str = "functions.sandboxc.dev/v1alpha1";
/// The name of the configuration in messages.
const CONFIG: &str = "functionConfig";

choice! {
    /// What a function does.
    pub(crate) enum Verb {
        /// Definitions are replaced with the objects that they compile to.
        Build = "build",
        /// All items are checked.
        Check = "check",
    }
}

definition! {
    /// Settings of the function `Build`.
    pub(crate) struct BuildSpec in "Build.spec" {
        /// Definitions and objects that are built in addition to those among the items.
        "definitions" optional definitions: Listed<Anything>,
        /// Files, directories and globs with further ones, relative to the working directory.
        "files" optional files: Listed<Text>,
        /// Environment of the Project.
        "environment" optional environment: Text,
        /// Kubernetes versions whose API servers must accept the objects.
        "kubernetes" optional kubernetes: Text,
        /// Pod Security Standard that all Pods must satisfy.
        "policy" optional policy: Choice<Profile>,
        /// Values that take precedence over those of the Project.
        "values" optional values: Anything,
    }
}

definition! {
    /// Settings of the function `Check`.
    pub(crate) struct CheckSpec in "Check.spec" {
        /// Environment of the Project.
        "environment" optional environment: Text,
        /// Kubernetes versions whose API servers must accept the objects.
        "kubernetes" optional kubernetes: Text,
        /// Pod Security Standard that all Pods must satisfy.
        "policy" optional policy: Choice<Profile>,
        /// Values that take precedence over those of the Project.
        "values" optional values: Anything,
    }
}

definition! {
    /// Settings in a ConfigMap, as the command line of kpt and a Kptfile write them.
    pub(crate) struct Data in "ConfigMap.data" {
        /// What the function does. Defaults to `build`.
        "action" optional action: Choice<Verb>,
        /// Environment of the Project.
        "environment" optional environment: Text,
        /// Kubernetes versions whose API servers must accept the objects.
        "kubernetes" optional kubernetes: Text,
        /// Pod Security Standard that all Pods must satisfy.
        "policy" optional policy: Choice<Profile>,
    }
}

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Action {
    /// Definitions are replaced with the objects that they compile to.
    #[default]
    Build,
    /// All items are checked, and stay as they are.
    Check,
}

/// A function with its settings.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Function {
    /// What it does.
    pub action: Action,
    /// Documents to build in addition to the items: what messages show, and YAML.
    pub definitions: Vec<(String, String)>,
    /// Files, directories and globs with further ones.
    pub files: Vec<String>,
    /// The environment of the Project.
    pub environment: Option<String>,
    /// The Kubernetes versions; none by default.
    pub kubernetes: Versions,
    /// The Pod Security Standard.
    pub policy: Option<PodSecurityLevel>,
    /// Values of the Project, as YAML.
    pub values: Option<String>,
}

/// The result of reading a `functionConfig`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FunctionConfig {
    /// A function.
    Function(Box<Function>),
    /// It has faults.
    Faulty(Vec<Diagnostic>),
    /// It is another object: the problem, and what to do.
    Unknown(String, &'static str),
}

/// The settings that all forms have.
struct Shared {
    environment: Option<Text>,
    kubernetes: Option<Text>,
    policy: Option<Choice<Profile>>,
    values: Option<Anything>,
}

impl ResourceList {
    /// Reads the `functionConfig`, whose text is added to the workspace. Without one, the function
    /// builds the items.
    #[must_use]
    pub fn function(&self, workspace: &mut Workspace) -> FunctionConfig {
        let Some(config) = self.root.get("functionConfig") else {
            return FunctionConfig::Function(Box::default());
        };
        let text = self.source.document(config);
        let file = workspace.add_text(CONFIG, text.as_str());
        let mut sink = Sink::new();
        let mut read = yaml::documents(file, &text, &mut sink).read;
        let (source, texts) = (Source { file, text }, &*workspace);
        let Some(config) = read.pop().map(|it| it.root) else {
            return FunctionConfig::Faulty(sink.into_sorted());
        };
        let mut reader = Reader { list: self, source, texts, sink };
        let function = reader.read(&config);
        match (reader.sink.reported(), function) {
            (Some(_), _) => FunctionConfig::Faulty(reader.sink.into_sorted()),
            (None, Some(function)) => FunctionConfig::Function(Box::new(function)),
            (None, None) => unknown_config(&config),
        }
    }

    /// Whether an item is the `functionConfig`: kustomize adds it to the items of a generator.
    pub(super) fn is_config(&self, item: &Node) -> bool {
        self.root.get("functionConfig").is_some_and(|config| is_same(config, item))
    }
}

fn unknown_config(config: &Node) -> FunctionConfig {
    let kind = config.str_at(&["kind"]).unwrap_or("an object without `kind`");
    let version = config.str_at(&["apiVersion"]).unwrap_or("no `apiVersion`");
    FunctionConfig::Unknown(
        format!("the `functionConfig` is {kind} ({version}), which this function does not have"),
        "write `kind: Build` or `kind: Check` of `functions.sandboxc.dev/v1alpha1`, a ConfigMap, or \
         a definition",
    )
}

/// Reads one `functionConfig`.
struct Reader<'r> {
    list: &'r ResourceList,
    source: Source,
    texts: &'r Workspace,
    sink: Sink,
}

impl Reader<'_> {
    /// The function; `None` if it is unknown, or has faults.
    fn read(&mut self, config: &Node) -> Option<Function> {
        let text = |key: &str| config.text_at(&[key]);
        let gvk = GroupVersionKind::new(text("apiVersion"), text("kind"));
        if gvk.is(GROUP, "Build") {
            let spec = self.spec::<BuildSpec>(config, "Build")?;
            Some(self.build(spec))
        } else if gvk.is(GROUP, "Check") {
            let CheckSpec { environment, kubernetes, policy, values } =
                self.spec(config, "Check")?;
            let shared = Shared { environment, kubernetes, policy, values };
            Some(self.with(Action::Check, shared))
        } else if gvk.is("", "ConfigMap") {
            let Data { action, environment, kubernetes, policy } = self.data(config)?;
            let is_check = action.is_some_and(|action| action.value == Verb::Check);
            let action = if is_check { Action::Check } else { Action::Build };
            Some(self.with(action, Shared { environment, kubernetes, policy, values: None }))
        } else if is_of_language(config) {
            let is_item = self.list.items().iter().any(|item| is_same(item, config));
            let text = || (CONFIG.to_owned(), self.source.text.clone());
            let definitions = (!is_item).then(text).into_iter().collect();
            Some(Function { definitions, ..Function::default() })
        } else {
            None
        }
    }

    fn build(&mut self, spec: BuildSpec) -> Function {
        let BuildSpec { definitions, files, environment, kubernetes, policy, values } = spec;
        let mut function =
            self.with(Action::Build, Shared { environment, kubernetes, policy, values });
        let documents = definitions.into_iter().flat_map(|it| it.items).enumerate();
        let named = |(at, definition): (usize, Anything)| {
            let name = format!("{CONFIG}.spec.definitions[{at}]");
            (name, self.source.document(&definition.node))
        };
        function.definitions = documents.map(named).collect();
        let paths = files.into_iter().flat_map(|it| it.items);
        function.files = paths.map(|path| path.as_str().to_owned()).collect();
        function
    }

    fn with(&mut self, action: Action, shared: Shared) -> Function {
        let Shared { environment, kubernetes, policy, values } = shared;
        let mut function = Function { action, ..Function::default() };
        if let Some(text) = kubernetes {
            match Versions::parse(text.as_str()) {
                Some(versions) => function.kubernetes = versions,
                None => report_version(&text, &mut self.sink),
            }
        }
        let level = |profile: Choice<Profile>| {
            PodSecurityLevel::new(profile.value, StandardVersion::Latest)
        };
        function.policy = policy.map(level);
        let name = environment.map(|environment| environment.as_str().to_owned());
        function.environment = name.filter(|name| !name.is_empty());
        function.values = values.map(|values| self.source.document(&values.node));
        function
    }

    fn spec<S: Record + Field>(&mut self, config: &Node, kind: &'static str) -> Option<S> {
        let mut properties = document(S::OBJECT);
        for property in &mut properties {
            property.is_required &= property.name != "spec";
        }
        self.check(config, kind, &properties);
        let spec = Fields::of(config.clone()).take("spec");
        S::read(spec.unwrap_or_else(|| Node::map(config.origin())))
    }

    fn data(&mut self, config: &Node) -> Option<Data> {
        // Sorted by name.
        let [version, kind, metadata, _] = document(Data::OBJECT);
        let data = Property::new("data", Type::Object(Data::OBJECT), false);
        self.check(config, "ConfigMap", &[version, data, kind, metadata]);
        let data = Fields::of(config.clone()).take("data");
        Data::read(data.unwrap_or_else(|| Node::map(config.origin())))
    }

    fn check(&mut self, config: &Node, kind: &'static str, properties: &[Property<'_>]) {
        let against = CheckContext::settings(kind).with_texts(self.texts);
        let object = Object::new(kind, properties);
        schema::check(config, Type::Object(&object), &against, &mut self.sink);
    }
}

/// Whether two objects have one kind and name.
fn is_same(a: &Node, b: &Node) -> bool {
    let name = |node: &Node| {
        [&["apiVersion"][..], &["kind"], &["metadata", "namespace"], &["metadata", "name"]]
            .map(|path| node.str_at(path).map(str::to_owned))
    };
    name(a) == name(b)
}
