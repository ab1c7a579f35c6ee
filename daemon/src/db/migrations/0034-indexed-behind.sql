-- Long texts, and many of them, are indexed behind the write that stores them. Chunks that the text index does not have yet have the model
-- 'unindexed'; entries of sessions stand in a table.
CREATE INDEX chunks_unindexed ON chunks (account, id) WHERE model = 'unindexed';

CREATE TABLE unindexed_entries (
  entry   INTEGER PRIMARY KEY REFERENCES session_entries (n) ON DELETE CASCADE,
  account INTEGER NOT NULL
) STRICT;
CREATE INDEX unindexed_entries_by_account ON unindexed_entries (account, entry);
