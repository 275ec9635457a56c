//! Requests that are answered in the background, so that none of them delays the others.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use lsp_server::{ErrorCode, RequestId};

use super::client::{Answer, Client, failure};
use super::isolation::isolated;
use super::state::{Checked, Shared};

/// The number of threads that answer requests.
const THREADS: usize = 2;

/// The stack of a thread: values can be nested as deep as the limits allow.
pub(super) const STACK: usize = 16 << 20;

/// A request that needs a check of the state in which it was sent.
pub(super) struct Job {
    pub(super) id: RequestId,
    /// The number of the last change that the check must contain.
    pub(super) generation: u64,
    pub(super) answer: Box<dyn FnOnce(&Checked) -> Answer + Send>,
}

/// Requests that wait for a thread.
#[derive(Default)]
pub(super) struct Jobs {
    queue: Mutex<VecDeque<Work>>,
    added: Condvar,
}

type Work = (RequestId, Box<dyn FnOnce() -> Answer + Send>);

impl Jobs {
    /// Starts the threads, which run as long as the process.
    pub(super) fn start(client: &Arc<Client>, shared: &Arc<Shared>) -> Arc<Self> {
        let jobs = Arc::new(Self::default());
        for _ in 0..THREADS {
            let (jobs, client, shared) =
                (Arc::clone(&jobs), Arc::clone(client), Arc::clone(shared));
            let work = move || {
                loop {
                    let (id, work) = jobs.next();
                    if client.waits_for(&id) {
                        let answer = isolated(work).unwrap_or_else(|message| {
                            shared.lock().renew();
                            Err(failure(ErrorCode::InternalError, message))
                        });
                        client.answer(id, answer);
                    }
                }
            };
            // Without a thread there is no answer, which is all that can be done about it.
            let _ = thread::Builder::new().stack_size(STACK).spawn(work);
        }
        jobs
    }

    /// Adds a request.
    pub(super) fn add(&self, id: RequestId, work: impl FnOnce() -> Answer + Send + 'static) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push_back((id, Box::new(work)));
        self.added.notify_one();
    }

    /// Adds a request that a person waits for: it is answered before the others.
    pub(super) fn add_urgent(&self, id: RequestId, work: impl FnOnce() -> Answer + Send + 'static) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push_front((id, Box::new(work)));
        self.added.notify_one();
    }

    fn next(&self) -> Work {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(work) = queue.pop_front() {
                return work;
            }
            queue = self.added.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
