//! The result of a command or an event.

/// What a command or an event did to an order or advert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied<T> {
    /// It changed the order or advert. `T` is its transition.
    Done(Box<T>),
    /// It had already taken effect. The caller writes nothing, and repeats the first response to a command.
    AlreadyDone,
}
