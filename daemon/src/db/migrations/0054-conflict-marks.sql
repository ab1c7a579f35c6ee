-- What a version that lost is called in lineages, where another version had said the same before it.
ALTER TABLE sync_conflicts ADD COLUMN mark TEXT;
