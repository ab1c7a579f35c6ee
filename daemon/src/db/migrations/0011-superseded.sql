-- A memory may also be hidden behind the one that a person kept of two that disagree. SQLite changes no CHECK: the column is made anew.
DROP INDEX memories_hidden;
ALTER TABLE memories RENAME COLUMN hidden TO hidden_before;
ALTER TABLE memories ADD COLUMN hidden TEXT CHECK (hidden IN ('merged', 'archived', 'superseded'));
UPDATE memories SET hidden = hidden_before WHERE hidden_before IS NOT NULL;
ALTER TABLE memories DROP COLUMN hidden_before;
-- The key that a merged or superseded one is hidden behind.
ALTER TABLE memories RENAME COLUMN merged_into TO hidden_behind;
CREATE INDEX memories_hidden ON memories (account, namespace_id, hidden, hidden_behind) WHERE hidden IS NOT NULL;

-- When what comes up is due, in milliseconds since 1970; by it the list of insights is put in order.
ALTER TABLE dream_insights ADD COLUMN due_on INTEGER;
