-- The tags that a source said when it and its memory last agreed, as a JSON list: others that the memory has are the person's. NULL where
-- that was not noted yet.
ALTER TABLE import_sources ADD COLUMN tags TEXT;

-- How many files with a memory were there at the last look at a followed folder; NULL before the first.
ALTER TABLE folders ADD COLUMN files INTEGER;
