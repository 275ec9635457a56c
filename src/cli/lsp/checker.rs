//! The check of projects, in a thread of its own: the newest state wins, and nothing waits for it that
//! does not need its result.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::thread;

use lsp_server::ErrorCode;
use sandboxc::{Cancellation, Compilation, Options, Workspace};

use super::client::{Client, failure};
use super::convert;
use super::files::Files;
use super::isolation::isolated;
use super::jobs::{Jobs, STACK};
use super::state::{Checked, Root, Shared, State, Task};
use super::watching;

/// The thread that checks.
pub(super) struct Checker {
    pub(super) shared: Arc<Shared>,
    pub(super) client: Arc<Client>,
    pub(super) jobs: Arc<Jobs>,
    pub(super) options: Options,
    /// What checks a project.
    pub(super) check: fn(&Workspace, &Options) -> Compilation,
}

impl Checker {
    /// Starts the thread, which ends with the session.
    pub(super) fn start(self) {
        let run = move || while self.step() {};
        // Without a thread there are no findings, which is all that can be done about it.
        let _ = thread::Builder::new().stack_size(STACK).spawn(run);
    }

    /// Waits for a change, and checks its project. Returns whether the session continues.
    pub(super) fn step(&self) -> bool {
        let Some(task) = self.next() else { return false };
        let (root, generation) = (task.root.clone(), task.generation);
        if let Err(message) = isolated(|| self.work(task)) {
            self.fail(&root, generation, &message);
        }
        true
    }

    /// Reads the files of a project, or checks them.
    fn work(&self, task: Task) {
        let Some(files) = task.files.clone() else { return self.read(&task) };
        let (root, generation) = (task.root.clone(), task.generation);
        let texts = task.texts(files);
        let cancellation = self.begin(&root, generation);
        let mut options = self.options.clone();
        options.cancellation = cancellation.clone();
        let mut compilation = (self.check)(&texts.workspace, &options);
        // The last check stays until the next one.
        compilation.release();
        if cancellation.is_canceled() {
            if let Some(project) = self.shared.lock().projects.get_mut(&root) {
                project.canceled += 1;
            }
            return;
        }
        let options = self.options.clone();
        let checked = Arc::new(Checked { generation, texts, options, compilation });
        self.finish(&root, &checked);
    }

    /// Ends a check that has panicked: the earlier findings stay, and the same state is not checked again.
    fn fail(&self, root: &Root, generation: u64, message: &str) {
        let waiting = self.shared.lock().fail(root, generation);
        self.client.log(message);
        for job in waiting {
            self.client.answer(job.id, Err(failure(ErrorCode::InternalError, message)));
        }
        // Answers may wait for the files.
        self.shared.changed.notify_all();
    }

    /// Notes that a check begins, so that a change of the project can cancel it.
    fn begin(&self, root: &Root, generation: u64) -> Cancellation {
        let mut state = self.shared.lock();
        let cancellation = Cancellation::default();
        state.running = Some((root.clone(), cancellation.clone()));
        if state.projects.get(root).is_none_or(|it| it.generation != generation) {
            state.cancel(root);
        }
        cancellation
    }

    fn next(&self) -> Option<Task> {
        let mut state = self.shared.lock();
        loop {
            if state.is_ended {
                return None;
            }
            if let Some(task) = state.task() {
                return Some(task);
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Reads the files of a project.
    fn read(&self, task: &Task) {
        let files = match &task.root {
            Root::Directory(directory) => Files::read(directory),
            Root::Alone(_) => Files::default(),
        };
        let mut state = self.shared.lock();
        if let Some(project) = state.projects.get_mut(&task.root)
            // A file that has changed in the meantime must be read again.
            && project.disk == task.disk
        {
            project.set_files(files);
        }
        let watched = state.newly_watched().filter(|_| self.client.abilities.watches);
        drop(state);
        if let Some((places, has_others)) = watched {
            watching::register_named(&self.client, &places, has_others);
        }
        self.shared.changed.notify_all();
    }

    /// Makes the result of a check available. Findings of a state that has changed since then are not
    /// shown: those of the current one follow.
    fn finish(&self, root: &Root, checked: &Arc<Checked>) {
        let mut state = self.shared.lock();
        let Some(project) = state.projects.get_mut(root) else { return };
        project.checked = Some(Arc::clone(checked));
        project.canceled = 0;
        let is_ready = |generation| generation <= checked.generation;
        let waiting = std::mem::take(&mut project.waiting);
        let (ready, waiting) = waiting.into_iter().partition(|it| is_ready(it.generation));
        project.waiting = waiting;
        if project.generation == checked.generation {
            self.publish(&mut state, root, checked);
        }
        drop(state);
        for job in ready {
            let checked = Arc::clone(checked);
            self.jobs.add(job.id, move || (job.answer)(&checked));
        }
    }

    /// Sends the findings of the files whose findings have changed.
    fn publish(&self, state: &mut State, root: &Root, checked: &Checked) {
        let Some(project) = state.projects.get_mut(root) else { return };
        let abilities = self.client.abilities;
        let mut shown = BTreeMap::new();
        let mut has_pulled_changes = false;
        for (uri, version, findings) in convert::findings(checked, abilities) {
            // Serialization only fails for a map with keys that are not strings.
            let text = serde_json::to_string(&findings).unwrap_or_default();
            if project.published.remove(&uri).as_ref() != Some(&text) {
                if version.is_some() && abilities.pulls {
                    has_pulled_changes = true;
                } else {
                    self.show(&uri, version, findings);
                }
            }
            shown.insert(uri, text);
        }
        for uri in std::mem::replace(&mut project.published, shown).into_keys() {
            if !state.shows(&uri) {
                self.show(&uri, None, Vec::new());
            }
        }
        if has_pulled_changes && abilities.refreshes {
            self.client.request("workspace/diagnostic/refresh", serde_json::Value::Null);
        }
    }

    fn show(&self, uri: &str, version: Option<i32>, diagnostics: Vec<gen_lsp_types::Diagnostic>) {
        let uri = uri.to_owned().into();
        let params = gen_lsp_types::PublishDiagnosticsParams { uri, version, diagnostics };
        self.client.notify("textDocument/publishDiagnostics", params);
    }
}
