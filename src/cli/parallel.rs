//! Parallel work, results in order.
//!
//! Workers stay within a window ahead of the consumer, so memory follows the largest files in flight, not the tree.
//! A panic costs the item that caused it, never the run.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Condvar, Mutex};
use std::thread;

/// Deep nesting in a source means deep recursion in a parser.
const STACK: usize = 64 << 20;

/// Runs `work` on each item on `threads` threads and `consume` on each result, in the order of the items. A result
/// is the text of the panic where `work` panicked. The first error of `consume` stops the run.
pub fn ordered<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut consume: impl FnMut(&T, Result<R, String>) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, items.len().max(1));
    let window = threads * 4;
    let next = AtomicUsize::new(0);
    let gate = Gate::default();
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..threads {
            let send = send.clone();
            let (next, gate, work) = (&next, &gate, &work);
            let body = move || loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(i) else { break };
                if !gate.wait(i, window) {
                    break;
                }
                let result = caught(|| work(item));
                if send.send((i, result)).is_err() {
                    break;
                }
            };
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
            started.expect("the system gives a thread");
        }
        drop(send);
        // Lets the workers end also when `consume` fails or panics.
        let _open = OpenOnDrop(&gate);
        let mut early = std::collections::BTreeMap::new();
        for (i, item) in items.iter().enumerate() {
            let result = loop {
                if let Some(result) = early.remove(&i) {
                    break result;
                }
                let (at, result) = receive.recv().expect("a worker sends a result for each item");
                early.insert(at, result);
            };
            consume(item, result)?;
            gate.advance(i + 1);
        }
        Ok(())
    })
}

thread_local! {
    /// Inside [`caught`]: where the last panic was.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic becomes its text and place. One message is then made of it, by the caller.
pub fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    CAUGHT.set(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let place = CAUGHT.take().unwrap_or_default();
    result.map_err(|panic| format!("{}{place}", words(panic.as_ref())))
}

/// Keeps the default message of a panic from standard error where [`caught`] is going to report it.
pub fn hook_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let reported = CAUGHT.with_borrow_mut(|caught| {
            if let (Some(place), Some(at)) = (caught.as_mut(), info.location()) {
                *place = format!(" at {}:{}", at.file(), at.line());
            }
            caught.is_some()
        });
        if !reported || std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v == "full") {
            default(info);
        }
    }));
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| s.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_string())
}

/// How far the consumer is.
#[derive(Default)]
struct Gate {
    done: Mutex<usize>,
    moved: Condvar,
}

impl Gate {
    /// Waits until item `i` is within the window; false when the run has stopped.
    fn wait(&self, i: usize, window: usize) -> bool {
        let mut done = self.done.lock().unwrap_or_else(|e| e.into_inner());
        while *done != usize::MAX && i >= done.saturating_add(window) {
            done = self.moved.wait(done).unwrap_or_else(|e| e.into_inner());
        }
        *done != usize::MAX
    }

    fn advance(&self, done: usize) {
        *self.done.lock().unwrap_or_else(|e| e.into_inner()) = done;
        self.moved.notify_all();
    }
}

struct OpenOnDrop<'a>(&'a Gate);

impl Drop for OpenOnDrop<'_> {
    fn drop(&mut self) {
        self.0.advance(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_holds_and_panics_stay_single() {
        let items: Vec<usize> = (0..500).collect();
        let mut seen = Vec::new();
        let work = |i: &usize| {
            if i.is_multiple_of(7) {
                thread::yield_now();
            }
            assert!(*i != 250, "item {i}");
            i * 2
        };
        let done: Result<(), ()> = ordered(&items, 8, work, |i, r| {
            match r {
                Ok(r) => assert_eq!(r, i * 2),
                Err(text) => assert_eq!((*i, text.as_str()), (250, "item 250")),
            }
            seen.push(*i);
            Ok(())
        });
        assert_eq!(done, Ok(()));
        assert_eq!(seen, items);
    }

    #[test]
    fn an_error_stops_the_run() {
        let items: Vec<usize> = (0..1000).collect();
        let done = ordered(&items, 4, |i| *i, |_, r| if r == Ok(3) { Err("stop") } else { Ok(()) });
        assert_eq!(done, Err("stop"));
    }
}
