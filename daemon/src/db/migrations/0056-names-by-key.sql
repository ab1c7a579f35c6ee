-- Which memories had a key once, without a look at all that were made at the same time, as those of one import are.
CREATE INDEX memory_names_by_key ON memory_names (account, namespace, key);
