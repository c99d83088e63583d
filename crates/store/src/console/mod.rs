//! The console: officers, their sessions and decisions, the audit log, and what officers see and note.

pub mod accounts;
pub mod appointments;
pub mod assignments;
pub mod audit;
pub mod case_notes;
pub mod cases;
pub mod dashboard;
pub mod decisions;
pub mod evidence_requests;
pub mod search;
pub mod sessions;
pub mod users;
pub mod waiting;
