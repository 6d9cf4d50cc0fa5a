//! Where a link leaves the parts of one stream's answer for the lane that waits for it.

use std::cell::{Cell, RefCell};
use std::task::{Context, Waker};

use plimsoll_http::{Head, Sink};

use crate::clock::Moment;
use crate::fault::Broken;
use crate::hand::{Answer, Hand};
use crate::look::Look;

/// One lane's post box.
#[derive(Default)]
pub(super) struct Slot {
    answer: Cell<Answer>,
    look: RefCell<Option<Box<Look>>>,
    end: RefCell<Option<Result<(), Broken>>>,
    waker: RefCell<Option<Waker>>,
}

impl Slot {
    /// Another answer is awaited.
    pub(super) fn begin(&self, look: Option<Box<Look>>) {
        self.answer.set(Answer::default());
        self.look.replace(look);
        self.end.replace(None);
    }

    /// Hands over what was found out.
    pub(super) fn end(&self, answer: &mut Answer) -> Option<Box<Look>> {
        *answer = self.answer.get();
        self.look.take()
    }

    /// The stream's end, if it has come; else the task is woken when it does.
    pub(super) fn poll_end(&self, cx: &Context<'_>) -> Option<Result<(), Broken>> {
        let end = self.end.take();
        if end.is_none() {
            let mut waker = self.waker.borrow_mut();
            match &mut *waker {
                Some(known) if known.will_wake(cx.waker()) => {}
                _ => *waker = Some(cx.waker().clone()),
            }
        }
        end
    }

    /// Whether what expired was only the wait for the first byte, and that has come; then the whole exchange's
    /// deadline holds from now on.
    pub(super) fn has_begun_in_time(&self, hand: &mut Hand) -> bool {
        let first = self.answer.get().first;
        let begun = first > 0 && !hand.answered() && hand.worker.now() < hand.deadline;
        if begun {
            hand.came(first);
        }
        begun
    }

    pub(super) fn head(&self, at: Moment, head: &Head<'_>) {
        self.update(at, |answer| answer.status = head.status());
        if let Some(look) = &mut *self.look.borrow_mut() {
            look.head(head);
        }
    }

    pub(super) fn body(&self, at: Moment, bytes: &[u8]) {
        self.update(at, |answer| answer.body_bytes += bytes.len() as u64);
        if let Some(look) = &mut *self.look.borrow_mut() {
            look.body(bytes);
        }
    }

    /// The stream has ended at that moment; the lane may go on.
    pub(super) fn finish(&self, at: Moment, end: Result<(), Broken>) {
        if end.is_ok() {
            self.update(at, |_| {});
        }
        self.end.replace(Some(end));
        if let Some(waker) = &*self.waker.borrow() {
            waker.wake_by_ref();
        }
    }

    fn update(&self, at: Moment, change: impl FnOnce(&mut Answer)) {
        let mut answer = self.answer.get();
        if answer.first == 0 {
            answer.first = at.max(1);
        }
        answer.last = at;
        change(&mut answer);
        self.answer.set(answer);
    }
}
