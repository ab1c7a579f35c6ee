/**
 * How well sessions are searched: 200 sessions of 50 entries, in 60 of which somebody said what one of 60 questions asks for (`said.jsonl`),
 * beside plain BM25 over the same entries in the same run; and what ask makes of the same questions and of 20 that nothing answers
 * (`unsaid.jsonl`), with memories that answer none of them. Seeded: the same entries each time.
 */
import path from 'node:path';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { addEntries, createSession, searchSessions } from '@reverie/shared/contract/sessions/sessions';
import { z } from 'zod';
import { startTestDaemon } from '../../daemon/src/testing.ts';
import { randomFrom } from '../latency/corpus.ts';
import { quantile } from '../latency/statistics.ts';
import { bareFts } from '../retrieval/bare-fts.ts';
import { readJsonl } from '../retrieval/sets/jsonl.ts';
import { entriesOf, titleOf } from './talk.ts';

const SESSIONS = 200;
const ENTRIES = 50;
const NAMESPACE = 'work';

const said = readJsonl(
  path.join(import.meta.dirname, 'said.jsonl'),
  z.object({ kind: z.enum(['prompt', 'answer', 'tool_result']), said: z.string(), question: z.string() }),
);
const unsaid = readJsonl(path.join(import.meta.dirname, 'unsaid.jsonl'), z.object({ question: z.string() }));

const random = randomFrom(20);
const daemon = await startTestDaemon();
const texts: { key: string; value: string }[] = [];
/** The entry that answers each question. */
const answers = new Map<string, string>();
for (let at = 0; at < SESSIONS; at += 1) {
  const { id } = await daemon.call(createSession, {
    body: { agent: 'claude-code', title: titleOf(random), namespace: NAMESPACE },
  });
  const entries = entriesOf(random, ENTRIES);
  // Every third session or so has one of the sentences, in the middle of an entry.
  const wanted = at % 3 === 0 ? said[at / 3] : undefined;
  const place = 5 + Math.floor(random() * (ENTRIES - 10));
  const host = entries[place];
  if (wanted && host)
    entries[place] = {
      kind: wanted.kind,
      text: `${host.text} ${wanted.said} ${entriesOf(random, 1)[0]?.text}`,
    };
  const { ids } = await daemon.call(addEntries, { params: { id }, body: { entries } });
  for (const [n, key] of ids.entries()) texts.push({ key, value: entries[n]?.text ?? '' });
  if (wanted) answers.set(wanted.question, ids[place] ?? '');
}
for (let at = 0; at < 300; at += 1)
  await daemon.call(setMemory, {
    body: { key: `note-${at}`, namespace: NAMESPACE, value: entriesOf(random, 1)[0]?.text ?? '' },
  });

const bare = bareFts('BM25', { stopWords: 'out' });
const batch = {
  items: texts.map((text) => ({ ...text, metadata: {} })),
  namespace: NAMESPACE,
  questions: [],
};
await bare.fill(batch);

/** At which place each question's entry was found, from 0; -1 where it was not. */
interface Run {
  places: number[];
  ms: number[];
}
const runs = {
  sessions: newRun(),
  BM25: newRun(),
  'memory-search, memories': newRun(),
  'memory-search, both': newRun(),
};
function newRun(): Run {
  return { places: [], ms: [] };
}
async function timed<T>(run: Run, act: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const reply = await act();
  run.ms.push(performance.now() - from);
  return reply;
}

for (const { question } of said.slice(0, 5)) await daemon.call(searchSessions, { query: { q: question } });
for (const { question } of said) {
  const key = answers.get(question);
  const { hits } = await timed(runs.sessions, () =>
    daemon.call(searchSessions, { query: { q: question, namespace: NAMESPACE } }),
  );
  runs.sessions.places.push(hits.findIndex(({ entry }) => entry === key));
  const found = await timed(runs.BM25, () =>
    bare.ask({ text: question, limit: 10, namespace: NAMESPACE, now: undefined }),
  );
  runs.BM25.places.push(found.hits.findIndex((hit) => hit.key === key));
  const body = { query: question, namespace: NAMESPACE };
  await timed(runs['memory-search, memories'], () => daemon.call(searchMemories, { body }));
  const both = await timed(runs['memory-search, both'], () =>
    daemon.call(searchMemories, { body: { ...body, sources: ['memories', 'sessions'] } }),
  );
  runs['memory-search, both'].places.push((both.sessions ?? []).findIndex(({ entry }) => entry === key));
}

const share = (run: Run, within: number) =>
  `${run.places.filter((place) => place >= 0 && place < within).length} of ${run.places.length}`;
const percentile = ({ ms }: Run, of: number) => `${quantile(ms, of).toFixed(1)} ms`;
console.log(`${texts.length} entries in ${SESSIONS} sessions, ${said.length} questions`);
for (const [name, run] of Object.entries(runs)) {
  const found = run.places.length > 0 ? `any@1 ${share(run, 1)}, any@5 ${share(run, 5)}, ` : '';
  console.log(`${name}: ${found}p50 ${percentile(run, 0.5)}, p95 ${percentile(run, 0.95)}`);
}

for (const [name, questions] of [
  ['answered by a session', said],
  ['answered by nothing', unsaid],
] as const) {
  const counts = new Map<string, { all: number; right: number }>();
  const alone = new Map<string, number>();
  for (const { question } of questions) {
    const { certainty, citations } = await daemon.call(askMemory, {
      body: { question, namespace: NAMESPACE, sources: ['memories', 'sessions'] },
    });
    const before = await daemon.call(askMemory, { body: { question, namespace: NAMESPACE } });
    alone.set(before.certainty, (alone.get(before.certainty) ?? 0) + 1);
    const cited = citations.find(({ session }) => session !== undefined)?.session?.entry;
    const count = counts.get(certainty) ?? { all: 0, right: 0 };
    count.all += 1;
    if (cited !== undefined && cited === answers.get(question)) count.right += 1;
    counts.set(certainty, count);
  }
  const told = [...counts].map(
    ([certainty, { all, right }]) => `${certainty} ${all} (${right} quote the entry)`,
  );
  console.log(`of memories alone: ${[...alone].map((one) => one.join(' ')).join(', ')}`);
  console.log(`ask, ${questions.length} questions ${name}: ${told.join(', ')}`);
}
await bare.empty(batch);
await daemon.stop();
