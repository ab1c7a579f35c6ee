-- The tags that a source said when it and its memory last agreed, as a JSON list: others that the memory has are the person's. NULL where
-- that was not noted yet.
ALTER TABLE import_sources ADD COLUMN tags TEXT;
