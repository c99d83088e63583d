-- What a nickname looks like, so that none passes for another: its skeleton by Unicode Technical Standard 39, without case.
-- The database cannot compute it. The program writes it with each nickname, and `mec2c migrate` for those that are there, after
-- this and after each update, whose Unicode tables may be newer. A nickname whose look another has already keeps none, until
-- its owner changes it.
alter table users add column nickname_look text;
create unique index users_nickname_look on users (nickname_look);
