import { z } from 'zod';
import { Id, textOf } from './relay-fields.ts';
import { route } from '../route.ts';

const tag = 'relay';

/** What a room may hold of the files that its notes name. */
export const relayFileLimits = { bytes: 25 * 1024 * 1024, files: 10_000, atOnce: 500 } as const;

/** The SHA-256 of a file's bytes. */
export const FileHash = z.string().regex(/^[\da-f]{64}$/u, 'must be a SHA-256 as 64 hexadecimal digits');

/** A file that notes of a room name: its path in the folder of the notes, or that text's ciphertext. */
export const RelayFile = z
  .strictObject({
    path: textOf(1024),
    hash: FileHash,
    size: z.int().min(1).max(relayFileLimits.bytes).describe('Bytes'),
  })
  .meta({ id: 'RelayFile' });
export type RelayFile = z.infer<typeof RelayFile>;

export const listFiles = route({
  id: 'relay_files',
  method: 'GET',
  path: '/rooms/{id}/files',
  scope: 'owner',
  tag,
  summary: 'The files that notes of a room name',
  params: z.strictObject({ id: Id }),
  status: 200,
  response: z.object({
    version: z.int().describe('Grows with each change of them'),
    files: z.array(RelayFile.extend({ stored: z.boolean().describe('Whether its bytes are here') })),
  }),
  problems: ['not_found'],
});

export const nameFiles = route({
  id: 'relay_files_name',
  method: 'POST',
  path: '/rooms/{id}/files',
  scope: 'owner',
  tag,
  summary: 'Say which files notes of a room name, and which no more; what no path names is deleted',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({
    set: z.array(RelayFile).max(relayFileLimits.atOnce).default([]),
    remove: z
      .array(RelayFile.pick({ path: true, hash: true }))
      .max(relayFileLimits.atOnce)
      .default([])
      .describe('Each is removed where it still is that file'),
  }),
  status: 200,
  response: z.object({
    missing: z.array(FileHash).describe('Of those that were set, what is still to be sent'),
    space: z.int().describe('Bytes that the owner of the room may still store'),
  }),
  problems: ['not_found', 'forbidden_role', 'quota_exceeded'],
  bodyLimit: 2 * 1024 * 1024,
});

export const sendBlob = route({
  id: 'relay_blob_send',
  method: 'PUT',
  path: '/rooms/{id}/blobs/{hash}',
  scope: 'owner',
  tag,
  summary: 'Send the bytes of a file that a path of the room names',
  params: z.strictObject({ id: Id, hash: FileHash }),
  takes: 'file',
  status: 200,
  response: z.object({ success: z.literal(true) }),
  problems: ['not_found', 'forbidden_role', 'too_large', 'quota_exceeded', 'unsupported_media_type'],
});

export const getBlob = route({
  id: 'relay_blob',
  method: 'GET',
  path: '/rooms/{id}/blobs/{hash}',
  scope: 'owner',
  tag,
  summary: 'The bytes of a file of a room',
  params: z.strictObject({ id: Id, hash: FileHash }),
  status: 200,
  response: z.instanceof(Blob),
  answers: 'file',
  problems: ['not_found'],
});
