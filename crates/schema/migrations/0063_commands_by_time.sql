-- Answers to commands are kept for a week and then forgotten, the oldest first.
create index commands_by_time on commands (at);
