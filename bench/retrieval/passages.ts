/**
 * How often what a hit shows is what answers:
 *
 *   node bench/retrieval/passages.ts [--half tune|report] [--show]
 *
 * On two sets. The notes of bench/ask/sets/open/lives with their own answers: a passage is right that has a spelling of each part of the answer. And the
 * memories of the own set, twelve to a note, plain or below a heading each: a passage is right that has half of the memory that answers, or is in it by half. The note that answers is found
 * by its tag; at which place it stands else is what bench:retrieval measures.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { importMemories } from '@reverie/shared/contract/memories/portable';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { health } from '@reverie/shared/contract/system/system';
import { z } from 'zod';

import { Asked, isRight, Note } from '../ask/judging.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { readJsonl } from './sets/jsonl.ts';

const { values: options } = parseArgs({
  options: { half: { type: 'string', default: 'tune' }, show: { type: 'boolean', default: false } },
});
if (options.half !== 'tune' && options.half !== 'report')
  throw new Error(`--half takes tune or report, not ${options.half}`);
if (options.half === 'report' && options.show) throw new Error('Of the report half no question is shown');

/** Characters of a passage at most: of shorter notes all is shown. */
const LONG = 300;
const TOGETHER = 12;

/** One question about one note, and whether a passage of it answers. */
interface Trial {
  readonly namespace: string;
  readonly key: string;
  readonly kind: string;
  readonly question: string;
  readonly isRight: (passage: { text: string; start: number; end: number }) => boolean;
}

interface Trials {
  readonly name: string;
  readonly notes: readonly Note[];
  readonly trials: readonly Trial[];
}

function lives(): Trials {
  const folder = join(import.meta.dirname, '../ask/sets/open/lives');
  const notes = readJsonl(join(folder, 'memories.jsonl'), Note);
  const trials = readJsonl(join(folder, 'questions.jsonl'), Asked).flatMap((asked): Trial[] => {
    const { namespace, kind, question, answer, evidence } = asked;
    const [key, ...others] = evidence;
    const note = notes.find((one) => one.namespace === namespace && one.key === key);
    if (!note || others.length > 0 || note.value.length <= LONG) return [];
    const says = (first: string) => isRight({ answer }, { certainty: 'sure', answer: first, first });
    // Where the answer is not written in the note as such, no passage has it.
    if (!says(note.value)) return [];
    return [{ namespace, key: note.key, kind, question, isRight: ({ text }) => says(text) }];
  });
  return { name: 'lives, notes of more than 300 characters', notes, trials };
}

const Memory = z.object({ id: z.string(), key: z.string(), value: z.string(), created_at: z.string() });
const Question = z.object({
  question: z.string(),
  kind: z.string(),
  half: z.string(),
  evidence: z.array(z.string()),
});

function joined(form: 'plain' | 'headings'): Trials {
  const folder = join(import.meta.dirname, 'own-set');
  const memories = readJsonl(join(folder, 'memories.jsonl'), Memory);
  const notes: Note[] = [];
  const places = new Map<string, { key: string; start: number; end: number }>();
  for (let at = 0; at < memories.length; at += TOGETHER) {
    const some = memories.slice(at, at + TOGETHER);
    let value = '';
    const key = `n${at / TOGETHER}`;
    for (const one of some) {
      if (value !== '') value += '\n\n';
      if (form === 'headings') value += `## ${one.key.replaceAll(/[-_/:.]+/g, ' ')}\n\n`;
      places.set(one.id, { key, start: value.length, end: value.length + one.value.length });
      value += one.value;
    }
    notes.push({ namespace: form, key, value, created_at: '2026-01-01T00:00:00Z' });
  }
  const questions = readJsonl(join(folder, 'questions.jsonl'), Question);
  const trials = questions.flatMap(({ question, kind, half, evidence }): Trial[] => {
    const place = places.get(evidence[0] ?? '');
    if (half !== options.half || evidence.length !== 1 || !place) return [];
    const isIn = ({ start, end }: { start: number; end: number }) =>
      2 * (Math.min(end, place.end) - Math.max(start, place.start)) >
      Math.min(end - start, place.end - place.start);
    return [{ namespace: form, key: place.key, kind, question, isRight: isIn }];
  });
  return { name: `own set, ${options.half} half, twelve to a note, ${form}`, notes, trials };
}

async function measured(daemon: Daemon, { name, notes, trials }: Trials): Promise<void> {
  const items = notes.map((note) => ({
    ...note,
    updated_at: note.created_at,
    metadata: { tags: [note.key] },
  }));
  await daemon.client(importMemories, { body: { items } });
  while ((await daemon.client(health, {})).indexing.pending > 0) await wait(20);
  const kinds = new Map<string, { all: number; right: number }>();
  let characters = 0;
  let byStart = 0;
  for (const { namespace, key, kind, question, isRight: right } of trials) {
    const { results } = await daemon.client(searchMemories, {
      body: { query: question, namespace, tags: [key], values: false },
    });
    const passage = results.find((hit) => hit.key === key)?.passage;
    const isFound = passage !== undefined && right(passage);
    const text =
      notes.find((one) => one.namespace === namespace && one.key === key)?.value.slice(0, LONG) ?? '';
    byStart += Number(right({ text, start: 0, end: text.length }));
    characters += passage?.text.length ?? 0;
    for (const one of [kind, 'all']) {
      const tally = kinds.get(one) ?? { all: 0, right: 0 };
      kinds.set(one, { all: tally.all + 1, right: tally.right + Number(isFound) });
    }
    if (options.show && !isFound)
      console.log(
        `- ${key} ${kind}: ${question}\n    ${passage?.text.replaceAll('\n', '\n    ') ?? 'nothing'}`,
      );
  }
  console.log(`${name}; ${(characters / trials.length).toFixed(0)} characters shown`);
  console.log(`  the first ${LONG} characters ${((100 * byStart) / trials.length).toFixed(1)}`);
  for (const [kind, { all, right }] of kinds)
    console.log(`  ${kind.padEnd(14)} ${String(all).padStart(4)}  ${((100 * right) / all).toFixed(1)}`);
}

const daemon = await startDaemon();
try {
  for (const set of [lives(), joined('plain'), joined('headings')]) await measured(daemon, set);
} finally {
  await daemon.stop();
}
