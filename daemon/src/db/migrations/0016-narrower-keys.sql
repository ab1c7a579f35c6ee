-- A key may be narrower than its scope: patterns of the namespaces that it has, and what it may do there, as JSON lists; null for all.
ALTER TABLE api_keys ADD COLUMN namespaces TEXT CHECK (namespaces IS NULL OR json_type(namespaces) = 'array');
ALTER TABLE api_keys ADD COLUMN can TEXT CHECK (can IS NULL OR json_type(can) = 'array');
