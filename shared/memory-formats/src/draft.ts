import { type JsonObject } from '@reverie/shared/contract/fields';
import { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { fitKey, fitMetadata, fitSourceId, sha256, type Fitted } from './fit.ts';
import { isObject } from './json/plain-json.ts';
import { skip, type ReadItem } from './reader.ts';
import { splitText } from './split.ts';

/** One thing that a reader found, before it is made to fit the contract. */
export interface ImportDraft {
  /** What to call it where it has to be left out. */
  path: string;
  key: string;
  namespace: string;
  value: string;
  metadata: JsonObject;
  created_at?: string | undefined;
  updated_at?: string | undefined;
  expires_at?: string | undefined;
  /** `hash` is that of the file; for a record that is no file it is made from all that the record holds. */
  source: { id: string; hash?: string };
  /**
   * Metadata that are too large or too deep: `text` where the value says the same, so that they may be left out
   * with a note; `nowhere` where leaving them out would lose something, so that the item is skipped.
   */
  metadataAlsoIn: 'text' | 'nowhere';
}

interface Part {
  part: number;
  parts: number;
}

/**
 * The memories that hold a draft: one, or several parts `key#1`, `key#2`, … of at most 1 MiB that put together
 * are its value. Parts are neighbours of one `session`, so that each gives the next its context.
 */
export function* memoriesOf(draft: ImportDraft): Generator<ReadItem> {
  if (draft.value.trim() === '') {
    yield skip(draft.path, 'empty', 'holds no text');
    return;
  }
  const values = splitText(draft.value.toWellFormed());
  const parts = values.length;
  // Fitted before it is hashed: what is nested too deep could not be walked.
  const fitted = fitMetadata(parts > 1 ? withPart(draft, { part: parts, parts }) : draft.metadata);
  if ('problem' in fitted && draft.metadataAlsoIn === 'nowhere') {
    yield skip(draft.path, 'too_large', `its metadata ${fitted.problem}`);
    return;
  }
  const metadata = 'metadata' in fitted ? fitted.metadata : leftOut(draft.metadata, fitted);
  const hash = draft.source.hash ?? hashOfRecord({ ...draft, metadata });
  const whole = { ...draft, metadata, source: { id: draft.source.id, hash } };
  for (const [at, value] of values.entries())
    yield memoryOf(whole, value, parts > 1 ? { part: at + 1, parts } : undefined);
}

function memoryOf(draft: ImportDraft, value: string, part: Part | undefined): ReadItem {
  const suffix = part ? `#${part.part}` : '';
  const parsed = PortableMemory.safeParse({
    key: fitKey(draft.key, suffix),
    value,
    namespace: draft.namespace,
    metadata: part ? withPart(draft, part) : draft.metadata,
    ...(draft.created_at !== undefined && { created_at: draft.created_at }),
    ...(draft.updated_at !== undefined && { updated_at: draft.updated_at }),
    ...(draft.expires_at !== undefined && { expires_at: draft.expires_at }),
    source: { id: fitSourceId(draft.source.id, suffix), hash: draft.source.hash },
  });
  if (parsed.success) return { kind: 'memory', memory: parsed.data, ...unreadOf(draft, part) };
  const issue = parsed.error.issues[0];
  return skip(draft.path, 'malformed', `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/** What `metadata.imported.note` says, once of a file with several parts. */
function unreadOf({ path, metadata: { imported } }: ImportDraft, part: Part | undefined) {
  const detail = isObject(imported) ? imported['note'] : undefined;
  return typeof detail === 'string' && (part?.part ?? 1) === 1 && { unread: { path, detail } };
}

function withPart(draft: ImportDraft, part: Part): JsonObject {
  const { imported } = draft.metadata;
  return {
    session: fitKey(draft.key),
    ...draft.metadata,
    imported: { ...(isObject(imported) && imported), ...part },
  };
}

function leftOut(metadata: JsonObject, { problem }: Extract<Fitted, { problem: string }>): JsonObject {
  const { title, imported } = metadata;
  const note = `The metadata are left out, for what they hold ${problem}; the text has them`;
  const kept = fitMetadata({
    ...(typeof title === 'string' && { title: title.slice(0, 1000) }),
    imported: { ...(isObject(imported) && imported), note },
  });
  return 'metadata' in kept ? kept.metadata : { imported: { note } };
}

/** A text that is equal for equal content, whatever the order in which its objects were built. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
}

type Content = Pick<ImportDraft, 'value' | 'metadata' | 'created_at' | 'updated_at' | 'expires_at'>;

/** The hash of a record that is no file: of everything that its memory is made from, metadata within limits. */
export function hashOfRecord({ value, metadata, created_at, updated_at, expires_at }: Content): string {
  return sha256(canonical({ value, metadata, created_at, updated_at, expires_at }));
}
