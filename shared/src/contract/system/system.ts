import { z } from 'zod';
import { DateTime } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'system';

const Lag = z.object({
  pending: z
    .int()
    .describe(
      'Chunks whose vector is still to be made, found by words meanwhile; after an update also memories that are still to be indexed anew',
    ),
  facts_pending: z.int().describe('After an update: memories whose facts and links are still to be read'),
});

/** How a model does: `catching_up` while texts wait for their vectors. */
const modelState = {
  since: DateTime,
  error: z.string().nullable().describe('In plain words, where its server fails, or what makes vectors here'),
};
const EmbedderState = z.object({ state: z.enum(['ok', 'catching_up', 'down']), ...modelState });
const LanguageModelState = z
  .object({ model: z.string(), state: z.enum(['ok', 'down']), ...modelState })
  .nullable()
  .describe('Null where none is configured; everything works without one');

const StorageState = z
  .object({
    state: z.enum(['ok', 'full']).describe('`full`: what is stored is served, writes are refused with 507'),
    since: DateTime.nullable().describe('Since when the disk is full'),
    log_waits_since: DateTime.nullable().describe(
      'Since when deleted text may stand in the write-ahead log, for another program reads the database or the disk is full; null where it is emptied',
    ),
  })
  .describe('Whether the disk takes what is written; both are tried again without a request');

export const health = route({
  id: 'healthz',
  method: 'GET',
  path: '/healthz',
  scope: 'public',
  tag,
  summary: 'Whether the daemon is ready, and how far background indexing lags',
  status: 200,
  response: z.object({
    status: z.enum(['ready', 'stopping']),
    indexing: Lag,
    embedder: EmbedderState.describe('While it is down, search finds by words'),
    language_model: LanguageModelState,
    storage: StorageState,
  }),
  problems: ['unavailable'],
});

export const identity = route({
  id: 'identity',
  method: 'GET',
  path: '/identity',
  scope: 'public',
  tag,
  summary: 'Proves that this is the daemon of the home whose owner key the caller can read',
  description:
    '`proof` is the hexadecimal HMAC-SHA256, keyed with the owner key, of `nonce` (from daemon.json), a full stop and `challenge`. A client checks it before it sends a key to a port.',
  query: z.strictObject({
    challenge: z.string().regex(/^[0-9a-f]{32,128}$/, 'must be 32 to 128 hexadecimal digits'),
  }),
  status: 200,
  response: z.object({ proof: z.string() }),
  problems: [],
});

export const status = route({
  id: 'status',
  method: 'GET',
  path: '/status',
  scope: 'read',
  reach: { can: ['read'], filtered: true },
  tag,
  summary: 'What is stored, and how the daemon is doing',
  status: 200,
  response: z.object({
    version: z.string(),
    started_at: DateTime,
    memories: z.int(),
    namespaces: z.int(),
    bytes: z.int().describe('Bytes of UTF-8 of all values'),
    log_id: z.string(),
    embedder: z
      .object({
        model: z.string(),
        dimensions: z.int(),
        embedded: z.int(),
        total: z.int(),
        ...EmbedderState.shape,
      })
      .describe('Chunks with a vector of this model, of all'),
    language_model: LanguageModelState,
    storage: StorageState,
    indexing: Lag,
  }),
  problems: [],
});

export const createBackup = route({
  id: 'backup',
  method: 'POST',
  path: '/backup',
  scope: 'owner',
  tag,
  summary: 'Write a verified copy of the database into `backups/`',
  body: z.strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must be a file name of letters, digits, `.`, `_` and `-`')
      .optional()
      .describe('The file name in `backups/`; made from the time where omitted'),
  }),
  status: 201,
  response: z.object({
    file: z.string().describe('Absolute path on this machine'),
    bytes: z.int(),
    memories: z.int(),
    sha256: z.string(),
    created_at: DateTime,
  }),
  problems: ['conflict', 'disk_full'],
});

export const metrics = route({
  id: 'metrics',
  method: 'GET',
  path: '/metrics',
  scope: 'owner',
  tag,
  summary: 'Counters and timings in the text format of Prometheus',
  status: 200,
  response: z.string(),
  problems: [],
});
