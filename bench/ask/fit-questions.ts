import { join } from 'node:path';

import { z } from 'zod';

import { askMemories, askSearch } from '../../daemon/src/compose/ask.ts';
import { loadMigrations } from '../../daemon/src/db/migrations.ts';
import { openStore, type Store } from '../../daemon/src/db/open-store.ts';
import { findMachineAccount } from '../../daemon/src/features/accounts/accounts.store.ts';
import { lookFor } from '../../daemon/src/features/ask/ask.service.ts';
import { createYielding } from '../../daemon/src/platform/yielding.ts';
import { conceptNamer } from '../../daemon/src/features/ask/question/named-concepts.ts';
import { createLikeness } from '../../daemon/src/features/ask/reading/likeness.ts';
import type { AskState } from '../../daemon/src/features/ask/state.ts';
import { createFrequencies } from '../../daemon/src/features/search/frequencies.ts';
import { createMeanings } from '../../daemon/src/features/search/meanings.ts';
import { createSegments } from '../../daemon/src/features/search/segments.ts';
import { createSpelling } from '../../daemon/src/features/search/spelling/spelling.ts';
import { loadTagWords } from '../../daemon/src/language/parts-of-speech.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';
import { startTestDaemon } from '../../daemon/src/testing.ts';
import type { Batch, Item, Question } from '../retrieval/benchmark.ts';
import { fillDaemon } from '../retrieval/endpoints.ts';
import { readJsonl } from '../retrieval/jsonl.ts';
import { ownSet } from '../retrieval/own-set.ts';
import { Asked, Note } from './judging.ts';

/** Where questions are from; each is left out of a fit once. */
export const sources = ['own set, tune half', 'near-misses', 'near-misses-2', 'open'] as const;
export type Source = (typeof sources)[number];

/** A question with what the stages found. */
export interface Seen {
  question: About;
  source: Source;
  /** What it is about: questions of one memory are left out of a fit together. */
  group: string;
  state: AskState;
}

type About = Question & {
  readonly about?: string;
  readonly answer?: readonly (readonly string[])[];
  readonly old?: readonly string[] | undefined;
};
type AboutBatch = Omit<Batch, 'questions'> & { readonly questions: readonly About[] };

const folder = join(import.meta.dirname, '../calibration');
const OFF_TOPIC = 'off topic';
const Pair = z.object({ kind: z.string().optional(), q: z.string().optional(), m: z.string() });
const NearMiss = z.object({
  id: z.string(),
  question: z.string(),
  about: z.string().nullable(),
  answered: z.boolean(),
});
const Noted = z.object({ key: z.string(), value: z.string(), created_at: z.iso.datetime() });

/** Whether a question has to do with nothing in memory. */
export function isOffTopic({ kind }: Question): boolean {
  return kind === OFF_TOPIC;
}

/** Whether a question was written for other memories than the ones that it is asked about. */
export function isFromElsewhere({ id }: Question): boolean {
  return id.startsWith(ELSEWHERE);
}
const ELSEWHERE = 'elsewhere/';

/** Some questions that memories of another source answer: here they have to do with nothing. */
function fromElsewhere(questions: readonly About[], isWanted: (at: number) => boolean): About[] {
  return questions
    .filter(({ unanswerable }, at) => !unanswerable && isWanted(at))
    .map((question) => ({
      ...{ ...question, id: `${ELSEWHERE}${question.id}`, kind: OFF_TOPIC },
      ...{ evidence: [], unanswerable: true, about: question.id },
    }));
}

function nearMisses(file: string, keyOf: (about: string) => string): About[] {
  return readJsonl(join(folder, file), NearMiss).map(({ id, question: text, about, answered }) => {
    const kind = about === null || about === 'nothing' ? OFF_TOPIC : 'calibration';
    const evidence = answered && about ? [keyOf(about)] : [];
    const question = { id, text, kind, evidence, sessions: [], about: about ? keyOf(about) : id };
    return answered ? question : { ...question, unanswerable: true };
  });
}

/** The memories of ../calibration with its questions, those of a keyword or three left out, and the near misses. */
function firstNearMisses(): AboutBatch {
  const files = { pairs: 'pairs.jsonl', haystack: 'haystack.jsonl' };
  // Keys that say nothing, as they are made where none is given.
  const keyOf = (about: string) => `mem_${about.replace(':', '').toLowerCase().padStart(26, '0')}`;
  const items: Item[] = [];
  const questions: About[] = [];
  for (const [name, file] of Object.entries(files)) {
    for (const [at, { kind, q = '', m }] of readJsonl(join(folder, file), Pair).entries()) {
      const key = keyOf(`${name}:${at}`);
      items.push({ key, value: m, metadata: {}, created_at: '2026-11-01T00:00:00Z' });
      if (name === 'pairs' && kind !== 'keyword' && q.split(' ').length > 3)
        questions.push({ id: `c${at}`, text: q, kind: 'calibration', evidence: [key], sessions: [] });
    }
  }
  questions.push(...nearMisses('near-misses.jsonl', keyOf));
  return { namespace: 'near-misses', items, questions };
}

/** The memories that were written for near misses, and the questions about them. */
function secondNearMisses(): AboutBatch {
  const items = readJsonl(join(folder, 'near-misses-2-memories.jsonl'), Noted);
  return {
    namespace: 'near-misses-2',
    items: items.map((item) => ({ ...item, metadata: {} })),
    questions: nearMisses('near-misses-2.jsonl', (about) => about),
  };
}

/** The open set of bench/ask, a batch a life. */
function openLives(): AboutBatch[] {
  const folder = join(import.meta.dirname, 'sets/open/lives');
  const notes = readJsonl(join(folder, 'memories.jsonl'), Note);
  const asked = readJsonl(join(folder, 'questions.jsonl'), Asked);
  return [...new Set(notes.map(({ namespace }) => namespace))].map((namespace) => ({
    namespace,
    items: notes.filter((note) => note.namespace === namespace).map((note) => ({ ...note, metadata: {} })),
    questions: asked
      .filter((one) => one.namespace === namespace)
      .map(({ id, question, kind, evidence, answer, old }) => ({
        ...{
          id,
          text: question,
          kind: kind === 'nowhere' ? OFF_TOPIC : kind,
          evidence,
          sessions: [],
          answer,
          old,
        },
        ...(evidence.length === 0 && { unanswerable: true }),
      })),
  }));
}

/** Has a daemon store the memories of all sources and looks for each question; nothing of the report half is asked. */
export async function seenQuestions(): Promise<Seen[]> {
  const daemon = await startTestDaemon();
  let store: Store | undefined;
  try {
    const [first, second] = [firstNearMisses(), secondNearMisses()];
    const batches: AboutBatch[] = [...ownSet().batches, first, second, ...openLives()];
    for (const batch of batches) await fillDaemon({ client: daemon.call }, batch);
    store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
    const account = store.read(findMachineAccount)?.id;
    if (account === undefined) throw new Error('There is no account of the machine');
    const deps = lookingDeps(store);
    const seen: Seen[] = [];
    for (const [at, { namespace, questions }] of batches.entries()) {
      const source = sources[Math.min(at, 3)] ?? 'open';
      const others =
        at > 2
          ? []
          : at === 0
            ? [...first.questions.filter(isOffTopic), ...fromElsewhere(second.questions, (n) => n % 6 === 1)]
            : at === 1
              ? fromElsewhere(second.questions, (n) => n % 6 === 3)
              : fromElsewhere(first.questions, () => true);
      for (const question of [...questions, ...others].filter(({ half }) => half !== 'report')) {
        const now = new Date(question.now ?? '2026-11-20T12:00:00Z');
        const scope = { account, namespace, asOf: undefined };
        const { state } = await lookFor(
          { ...deps, yieldToOthers: createYielding() },
          { scope, text: question.text, now },
        );
        const group = question.about ?? question.evidence[0] ?? question.id;
        seen.push({ question, source, group, state });
      }
    }
    return seen;
  } finally {
    store?.close();
    await daemon.stop();
  }
}

function lookingDeps(store: Store) {
  const table = loadStaticTable();
  const meanings = createMeanings(() => table);
  const indexes = {
    embedder: table,
    segments: createSegments(table),
    meanings,
    frequencies: createFrequencies(),
    spelling: createSpelling((word) => table.words.row(word) >= 0),
  };
  return {
    memories: askMemories({ store }),
    search: askSearch({ store, ...indexes }),
    facts: undefined,
    tagger: loadTagWords,
    elapsed: () => performance.now(),
    likeness: createLikeness(table),
    vectors: table,
    nameConcepts: conceptNamer(meanings),
    model: undefined,
    signal: new AbortController().signal,
  };
}
