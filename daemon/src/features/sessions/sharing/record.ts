import { entryKinds } from '@reverie/shared/contract/sessions/sessions';
import { z } from 'zod';
import { LONGEST_TEXT } from '../entry.ts';

/** The version of what stands in a record; one that is newer is passed over. */
const VERSION = 1;

const Time = z.int().min(-8.64e15).max(8.64e15);
const Short = z.string().max(1024);

/** What is told of a session. Times in ms since 1970. Never its folder: that is a place on its owner's machine. */
const SessionRecord = z.object({
  v: z.literal(VERSION),
  type: z.literal('session'),
  title: Short,
  agent: Short,
  project: Short.nullable(),
  branch: Short.nullable(),
  models: z.array(Short).max(64),
  tokens: z.int().min(0),
  ended_at: Time.nullable(),
  unread: z.int().min(0).optional(),
});

const EntryRecord = z.object({
  v: z.literal(VERSION),
  type: z.literal('entry'),
  item: z.string().min(1).max(512),
  at: Time,
  /** Where it stands in its session, with `place`; who wrote before there was an order of the log leaves it out. */
  ordered_at: Time.optional(),
  place: z.int().min(0),
  kind: z.enum(entryKinds),
  author: z.object({ id: Short, name: Short, agent: Short.nullable() }),
  text: z.string().max(LONGEST_TEXT),
  tool: Short.nullable(),
  call: Short.nullable(),
  failed: z.boolean().nullable(),
  files: z.array(z.string().max(4096)).max(1024),
  reply_to: z.string().max(64).nullable(),
  redactions: z.int().min(0),
  format: Short,
});

/** Items that their author took back. */
const GoneRecord = z.object({
  v: z.literal(VERSION),
  type: z.literal('gone'),
  items: z.array(z.string().max(512)).max(1024),
});

const Record = z.discriminatedUnion('type', [SessionRecord, EntryRecord, GoneRecord]);
export type SessionRecord = z.infer<typeof SessionRecord>;
export type EntryRecord = z.infer<typeof EntryRecord>;
export type SharedRecord = z.infer<typeof Record>;

export function encodeRecord(record: SharedRecord): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(record));
}

/** A record as somebody else wrote it; undefined where it is none, or of a later version. */
export function decodeRecord(body: Uint8Array): SharedRecord | undefined {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
  return Record.safeParse(given).data;
}
