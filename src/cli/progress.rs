//! A progress bar on standard error: only on a terminal, and only when a run is long enough to wonder.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(800);

/// The progress of one pass over the files.
pub struct Progress {
    what: &'static str,
    total: usize,
    done: usize,
    started: Instant,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(wanted: bool) -> Self {
        Progress {
            what: "",
            total: 0,
            done: 0,
            started: Instant::now(),
            wanted: wanted && std::io::stderr().is_terminal(),
            bar: None,
        }
    }

    /// Starts a pass.
    pub fn pass(&mut self, what: &'static str, total: usize) {
        self.end();
        (self.what, self.total, self.done) = (what, total, 0);
    }

    /// One file more is done.
    pub fn step(&mut self) {
        self.done += 1;
        if self.wanted && self.bar.is_none() && self.started.elapsed() > PATIENCE {
            let bar = ProgressBar::new(self.total as u64).with_message(self.what);
            if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
        }
    }

    /// Runs `write` with the bar out of the way.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
