-- Pictures and PDFs of notes that go between devices (decision 0069).

-- What was agreed on of each path: which file this device had there out of a folder of its own (`here`), and which the room had (`there`).
-- `room` says which room that was, and in which log of the relay: what another one had says nothing.
CREATE TABLE sync_files (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  path         TEXT    NOT NULL,
  room         TEXT    NOT NULL,
  here         TEXT,
  there        TEXT,
  size         INTEGER NOT NULL,
  PRIMARY KEY (namespace_id, path)
) STRICT, WITHOUT ROWID;

-- The version of the room's files that was read last.
ALTER TABLE sync_namespaces ADD COLUMN files INTEGER NOT NULL DEFAULT -1;

-- Namespaces whose files changed since other devices were told, and how often.
CREATE TABLE changed_files (
  account   INTEGER NOT NULL,
  namespace TEXT    NOT NULL,
  n         INTEGER NOT NULL,
  PRIMARY KEY (account, namespace)
) STRICT, WITHOUT ROWID;
INSERT INTO changed_files (account, namespace, n) SELECT DISTINCT account, namespace, 1 FROM attachments;
CREATE TRIGGER attachments_added AFTER INSERT ON attachments
BEGIN
  INSERT INTO changed_files (account, namespace, n) VALUES (NEW.account, NEW.namespace, 1)
    ON CONFLICT (account, namespace) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER attachments_changed AFTER UPDATE OF hash, source ON attachments
BEGIN
  INSERT INTO changed_files (account, namespace, n) VALUES (NEW.account, NEW.namespace, 1)
    ON CONFLICT (account, namespace) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER attachments_gone AFTER DELETE ON attachments
BEGIN
  INSERT INTO changed_files (account, namespace, n) VALUES (OLD.account, OLD.namespace, 1)
    ON CONFLICT (account, namespace) DO UPDATE SET n = n + 1;
END;
