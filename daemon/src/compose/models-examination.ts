import type { AccountId } from '@reverie/shared/accounts/caller';
import type { AskReply } from '@reverie/shared/contract/ask';
import { askDeps } from './ask.ts';
import { loadMigrations } from '../db/migrations.ts';
import { openStore, type Store } from '../db/open-store.ts';
import { insertAccount } from '../features/accounts/accounts.store.ts';
import type { AskSearch, RankedHit } from '../features/ask/ports.ts';
import { verdictQuestion } from '../features/dreams/reader/prompts.ts';
import { wordsOfYes } from '../features/dreams/reader/standing-words.ts';
import type { Proposal, SheetNote } from '../features/dreams/strategies/strategy.ts';
import type { MemoryDeps } from '../features/memories/deps.ts';
import { type Item, writeMemory } from '../features/memories/memories.service.ts';
import { unfollowed } from '../features/memories/unfollowed.ts';
import type { Room } from '../features/models/examination-run.ts';
import { ASKED_AT, type ExaminationNote, type Paper } from '../features/models/examination-data.ts';
import type { ExaminationOutcome } from '../features/models/examination-marks.ts';
import { createTextIndex } from '../features/search/index.store.ts';
import { createSearch } from './search.ts';
import { createBackgroundEmbedder } from '../models/background-embedder.ts';
import type { StaticTable } from '../models/static-table.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

const NAMESPACE = 'examination';
/** One answer may take so long: a slow model is to be told from one that does not answer. */
const ANSWER_MS = 60_000;
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
  const { ask } = await import('../features/ask/ask.service.ts');
  const store = openStore({ file: ':memory:', migrations: loadMigrations(), now: clock.now });
  const index = createSearch({
    ...{ store, clock, log, table, embedder: table() },
    background: createBackgroundEmbedder({ now: clock.now }),
    reach: nothing,
  });
  const { account, idOf } = laidOut(paper.notes, store, index.index);
  const deps = askDeps({
    ...{ store, clock, ...index.ranking, facts: undefined, recalled: nothing },
    ...{ model: nothing, mayUseModel: () => true, timeoutMs: () => ANSWER_MS },
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
      const notes = new Map([older, newer].map((note, id) => [note.key, sheetNoteOf(note, id)]));
      const question = verdictQuestion('contradict', [proposalOf(older, newer)], {
        noteOf: (key) => notes.get(key),
        besideOf: () => [],
        now: ASKED_AT,
      });
      const { value } = await model.generate({ ...question, signal });
      const said = value.verdicts.find(({ id }) => id === 'p1');
      // A yes that no words of the notes show is none in a dream either.
      return said?.holds && !wordsOfYes([older.value, newer.value], said.quotes) ? undefined : said?.holds;
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
      ...{ public_id: 'acc_examination', kind: 'machine', tier: 'pro', created_at: ASKED_AT },
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

function sheetNoteOf({ key, date, value }: ExaminationNote, id: number): SheetNote {
  return { id, key, time: Date.parse(date), text: value };
}

function proposalOf(...notes: ExaminationNote[]): Proposal {
  return {
    strategy: 'contradict',
    ...{ title: '', body: '', content: '', confidence: 0.5 },
    evidence: notes.map(({ key, value }) => ({ key, sentence: value })),
  };
}
