import type { AccountId } from '@reverie/shared/accounts/caller';
import type { AskReply } from '@reverie/shared/contract/search/ask';
import { askDeps } from '../search/ask.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertAccount } from '../../features/accounts/accounts.store.ts';
import type { AskSearch, RankedHit } from '../../features/ask/ports.ts';
import { type NoteToRead, sheetQuestion } from '../../features/dreams/reading/question.ts';
import { findingOf } from '../../features/dreams/reading/reader.ts';
import { toProposal } from '../../features/dreams/insights/findings.ts';
import type { MemoryDeps } from '../../features/memories/deps.ts';
import { type Item, writeMemory } from '../../features/memories/memories.service.ts';
import { unfollowed } from '../../features/memories/unfollowed.ts';
import type { Room } from '../../features/models/examination/examination-run.ts';
import {
  ASKED_AT,
  type ExaminationNote,
  type Paper,
} from '../../features/models/examination/examination-data.ts';
import type { ExaminationOutcome } from '../../features/models/examination/examination-marks.ts';
import { createTextIndex } from '../../features/search/index/index.store.ts';
import { createSearch } from '../search/search.ts';
import { createBackgroundEmbedder } from '../../models/background-embedder.ts';
import type { StaticTable } from '../../models/static-table.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

const NAMESPACE = 'examination';
/** One answer may take so long: a slow model is to be told from one that does not answer. */
const ANSWER_MS = 60_000;
/** Tokens of an answer about two notes. */
const ANSWER_TOKENS = 600;
/** The day of the paper, on which nothing happens by itself. */
const clock: Clock = { now: () => ASKED_AT, every: () => ({ stop: () => undefined }) };
const nothing = () => undefined;

/**
 * Puts the notes of the paper into a database of their own, in memory, where the very code answers that answers from the person's own
 * memory. Nothing of the person's memory is in it.
 */
export async function openRoom(
  { table, log }: { table: () => StaticTable; log: Log },
  paper: Paper,
): Promise<Room> {
  const { ask } = await import('../../features/ask/ask.service.ts');
  const store = openStore({ file: ':memory:', migrations: loadMigrations(), now: clock.now });
  const index = createSearch({
    store,
    clock,
    log,
    table,
    embedder: table(),
    background: createBackgroundEmbedder({ now: clock.now }),
    reach: nothing,
  });
  const { account, idOf } = laidOut(paper.notes, store, index.index);
  const deps = askDeps({
    store,
    clock,
    ...index.ranking,
    facts: undefined,
    recalled: nothing,
    model: nothing,
    mayUseModel: () => true,
    timeoutMs: () => ANSWER_MS,
  });
  return {
    async answer(model, { question, notes }, signal) {
      const ids = notes.flatMap((key) => idOf.get(key) ?? []);
      const reply = await ask(
        { ...deps, search: showing(ids, deps.search), model: () => ({ model }) },
        { account, payer: account, gone: signal },
        { question, namespace: NAMESPACE, limit: 6, explain: true },
      );
      return saidIn(reply);
    },
    async contradicts(model, { older, newer }, signal) {
      const notes = [older, newer].map(noteOf);
      const sheet = { notes, kinds: ['disagree' as const], told: [], now: ASKED_AT };
      const { value } = await model.generate({ ...sheetQuestion(sheet, ANSWER_TOKENS), signal });
      const [said] = value.findings;
      if (!said) return false;
      // What no words of the notes show counts for nothing in a dream either.
      const finding = findingOf(sheet, said);
      const noteWith = (key: string) => notes.find((one) => one.key === key);
      return finding &&
        'proposal' in toProposal(finding, { now: ASKED_AT, noteOf: noteWith, isNamed: () => false })
        ? true
        : undefined;
    },
    close: () => store.close(),
  };
}

/** A search that finds some memories first: it is the model that is examined, and search knows no other language than that of the question. */
function showing(ids: readonly number[], search: AskSearch): AskSearch {
  return {
    ...search,
    async rank(...asked) {
      const ranked = await search.rank(...asked);
      const first = ids.map(
        (id): RankedHit => ranked.find((one) => one.id === id) ?? { id, score: 0, boosts: [] },
      );
      return [...first, ...ranked.filter(({ id }) => !ids.includes(id))];
    },
  };
}

/** What the reply of ask says of its model. */
function saidIn({ answer, found, understood }: AskReply): ExaminationOutcome {
  if (understood?.decided_by === 'model')
    return found ? { kind: 'answered', text: answer } : { kind: 'declined' };
  if ((understood?.unsupported ?? 0) > 0) return { kind: 'unsupported' };
  return { kind: 'failed', why: understood?.model_failed ?? 'the model was not asked' };
}

/** Writes the notes the way of every memory; nobody but the indexes has to be told. */
function laidOut(
  notes: readonly ExaminationNote[],
  store: Store,
  index: MemoryDeps['index'],
): { account: AccountId; idOf: ReadonlyMap<string, number> } {
  const deps = unfollowed({ store, clock, index });
  return store.write((db) => {
    const account = insertAccount(db, {
      public_id: 'acc_examination',
      kind: 'machine',
      tier: 'pro',
      created_at: ASKED_AT,
    });
    createTextIndex(db, account);
    const author = { account, actor: { kind: 'system', id: 'examination' }, origin: 'local' } as const;
    const ids = notes.map((note) => writeMemory(db, deps, { author, item: itemOf(note) }).id);
    return { account, idOf: new Map(notes.map(({ key }, at) => [key, ids[at] ?? 0])) };
  });
}

function itemOf({ key, date, value }: ExaminationNote): Item {
  const at = `${date}T12:00:00.000Z`;
  return { key, value, namespace: NAMESPACE, metadata: { timestamp: at }, created_at: at, updated_at: at };
}

function noteOf({ key, date, value }: ExaminationNote, id: number): NoteToRead & { readonly value: string } {
  return { id, key, time: Date.parse(date), tags: [], text: value, value, isNew: true };
}
