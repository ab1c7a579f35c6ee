import type { Hlc } from './clock.ts';

/** Documents of a namespace. Fixed: another number would put keys into other buckets. */
export const BUCKETS = 64;

const utf8 = new TextEncoder();

/** The bucket of a key: FNV-1a of its UTF-8, 32 bits. */
export function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(key)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % BUCKETS;
}

/** The memory that another one is hidden behind: the one of that key which was made then, in ms since 1970. */
export interface Behind {
  as: 'merged' | 'superseded';
  key: string;
  created_at: number;
}

/** What a memory says. Times in ms since 1970; `metadata` as JSON. */
export interface Content {
  value: string;
  metadata: string;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** The key that it had until it was written here: a device that has it under that one goes on with its history. */
  was?: string | undefined;
  /** When it was put into the trash; not there where it is not. */
  trashed?: number | undefined;
  /** When it was archived; not there where it is not. */
  archived?: number | undefined;
  /** What it is hidden behind, wherever that is there; it is never archived besides. */
  behind?: Behind | undefined;
}

/** What was done to a memory here: it is encoded into a document later, and again after a new epoch. */
export type Operation =
  | { kind: 'set'; key: string; hlc: Hlc; content: Content }
  | { kind: 'delete'; key: string; hlc: Hlc }
  /** Somebody decided about a version that lost. */
  | { kind: 'settle'; key: string; hlc: Hlc; settles: Pick<Version, 'device' | 'incarnation' | 'hlc'> };

/** Who writes slots: a device since its last start. */
export interface Writer {
  device: string;
  incarnation: string;
}

/** One version of a memory: what a device wrote that no other one has seen and overwritten yet. */
export interface Version extends Writer {
  key: string;
  hlc: Hlc;
  content: Content;
}

/** The name of a writer's slot of a key. Only that writer sets it, so that two sets never meet in one slot. */
export function slotName(key: string, { device, incarnation }: Writer): string {
  return `${key}\0${device}\0${incarnation}`;
}

/** The key of a slot; keys hold no control character. */
export function keyOfSlot(slot: string): string {
  const end = slot.indexOf('\0');
  return end < 0 ? slot : slot.slice(0, end);
}

/** A version as the text of its slot: text loads four times as fast as a map, in a third of the memory. */
export function slotText(hlc: Hlc, content: Content): string {
  const { value, metadata, created_at, updated_at, expires_at, was, trashed, archived, behind } = content;
  const parts = [hlc, value, metadata, created_at, updated_at, expires_at];
  const more = { was, trashed, archived, behind };
  const hasMore = Object.values(more).some((said) => said !== undefined);
  return JSON.stringify(hasMore ? [...parts, more] : parts);
}

/** The version in a slot; undefined for what no version of this program wrote. */
export function readSlot(slot: string, text: unknown): Version | undefined {
  const [key, device, incarnation] = slot.split('\0');
  if (key === undefined || key === '' || device === undefined || incarnation === undefined) return undefined;
  if (typeof text !== 'string') return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [hlc, value, metadata, created_at, updated_at, expires_at, more] = parts as unknown[];
  if (typeof value !== 'string' || value === '' || typeof metadata !== 'string') return undefined;
  if (!isTime(hlc) || !isTime(created_at) || !isTime(updated_at)) return undefined;
  if (expires_at !== null && !isTime(expires_at)) return undefined;
  const content = { value, metadata, created_at, updated_at, expires_at, ...moreOf(more) };
  return { key, device, incarnation, hlc, content };
}

/** What a slot says besides; earlier programs neither write nor read it. */
function moreOf(more: unknown): Pick<Content, 'was' | 'trashed' | 'archived' | 'behind'> {
  if (typeof more !== 'object' || more === null) return {};
  const behind = 'behind' in more ? behindOf(more.behind) : undefined;
  return {
    ...('was' in more && typeof more.was === 'string' && { was: more.was }),
    ...('trashed' in more && isTime(more.trashed) && { trashed: more.trashed }),
    ...(!behind && 'archived' in more && isTime(more.archived) && { archived: more.archived }),
    ...(behind && { behind }),
  };
}

function behindOf(given: unknown): Behind | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  if (!('as' in given) || !('key' in given) || !('created_at' in given)) return undefined;
  const { as, key, created_at } = given;
  if (as !== 'merged' && as !== 'superseded') return undefined;
  return typeof key === 'string' && key !== '' && isTime(created_at) ? { as, key, created_at } : undefined;
}

function isTime(given: unknown): given is number {
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0;
}

/** How far a version was put away: the less, the more it counts. */
function rankOf({ trashed, archived, behind }: Content): number {
  if (trashed !== undefined) return 0;
  return archived === undefined && behind === undefined ? 2 : 1;
}

/**
 * The order of versions: by clock, then by device and incarnation, so that all replicas agree. What is in the trash comes before what is hidden, and that
 * before what is neither: who wrote it again had not seen it put away, or wanted it back, and nothing that was written is to vanish unseen.
 */
export function compareVersions(a: Version, b: Version): number {
  const rank = rankOf(a.content) - rankOf(b.content);
  if (rank !== 0) return rank;
  if (a.hlc !== b.hlc) return a.hlc - b.hlc;
  if (a.device !== b.device) return a.device < b.device ? -1 : 1;
  if (a.incarnation !== b.incarnation) return a.incarnation < b.incarnation ? -1 : 1;
  return 0;
}
