-- Pictures and documents that notes of a folder name (decision 0069): which file of the home, by its SHA-256, lies at which path of a
-- namespace. `name` is the last part of the path, folded; `source` the folder out of which it came; `stamp` how the file looked there.
CREATE TABLE attachments (
  account   INTEGER NOT NULL,
  namespace TEXT    NOT NULL,
  path      TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  hash      TEXT    NOT NULL,
  size      INTEGER NOT NULL,
  type      TEXT    NOT NULL,
  source    TEXT    NOT NULL,
  stamp     TEXT    NOT NULL,
  PRIMARY KEY (account, namespace, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachments_by_name ON attachments (account, namespace, name);
CREATE INDEX attachments_by_hash ON attachments (hash);

-- Files that may be nobody's any more, whoever took the row away; they are looked at behind the transaction.
CREATE TABLE freed_files (hash TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER attachments_deleted AFTER DELETE ON attachments
BEGIN
  INSERT OR IGNORE INTO freed_files (hash) VALUES (OLD.hash);
END;
CREATE TRIGGER attachments_replaced AFTER UPDATE OF hash ON attachments WHEN OLD.hash <> NEW.hash
BEGIN
  INSERT OR IGNORE INTO freed_files (hash) VALUES (OLD.hash);
END;
