/**
 * How often a misspelt word finds the memories that have it, and what plain words lose by it, through the daemon's HTTP API:
 *
 *   npm run bench:misspelt -- [--seed 1] [--verbose]
 *
 * Thirty words were misspelt by hand (own-set/misspelt.jsonl), seventy are by a rule with a seed: a letter changed, missing, added or
 * swapped anywhere in a word of the own set's memories; two in every third word of nine letters or more. Each is asked alone, among
 * the 5,200 memories of the paraphrase probe.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { searchMemories } from '@reverie/shared/contract/search/search';
import { z } from 'zod';

import { stem } from '../../daemon/src/language/words/porter.ts';
import { randomFrom } from '../latency/corpus.ts';
import type { Item } from './benchmark.ts';
import { startDaemon } from './daemon.ts';
import { fillDaemon } from './endpoints.ts';
import { readJsonl } from './sets/jsonl.ts';
import { ownMemories } from './sets/own-set.ts';
import { paraphraseProbe } from './probe.ts';

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, verbose: { type: 'boolean', default: false } },
});

const Misspelt = z.strictObject({ written: z.string(), meant: z.string() });
type Misspelt = z.infer<typeof Misspelt>;

const BY_RULE = 70;
const FIRST = 5;
/** Memories that may have a word: more than are looked at would make it too easy. */
const MOST_MEMORIES = 5;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The words of texts, in small letters, and the keys of those that have each, in any form: search knows words by their stems. */
function wordsOf(items: readonly Item[]): Map<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  const byStem = new Map<string, Set<string>>();
  for (const { key, value } of items)
    for (const [word] of value.toLowerCase().matchAll(/\p{L}+/gu)) {
      const keys = byStem.get(stem(word)) ?? new Set();
      byStem.set(stem(word), keys.add(key));
      words.set(word, keys);
    }
  return words;
}

/** A word with one letter changed, missing, added or swapped with the next. */
function withMistake(word: string, random: () => number): string {
  const upTo = (count: number) => Math.floor(random() * count);
  const letter = LETTERS.charAt(upTo(LETTERS.length));
  const at = upTo(word.length);
  const [before, here, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  switch (upTo(4)) {
    case 0:
      return before + letter + after;
    case 1:
      return before + after;
    case 2:
      return before + letter + here + after;
    default:
      return before + after.charAt(0) + here + after.slice(1);
  }
}

/** Words of the own set's memories, misspelt by the rule. */
function byRule(known: ReadonlyMap<string, ReadonlySet<string>>, random: () => number): Misspelt[] {
  const words = [...wordsOf(ownMemories()).keys()].filter(
    (word) => /^[a-z]{4,}$/.test(word) && (known.get(word)?.size ?? 0) <= MOST_MEMORIES,
  );
  const made: Misspelt[] = [];
  const meant = new Set<string>();
  while (made.length < BY_RULE) {
    const word = words[Math.floor(random() * words.length)] ?? '';
    const once = withMistake(word, random);
    const written = word.length >= 9 && random() < 1 / 3 ? withMistake(once, random) : once;
    if (known.has(written) || written.length < 4 || meant.has(word)) continue;
    meant.add(word);
    made.push({ written, meant: word });
  }
  return made;
}

const [batch] = [...paraphraseProbe().batches];
if (!batch) throw new Error('The probe has no memories');
const known = wordsOf(batch.items);
const byHand = readJsonl(join(import.meta.dirname, 'own-set/misspelt.jsonl'), Misspelt);
const groups = { 'by hand': byHand, 'by rule': byRule(known, randomFrom(Number(options.seed))) };

const daemon = await startDaemon();
try {
  await fillDaemon(daemon, batch);
  const ask = async (query: string) => {
    const body = { query, namespace: batch.namespace, limit: FIRST, explain: true };
    const { results, understood } = await daemon.client(searchMemories, { body });
    return { results, understood, ms: daemon.lastServerMs() };
  };
  await ask('warm');
  const all = { found: 0, right: 0, of: 0 };
  const times: Record<'written' | 'meant', number[]> = { written: [], meant: [] };
  for (const [name, misspelt] of Object.entries(groups)) {
    let [found, right] = [0, 0];
    for (const { written, meant } of misspelt) {
      const evidence = known.get(meant.toLowerCase());
      if (!evidence) throw new Error(`No memory has the word ${meant}`);
      const isFound = ({ results }: Awaited<ReturnType<typeof ask>>) =>
        results.some(({ key }) => evidence.has(key));
      const asked = await ask(written);
      const askedRight = await ask(meant);
      times.written.push(asked.ms);
      times.meant.push(askedRight.ms);
      if (isFound(asked)) found += 1;
      if (isFound(askedRight)) right += 1;
      const readAs = asked.understood?.corrected?.flatMap(({ read_as }) => read_as).join(', ') ?? '-';
      if (options.verbose || !isFound(asked))
        process.stdout.write(`  ${isFound(asked) ? 'found ' : 'missed'} ${written} (${meant}): ${readAs}\n`);
    }
    process.stdout.write(`${name}: ${found} of ${misspelt.length} found; spelt right: ${right}\n`);
    all.found += found;
    all.right += right;
    all.of += misspelt.length;
  }
  const at = (from: readonly number[], share: number) =>
    [...from].sort((a, b) => a - b)[Math.floor(share * from.length)]?.toFixed(1) ?? '';
  const both = (from: readonly number[]) => `p50 ${at(from, 0.5)}, p95 ${at(from, 0.95)} ms`;
  process.stdout.write(
    `all: ${all.found} of ${all.of} found among the first ${FIRST}; spelt right: ${all.right}\n` +
      `server: misspelt ${both(times.written)}; spelt right ${both(times.meant)}\n`,
  );
} finally {
  await daemon.stop();
}
