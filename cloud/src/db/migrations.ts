/** Steps forward, by number from 1; none is edited after it landed. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    key_prefix TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    confirmed_at INTEGER
  ) STRICT;
  CREATE INDEX accounts_by_email ON accounts (email, confirmed_at);

  -- How often an address signed up on a day; the address itself is not kept.
  CREATE TABLE signups (email_hash BLOB PRIMARY KEY, day TEXT NOT NULL, attempts INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_seen INTEGER,
    revoked_at INTEGER
  ) STRICT;
  CREATE INDEX devices_of_account ON devices (account);

  -- Devices that wait for one of the account's own to let them in.
  CREATE TABLE link_requests (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    number TEXT NOT NULL,
    secret_hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    answer TEXT CHECK (answer IN ('approved', 'refused'))
  ) STRICT;
  CREATE INDEX link_requests_of_account ON link_requests (account);

  CREATE TABLE pairing_codes (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    secret_hash BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    wrong_tries INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE rooms (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX rooms_of_owner ON rooms (owner);

  CREATE TABLE members (
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (room, account)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX members_by_name ON members (account, name);

  CREATE TABLE invites (
    id TEXT PRIMARY KEY,
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'editor')),
    secret_hash BLOB NOT NULL,
    uses_left INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX invites_of_room ON invites (room);

  -- The log. It names rooms by text and knows nothing of the tables above: it may stand in another database.
  CREATE TABLE log_rooms (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL UNIQUE,
    epoch INTEGER NOT NULL DEFAULT 0,
    head INTEGER NOT NULL DEFAULT 0,
    hash BLOB NOT NULL,
    cleared_ms INTEGER NOT NULL DEFAULT 0,
    cleared_counter INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE log_writers (
    id INTEGER PRIMARY KEY,
    device TEXT NOT NULL,
    incarnation TEXT NOT NULL,
    UNIQUE (device, incarnation)
  ) STRICT;

  CREATE TABLE log_entries (
    id INTEGER PRIMARY KEY,
    room INTEGER NOT NULL REFERENCES log_rooms (id),
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    writer INTEGER NOT NULL REFERENCES log_writers (id),
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    hash BLOB NOT NULL,
    -- Null for a clear.
    bucket INTEGER,
    enc INTEGER NOT NULL,
    -- Null once a snapshot stands in its place; the place of a clear is its stamp.
    body BLOB,
    cleared_ms INTEGER,
    cleared_counter INTEGER,
    UNIQUE (room, seq),
    UNIQUE (room, writer, n)
  ) STRICT;

  CREATE TABLE log_snapshots (
    room INTEGER NOT NULL REFERENCES log_rooms (id),
    bucket INTEGER NOT NULL,
    covers INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    enc INTEGER NOT NULL,
    body_hash BLOB NOT NULL,
    body BLOB NOT NULL,
    device TEXT NOT NULL,
    at INTEGER NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (room, bucket, covers)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What stock y-websocket clients wrote into a room's shared document, in order.
  CREATE TABLE note_updates (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX note_updates_of_room ON note_updates (room);
  `,
  `
  -- What stays of an entry whose body was let go takes space for ever, and counts.
  UPDATE log_rooms SET bytes = bytes + 160 * (
    SELECT count(*) FROM log_entries e WHERE e.room = log_rooms.id AND e.body IS NULL AND e.bucket IS NOT NULL);
  `,
  `
  -- What is left of entries of earlier epochs that were let go: the hash, for the cursors of devices that were away.
  CREATE TABLE log_hashes (
    room INTEGER NOT NULL REFERENCES log_rooms (id),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (room, seq)
  ) STRICT, WITHOUT ROWID;
  -- Those that may go there next.
  CREATE INDEX log_entries_settled ON log_entries (room, seq) WHERE body IS NULL AND bucket IS NOT NULL;
  `,
  `
  -- Which files the notes of a room name, and what they hold, in pieces of 1 MiB. files grows with each change of them.
  ALTER TABLE rooms ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE room_files (
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (room, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX room_files_by_hash ON room_files (room, hash);
  CREATE TABLE room_blobs (
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (room, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE room_blob_pieces (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL,
    hash TEXT NOT NULL,
    n INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (room, hash, n),
    FOREIGN KEY (room, hash) REFERENCES room_blobs (room, hash) ON DELETE CASCADE
  ) STRICT;
  `,
  `
  -- The entry of a room's log behind which an invite, and who came by it, may read; 0 for all.
  ALTER TABLE invites ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE members ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Whom alone an invite lets in: the account that has confirmed this address.
  ALTER TABLE invites ADD COLUMN email TEXT;
  `,
  `
  -- Accounts that who runs the relay has disabled, what was done on it, and the keys of who runs it.
  ALTER TABLE accounts ADD COLUMN disabled_at INTEGER;
  -- It outlives what it names: no row of it goes with an account, a device or a room.
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    by_account TEXT,
    by_device TEXT,
    by_operator TEXT,
    account TEXT,
    device TEXT,
    room TEXT,
    subject TEXT,
    role TEXT,
    address TEXT,
    times INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE INDEX audit_by_time ON audit (at);
  CREATE INDEX audit_by_actor ON audit (by_account, at) WHERE by_account IS NOT NULL;
  CREATE TABLE operator_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    key_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Codes that let a device into an account whose devices are all lost; one at a time. secret_hash: of the device that asked, null where
  -- who runs the relay made the code.
  ALTER TABLE devices ADD COLUMN revoked_by TEXT;
  ALTER TABLE accounts ADD COLUMN recovered_at INTEGER;
  CREATE TABLE recoveries (
    account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret_hash BLOB,
    code_hash BLOB NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    wrong_tries INTEGER NOT NULL DEFAULT 0,
    day TEXT NOT NULL,
    asked INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Devices that asked to be let in by the code of an account: each has a secret and tries of its own.
  CREATE TABLE recovery_asks (
    secret_hash BLOB PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    wrong_tries INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recovery_asks_of_account ON recovery_asks (account);
  -- Who handed a room over to its owner, and when.
  ALTER TABLE rooms ADD COLUMN handed_by TEXT;
  ALTER TABLE rooms ADD COLUMN handed_at INTEGER;
  -- The last entry before the epoch that began last with what there was then alone; 0 where none is known.
  ALTER TABLE log_rooms ADD COLUMN present_since INTEGER NOT NULL DEFAULT 0;
  `,
];
