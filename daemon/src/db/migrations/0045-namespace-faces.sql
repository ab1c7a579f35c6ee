-- How a namespace looks where a person chose it, by its name, for it outlives its memories; clearing the namespace takes it away. NULL is not chosen.
CREATE TABLE namespace_faces (
  account   INTEGER NOT NULL,
  namespace TEXT    NOT NULL,
  colour    TEXT,
  sign      TEXT,
  PRIMARY KEY (account, namespace),
  CHECK (colour IS NOT NULL OR sign IS NOT NULL)
) STRICT, WITHOUT ROWID;
