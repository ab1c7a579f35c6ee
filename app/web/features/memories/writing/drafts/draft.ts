import { calendarDay } from '@reverie/shared/contract/calendar-day';
import { Key, Metadata, Namespace, Value, type JsonObject } from '@reverie/shared/contract/fields';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { tagsOf } from '../../tags.ts';
import { createStore } from '../../../../platform/store.ts';

/** What somebody is writing. `base` is the memory that it changes; none for a new one. */
export interface MemoryDraft {
  key: string;
  namespace: string;
  value: string;
  /** JSON, as typed. */
  metadata: string;
  /** When it is to be forgotten (RFC 3339); empty for never. */
  expires: string;
  base: Memory | undefined;
  /** What a new memory begins with, and nobody has written yet: a template. */
  seed?: string | undefined;
}

export type DraftErrors = Partial<Record<'key' | 'namespace' | 'value' | 'metadata' | 'expires', string>>;

/** A draft that may be sent, or what is wrong with each field. */
export type Checked = { ok: true; metadata: JsonObject } | { ok: false; errors: DraftErrors };

/** Drafts that were begun and neither saved nor discarded, by `draftId`. The browser keeps them (`keeping.ts`). */
export const drafts = createStore<ReadonlyMap<string, MemoryDraft>>(new Map());

export function draftId(namespace: string, key: string | undefined): string {
  return key === undefined ? 'new' : JSON.stringify([namespace, key]);
}

export function keepDraft(id: string, draft: MemoryDraft | undefined): void {
  const next = new Map(drafts.get());
  if (draft) next.set(id, draft);
  else next.delete(id);
  drafts.set(next);
}

export function emptyDraft(namespace: string): MemoryDraft {
  return { key: '', namespace, value: '', metadata: '', expires: '', base: undefined };
}

/** Begins a new memory under a key, with a value where it has one to begin with; one that is being written goes on. */
export function beginDraft({
  namespace,
  key,
  value = '',
}: {
  namespace: string;
  key: string;
  value?: string;
}): void {
  const id = draftId(namespace, undefined);
  const begun = drafts.get().get(id);
  if (!begun || !isWritten(begun)) keepDraft(id, { ...emptyDraft(namespace), key, value, seed: value });
}

/** Whether a new memory has words that somebody wrote. */
export function isWritten({ value, seed = '' }: Pick<MemoryDraft, 'value' | 'seed'>): boolean {
  return value.trim() !== '' && value !== seed;
}

/** A draft that says what the memory says. */
export function draftOf(memory: Memory): MemoryDraft {
  const { key, namespace, value, metadata, expires_at: expires = '' } = memory;
  return { key, namespace, value, metadata: printMetadata(metadata), expires, base: memory };
}

/** Whether saving would change anything. */
export function isChanged(draft: MemoryDraft): boolean {
  if (!draft.base)
    return [draft.value, draft.key, draft.metadata, draft.expires].some((typed) => typed !== '');
  const { value, metadata, expires } = draftOf(draft.base);
  return draft.value !== value || draft.metadata !== metadata || draft.expires !== expires;
}

export function printMetadata(metadata: JsonObject): string {
  return Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);
}

/** Checks a draft by the same rules as the daemon; a new memory may leave its key out. `now` is milliseconds since 1970. */
export function checkDraft(draft: MemoryDraft, now: number): Checked {
  const errors: DraftErrors = {};
  if (draft.key !== '' || draft.base) note(errors, 'key', Key.safeParse(draft.key));
  note(errors, 'namespace', Namespace.safeParse(draft.namespace));
  if (draft.value === '') errors.value = 'Write something to remember.';
  else note(errors, 'value', Value.safeParse(draft.value));
  const metadata = readMetadata(draft.metadata);
  if (!metadata.ok) errors.metadata = metadata.message;
  if (draft.expires !== '' && Date.parse(draft.expires) <= now)
    errors.expires = 'That day is over. Choose one that is still to come, or none.';
  if (metadata.ok && Object.keys(errors).length === 0) return { ok: true, metadata: metadata.value };
  return { ok: false, errors };
}

type Result = { success: true } | { success: false; error: { issues: readonly { message: string }[] } };

function note(errors: DraftErrors, field: keyof DraftErrors, result: Result): void {
  if (result.success) return;
  const message = result.error.issues[0]?.message ?? 'is not valid';
  errors[field] = `The ${field} ${message}.`;
}

function readMetadata(typed: string): { ok: true; value: JsonObject } | { ok: false; message: string } {
  if (typed.trim() === '') return { ok: true, value: {} };
  let given: unknown;
  try {
    given = JSON.parse(typed);
  } catch (error) {
    return {
      ok: false,
      message: `This is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    };
  }
  const parsed = Metadata.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, message: `The metadata ${parsed.error.issues[0]?.message ?? 'is not valid'}.` };
}

/** The metadata that is typed with other tags in it; undefined while it is no JSON that could hold them. */
export function withTags(typed: string, tags: readonly string[]): string | undefined {
  const metadata = readMetadata(typed);
  if (!metadata.ok) return undefined;
  const { tags: _, ...rest } = metadata.value;
  return printMetadata(tags.length === 0 ? rest : { ...metadata.value, tags });
}

/** The tags in the metadata that is typed; undefined while it is no JSON. */
export function tagsOfDraft(typed: string): readonly string[] | undefined {
  const metadata = readMetadata(typed);
  return metadata.ok ? tagsOf(metadata.value) : undefined;
}

/** The day on which something ends (`2026-12-24`), in the reader's time zone; empty for never. */
export function dayOfEnd(expires: string): string {
  if (expires === '') return '';
  return calendarDay(new Date(expires));
}

/** When a day is over for the reader. */
export function endOfDay(day: string): string {
  return day === '' ? '' : new Date(`${day}T23:59:59`).toISOString();
}
