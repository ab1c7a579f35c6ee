-- The text of PDFs that notes name (decision 0069): once for an account, whatever the paths. `left_out` is why there is no text, or not all.
CREATE TABLE file_texts (
  n          INTEGER PRIMARY KEY,
  account    INTEGER NOT NULL,
  hash       TEXT    NOT NULL,
  pages      INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  left_out   TEXT CHECK (left_out IN ('encrypted', 'broken', 'empty', 'limit')),
  UNIQUE (account, hash)
) STRICT;

-- Its pieces, each of one page, which the text index of the account has by their numbers, once they are `indexed`. One without a text is
-- gone, and empty: its words are still to be taken out of that index.
CREATE TABLE file_pieces (
  n       INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  text    INTEGER,
  page    INTEGER NOT NULL,
  body    TEXT    NOT NULL,
  indexed INTEGER NOT NULL CHECK (indexed IN (0, 1))
) STRICT;
CREATE INDEX file_pieces_by_text ON file_pieces (account, text);
CREATE INDEX file_pieces_unindexed ON file_pieces (account, n) WHERE indexed = 0;

CREATE INDEX attachments_with_text ON attachments (account, hash) WHERE type = 'application/pdf';
