/** A step forward. */
export interface Migration {
  sql: string;
  /**
   * The least number of steps that a relay has to know to work on the database afterwards. While nodes of two versions run side by
   * side, the older ones go on as long as they know so many: what takes something from them comes a version after what replaced it.
   */
  needs: number;
}

/** The steps of a relay's Postgres, by number from 1; none is edited after it landed. They are not those of SQLite. */
export const migrations: readonly Migration[] = [
  {
    needs: 1,
    sql: `
  CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL);

  CREATE TABLE accounts (
    id text COLLATE "C" PRIMARY KEY,
    email text COLLATE "C" NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    key_prefix text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    confirmed_at bigint,
    -- Grows with each change of its devices, rooms and members: nodes that see a larger one tell its devices.
    version bigint NOT NULL DEFAULT 0
  );
  CREATE INDEX accounts_by_email ON accounts (email, confirmed_at);
  CREATE INDEX accounts_provisional ON accounts (expires_at, id) WHERE confirmed_at IS NULL;

  CREATE TABLE signups (email_hash bytea PRIMARY KEY, day text NOT NULL, attempts bigint NOT NULL);

  CREATE TABLE devices (
    id text COLLATE "C" PRIMARY KEY,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    key_hash bytea NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    last_seen bigint,
    revoked_at bigint
  );
  CREATE INDEX devices_of_account ON devices (account);

  CREATE TABLE link_requests (
    id text COLLATE "C" PRIMARY KEY,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    number text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    answer text CHECK (answer IN ('approved', 'refused'))
  );
  CREATE INDEX link_requests_of_account ON link_requests (account);

  CREATE TABLE pairing_codes (
    id text COLLATE "C" PRIMARY KEY,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    secret_hash bytea NOT NULL,
    expires_at bigint NOT NULL,
    wrong_tries bigint NOT NULL DEFAULT 0
  );
  CREATE INDEX pairing_codes_of_account ON pairing_codes (account);

  CREATE TABLE rooms (
    id text COLLATE "C" PRIMARY KEY,
    owner text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    -- Grows with each change of its members.
    version bigint NOT NULL DEFAULT 0
  );
  CREATE INDEX rooms_of_owner ON rooms (owner);

  CREATE TABLE members (
    room text COLLATE "C" NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
    joined_at bigint NOT NULL,
    PRIMARY KEY (room, account)
  );
  CREATE UNIQUE INDEX members_by_name ON members (account, name);

  CREATE TABLE invites (
    id text COLLATE "C" PRIMARY KEY,
    room text COLLATE "C" NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('viewer', 'editor')),
    secret_hash bytea NOT NULL,
    uses_left bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX invites_of_room ON invites (room);

  CREATE TABLE note_updates (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room text COLLATE "C" NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    body bytea NOT NULL
  );
  ALTER TABLE note_updates ALTER COLUMN body SET STORAGE EXTERNAL;
  CREATE INDEX note_updates_of_room ON note_updates (room, id);

  -- The log. It names rooms by text and knows nothing of the tables above. The row of a room is written with each batch: half of each
  -- page is left empty, so that a new version finds its place beside the old one and no index is touched.
  CREATE TABLE log_rooms (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room text COLLATE "C" NOT NULL UNIQUE,
    epoch bigint NOT NULL DEFAULT 0,
    head bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL,
    cleared_ms bigint NOT NULL DEFAULT 0,
    cleared_counter bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    -- How often snapshots were settled, and offered.
    settled bigint NOT NULL DEFAULT 0,
    offered bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

  CREATE TABLE log_writers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device text COLLATE "C" NOT NULL,
    incarnation text COLLATE "C" NOT NULL,
    UNIQUE (device, incarnation)
  );

  CREATE TABLE log_entries (
    room bigint NOT NULL,
    seq bigint NOT NULL,
    epoch bigint NOT NULL,
    writer bigint NOT NULL,
    n bigint NOT NULL,
    at bigint NOT NULL,
    hash bytea NOT NULL,
    -- Null for a clear.
    bucket bigint,
    enc smallint NOT NULL,
    -- Null once a snapshot stands in its place; the place of a clear is its stamp.
    body bytea,
    cleared_ms bigint,
    cleared_counter bigint,
    PRIMARY KEY (room, seq),
    UNIQUE (room, writer, n)
  ) PARTITION BY HASH (room);

  CREATE TABLE log_hashes (
    room bigint NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (room, seq)
  );

  CREATE TABLE log_snapshots (
    room bigint NOT NULL,
    bucket bigint NOT NULL,
    covers bigint NOT NULL,
    epoch bigint NOT NULL,
    enc smallint NOT NULL,
    body_hash bytea NOT NULL,
    body bytea NOT NULL,
    device text NOT NULL,
    at bigint NOT NULL,
    settled smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (room, bucket, covers)
  );
  ALTER TABLE log_snapshots ALTER COLUMN body SET STORAGE EXTERNAL;
  CREATE INDEX log_snapshots_waiting ON log_snapshots (at) WHERE settled = 0;

  DO $$
  BEGIN
    FOR part IN 0..7 LOOP
      EXECUTE format('CREATE TABLE log_entries_%s PARTITION OF log_entries FOR VALUES WITH (MODULUS 8, REMAINDER %s)
        WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1,
              autovacuum_analyze_scale_factor = 0.1)', part, part);
      -- Bodies are compressed or encrypted by who writes them.
      EXECUTE format('ALTER TABLE log_entries_%s ALTER COLUMN body SET STORAGE EXTERNAL', part);
    END LOOP;
  END $$;
  CREATE INDEX log_entries_settled ON log_entries (room, seq) WHERE body IS NULL AND bucket IS NOT NULL;

  -- The nodes, what each holds, and who is connected to it. Of who is connected nothing has to outlive Postgres.
  CREATE TABLE nodes (
    id text COLLATE "C" PRIMARY KEY,
    address text NOT NULL,
    version bigint NOT NULL,
    until timestamptz NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE leases (
    name text COLLATE "C" PRIMARY KEY,
    node text COLLATE "C" NOT NULL REFERENCES nodes (id) ON DELETE CASCADE
  );
  CREATE INDEX leases_of_node ON leases (node);
  CREATE UNLOGGED TABLE online (
    device text COLLATE "C" NOT NULL,
    node text COLLATE "C" NOT NULL,
    PRIMARY KEY (device, node)
  );
  CREATE INDEX online_at_node ON online (node);
  -- What callers were counted by all nodes together, by windows.
  CREATE UNLOGGED TABLE counted (
    bucket text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    used bigint NOT NULL,
    PRIMARY KEY (bucket, address)
  ) WITH (fillfactor = 50);

  CREATE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE accounts SET version = version + 1 WHERE id = coalesce(NEW.account, OLD.account);
    RETURN NULL;
  END $$;
  CREATE TRIGGER devices_changed AFTER INSERT OR DELETE OR UPDATE OF name, revoked_at ON devices
    FOR EACH ROW EXECUTE FUNCTION account_changed();
  CREATE TRIGGER requests_changed AFTER INSERT OR DELETE OR UPDATE ON link_requests
    FOR EACH ROW EXECUTE FUNCTION account_changed();

  -- All members of a room are told of a change of one of them, as they see how many there are.
  CREATE FUNCTION members_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE rooms SET version = version + 1 WHERE id = coalesce(NEW.room, OLD.room);
    UPDATE accounts SET version = version + 1 WHERE id = coalesce(NEW.account, OLD.account)
      OR id IN (SELECT m.account FROM members m WHERE m.room = coalesce(NEW.room, OLD.room));
    RETURN NULL;
  END $$;
  CREATE TRIGGER members_changed AFTER INSERT OR DELETE OR UPDATE ON members
    FOR EACH ROW EXECUTE FUNCTION members_changed();

  CREATE FUNCTION snapshots_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      UPDATE log_rooms SET offered = offered + 1 WHERE id = NEW.room;
    ELSE
      UPDATE log_rooms SET settled = settled + 1 WHERE id = NEW.room;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER snapshots_changed AFTER INSERT OR UPDATE OF settled ON log_snapshots
    FOR EACH ROW EXECUTE FUNCTION snapshots_changed();
`,
  },
  {
    needs: 1,
    sql: `
  -- When its version grew last: who looks at an account for the first time tells its devices what may have been missed.
  ALTER TABLE accounts ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();

  CREATE OR REPLACE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE accounts SET version = version + 1, changed_at = now() WHERE id = coalesce(NEW.account, OLD.account);
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION members_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE rooms SET version = version + 1 WHERE id = coalesce(NEW.room, OLD.room);
    UPDATE accounts SET version = version + 1, changed_at = now() WHERE id = coalesce(NEW.account, OLD.account)
      OR id IN (SELECT m.account FROM members m WHERE m.room = coalesce(NEW.room, OLD.room));
    RETURN NULL;
  END $$;
`,
  },
  {
    needs: 1,
    sql: `
  -- Which files the notes of a room name, and what they hold, in pieces of 1 MiB. files grows with each change of them.
  ALTER TABLE rooms ADD COLUMN files bigint NOT NULL DEFAULT 0;
  CREATE TABLE room_files (
    room text COLLATE "C" NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    path text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    PRIMARY KEY (room, path)
  );
  CREATE INDEX room_files_by_hash ON room_files (room, hash);
  CREATE TABLE room_blobs (
    room text COLLATE "C" NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    hash text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    PRIMARY KEY (room, hash)
  );
  CREATE TABLE room_blob_pieces (
    room text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    n bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (room, hash, n),
    FOREIGN KEY (room, hash) REFERENCES room_blobs (room, hash) ON DELETE CASCADE
  );
  ALTER TABLE room_blob_pieces ALTER COLUMN body SET STORAGE EXTERNAL;

  -- The devices of all members ask for the rooms anew, at whichever node they are.
  CREATE FUNCTION files_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE accounts SET version = version + 1, changed_at = now()
      WHERE id IN (SELECT m.account FROM members m WHERE m.room = NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER files_changed AFTER UPDATE OF files ON rooms FOR EACH ROW EXECUTE FUNCTION files_changed();
`,
  },
  {
    // An older node would have guests read the whole log.
    needs: 4,
    sql: `
  -- The entry of a room's log behind which an invite, and who came by it, may read; 0 for all.
  ALTER TABLE invites ADD COLUMN since bigint NOT NULL DEFAULT 0;
  ALTER TABLE members ADD COLUMN since bigint NOT NULL DEFAULT 0;
`,
  },
  {
    // An older node lets nobody in by such an invite: its secret is hashed with the address.
    needs: 1,
    sql: `
  -- Whom alone an invite lets in: the account that has confirmed this address.
  ALTER TABLE invites ADD COLUMN email text COLLATE "C";
`,
  },
  {
    needs: 1,
    sql: `
  -- Accounts that who runs the relay has disabled, what was done on it, and the keys of who runs it.
  ALTER TABLE accounts ADD COLUMN disabled_at bigint;
  -- It outlives what it names: no row of it goes with an account, a device or a room.
  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    kind text NOT NULL,
    by_account text COLLATE "C",
    by_device text COLLATE "C",
    by_operator text COLLATE "C",
    account text COLLATE "C",
    device text COLLATE "C",
    room text COLLATE "C",
    subject text COLLATE "C",
    role text,
    address text,
    times bigint NOT NULL DEFAULT 1
  );
  CREATE INDEX audit_by_time ON audit (at);
  CREATE INDEX audit_by_actor ON audit (by_account, at) WHERE by_account IS NOT NULL;
  CREATE TABLE operator_keys (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    key_hash bytea NOT NULL UNIQUE,
    created_at bigint NOT NULL
  );
`,
  },
  {
    needs: 1,
    sql: `
  -- Codes that let a device into an account whose devices are all lost; one at a time. secret_hash: of the device that asked, null where
  -- who runs the relay made the code.
  ALTER TABLE devices ADD COLUMN revoked_by text;
  ALTER TABLE accounts ADD COLUMN recovered_at bigint;
  CREATE TABLE recoveries (
    account text COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret_hash bytea,
    code_hash bytea NOT NULL,
    name text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    wrong_tries bigint NOT NULL DEFAULT 0,
    day text NOT NULL,
    asked bigint NOT NULL
  );
`,
  },
  {
    needs: 1,
    sql: `
  -- Devices that asked to be let in by the code of an account: each has a secret and tries of its own.
  CREATE TABLE recovery_asks (
    secret_hash bytea PRIMARY KEY,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    expires_at bigint NOT NULL,
    wrong_tries bigint NOT NULL DEFAULT 0
  );
  CREATE INDEX recovery_asks_of_account ON recovery_asks (account);
  -- Who handed a room over to its owner, and when.
  ALTER TABLE rooms ADD COLUMN handed_by text COLLATE "C";
  ALTER TABLE rooms ADD COLUMN handed_at bigint;
  -- The last entry before the epoch that began last with what there was then alone; 0 where none is known.
  ALTER TABLE log_rooms ADD COLUMN present_since bigint NOT NULL DEFAULT 0;
`,
  },
];
