-- Chunks that are gone, and whose words are still to be taken out of the text index: of long texts that is done behind the transaction that
-- deletes them. Numbers of chunks are never used again.
CREATE TABLE removed_chunks (
  chunk   INTEGER PRIMARY KEY,
  account INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_chunks_by_account ON removed_chunks (account, chunk);
