import type { AccountId } from '@reverie/shared/accounts/caller';
import { Finding, type FindingKind, findingKinds } from '@reverie/shared/contract/dreams/dreams';
import type { ReadDb, Store, WriteDb } from '../../../db/open-store.ts';
import {
  type LanguageModel,
  ModelFailure,
  type Prompt,
  tokensAtMost,
} from '../../../models/language-model.ts';
import { isOfRequest } from '../../../models/model-server.ts';
import { createYielding } from '../../../platform/yielding.ts';
import { insightsOn } from '../insights/insights.store.ts';
import { readDigest } from '../thread/digest.ts';
import { toDreamMemory } from '../thread/view.ts';
import { viewedRows } from '../thread/view.store.ts';
import { readText } from './notes.ts';
import {
  type FoundOnSheet,
  type NoteToRead,
  type Sheet,
  sheetQuestion,
  type ToldBefore,
} from './question.ts';
import { readMarks, saveRead } from './readings.store.ts';
import type { PlannedSheet, Turn } from './sheets.ts';
import { bitsOf } from './sizes.ts';

/** Where notes are read. */
export interface Place {
  readonly account: AccountId;
  readonly namespace: string;
}

/** A note of a sheet, with the digest of what it said when it was read. */
export interface OpenedNote extends NoteToRead {
  readonly digest: Buffer;
}

/** A sheet as its notes are now. */
export interface OpenedSheet extends Sheet {
  readonly notes: readonly OpenedNote[];
  readonly turn: Turn;
}

type Opening = PlannedSheet & { kinds: readonly FindingKind[]; now: number; job?: string | undefined };

/** What was proposed before over notes of one sheet, at most. */
const MOST_TOLD = 60;
/** Characters that a dream sees of a memory at most; a reader sees fewer. */
const SEEN = 8_192;

/** Reads the notes of a sheet as they are now, one by one, for one may be a megabyte; those that are gone or hidden are left out. */
export async function openSheet(
  store: Store,
  { account }: Place,
  { ids, turn, kinds, now, job }: Opening,
): Promise<OpenedSheet> {
  const bits = bitsOf(kinds, turn);
  const open = (db: ReadDb, noteId: number): OpenedNote[] =>
    viewedRows(db, account, [noteId]).flatMap((row) => {
      const memory = toDreamMemory(row, SEEN);
      if (!memory) return [];
      const { id, key, time, tags, value } = memory;
      const digest = readDigest(memory.digest);
      const mark = readMarks(db, [id]).get(id);
      const isRead = mark !== undefined && (mark.kinds & bits) === bits && mark.digest.equals(digest);
      return [{ id, key, time, tags, text: readText(value), isNew: !isRead, digest }];
    });
  const notes: OpenedNote[] = [];
  const yieldToOthers = createYielding();
  for (const id of ids) {
    notes.push(...store.read((db) => open(db, id)));
    await yieldToOthers();
  }
  notes.sort((a, b) => a.time - b.time || a.id - b.id);
  return { notes, turn, kinds, now, told: store.read((db) => toldOf(db, notes, { kinds, job })) };
}

/**
 * What was proposed, accepted or refused over two notes of a sheet, or of what is due over one. What the same dream proposed is left out: it is
 * no news to anybody yet, and doubles are folded.
 */
function toldOf(
  db: ReadDb,
  notes: readonly OpenedNote[],
  { kinds, job }: { kinds: readonly FindingKind[]; job: string | undefined },
): ToldBefore[] {
  const kindOf = new Map<string, FindingKind>(kinds.map((kind) => [findingKinds[kind], kind]));
  const told = new Map<string, ToldBefore & { keys: string[] }>();
  for (const { id } of notes)
    for (const { id: insight, strategy, title, key, job_id } of insightsOn(db, id)) {
      const kind = kindOf.get(strategy);
      if (kind === undefined || job_id === job) continue;
      const known = told.get(insight);
      if (known) known.keys.push(key);
      else told.set(insight, { kind, keys: [key], title });
    }
  return [...told.values()].filter(({ kind, keys }) => kind === 'due' || keys.length > 1).slice(-MOST_TOLD);
}

/** Notes that the notes of a sheet were read for these kinds, as what they said then. */
export function closeSheet(
  db: WriteDb,
  { account }: Pick<Place, 'account'>,
  { notes, kinds, turn }: OpenedSheet,
): void {
  for (const { id, digest } of notes) saveRead(db, { account, id, kinds: bitsOf(kinds, turn), digest });
}

/** A finding on a sheet as anybody else would propose it; undefined where it has no form. Numbers that no note of the sheet has are left out. */
export function findingOf(
  { notes }: Pick<Sheet, 'notes'>,
  { kind, notes: quoted, title, why, due, settle }: FoundOnSheet,
): Finding | undefined {
  const evidence = quoted.flatMap(({ note, quote }) => {
    const key = notes[note - 1]?.key;
    return key === undefined ? [] : [{ key, quote: quote.slice(0, 2000) }];
  });
  /** The numbers of its notes mean nothing to whoever never saw the sheet; other numbers are the reader's own words. */
  const named = (text: string) =>
    text.trim().replaceAll(/(?<![\p{L}\p{N}])n(\d{1,4})(?![\p{L}\p{N}])/gu, (said, number: string) => {
      const isQuoted = quoted.some(({ note }) => note === Number(number));
      return isQuoted ? (notes[Number(number) - 1]?.key ?? said) : said;
    });
  const day = /^\d{4}-\d{2}-\d{2}/u.exec(due.trim())?.[0];
  const { data } = Finding.safeParse({
    kind,
    evidence: evidence.slice(0, 40),
    title: named(title).slice(0, 200),
    why: named(why).slice(0, 1000),
    due_on: kind === 'due' ? day : undefined,
    settle: settle.trim() === '' ? undefined : named(settle).slice(0, 500),
  });
  return data;
}

/** What came of one question about a sheet. */
export type SheetAnswer =
  | { readonly kind: 'found'; readonly findings: readonly FoundOnSheet[]; readonly tokens: number }
  /** It answered nothing of use. */
  | { readonly kind: 'useless'; readonly tokens: number }
  /** It is not to be asked any more in this dream, and why. */
  | { readonly kind: 'over'; readonly why: string; readonly tokens: number };

/** Findings of one answer that are looked at. */
const MOST_FOUND = 150;
/** What a server puts around the two texts. */
const FRAME = 32;

/** Asks a model about one sheet, within so many tokens, for an answer of at most so many. */
export async function readSheet(
  model: LanguageModel,
  sheet: Sheet,
  { tokensLeft, answer, signal }: { tokensLeft: number; answer: number; signal: AbortSignal },
): Promise<SheetAnswer> {
  const question = sheetQuestion(sheet, answer);
  const most = mostTokens(question);
  if (most > tokensLeft) return { kind: 'over', why: 'the budget of this dream is used up', tokens: 0 };
  if (most > (model.contextTokens ?? Infinity)) return { kind: 'useless', tokens: 0 };
  try {
    const { value, tokens } = await model.generate({ ...question, signal, isAskedOnce: true });
    return { kind: 'found', findings: value.findings.slice(0, MOST_FOUND), tokens };
  } catch (cause) {
    if (!(cause instanceof ModelFailure)) throw cause;
    const tokens = cause.kind === 'timeout' ? most : cause.tokens;
    if (cause.kind === 'garbage' || isOfRequest(cause)) return { kind: 'useless', tokens };
    return { kind: 'over', why: cause.message, tokens };
  }
}

/** The most tokens that a question and its answer take. */
function mostTokens({
  system,
  prompt,
  maxTokens,
}: Pick<Prompt<unknown>, 'system' | 'prompt' | 'maxTokens'>): number {
  return tokensAtMost(system + prompt) + FRAME + maxTokens;
}
