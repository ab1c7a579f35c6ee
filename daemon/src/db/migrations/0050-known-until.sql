-- What is here of a namespace and was changed last before then, its room had said, or was told: where the room says something newer, this
-- device is only behind. 0 where that is not known. Milliseconds since 1970, UTC.
ALTER TABLE sync_choices ADD COLUMN known_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sync_namespaces ADD COLUMN known_until INTEGER NOT NULL DEFAULT 0;
