-- Where the repository of a project was last seen on this machine (decision 0072); it is not synced.
CREATE TABLE project_folders (
  account   INTEGER NOT NULL,
  namespace TEXT    NOT NULL,
  root      TEXT    NOT NULL,
  PRIMARY KEY (account, namespace)
) STRICT, WITHOUT ROWID;
