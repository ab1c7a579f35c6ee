-- Records of a kind that was not known, of a session's logs together: most of them are no entries any more, only counted (decision 0051).
ALTER TABLE sessions ADD COLUMN unknown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session_files ADD COLUMN unknown INTEGER NOT NULL DEFAULT 0;

-- All logs are read again, as by 0027: for the counts, and for what newer versions of the agents write.
DELETE FROM session_files;
