/**
 * What the check of quotes makes of recorded replies: how many of their sentences are kept, how many of those are told as likely only,
 * how many are dropped.
 *
 *   npm run bench:ask -- --set five-lives --model-replies /dev/null --pending prompts.jsonl
 *   node bench/ask/borne-out.ts --prompts prompts.jsonl[,FILE] --replies bench/ask/replies/invented.jsonl
 *
 * Replies may have a `kind`, by which they are counted, too. Nothing is shown of any sentence: the sets are blind.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import {
  goesBeyond,
  type GivenQuote,
  isBorneOut,
  type QuotedNote,
} from '../../daemon/src/language/borne-out/borne-out.ts';
import { loadTagWords } from '../../daemon/src/language/parts-of-speech.ts';
import { readJsonl } from '../retrieval/jsonl.ts';

const Prompt = z.object({ id: z.string(), prompt: z.string() });
const Recorded = z.object({ id: z.string(), kind: z.number().optional(), reply: z.string() });
const Said = z.object({
  answered: z.boolean(),
  sentences: z.array(
    z.object({ text: z.string(), quotes: z.array(z.object({ note: z.int(), words: z.string() })) }),
  ),
});

const { values: options } = parseArgs({
  options: { prompts: { type: 'string' }, replies: { type: 'string' } },
});
if (options.prompts === undefined || options.replies === undefined)
  throw new Error('--prompts FILE[,FILE] and --replies FILE have to be given');

/** The notes and the question of a prompt, as `composing.ts` writes it. */
function readPrompt(prompt: string): { notes: QuotedNote[]; question: string } {
  const end = prompt.lastIndexOf('\n\nToday is ');
  const notes = prompt
    .slice(0, end)
    .split(/\n(?=\[\d+\] )/u)
    .map((note) => {
      const [, about = '', text = ''] = /^\[\d+\] (.*?): ([\s\S]*)$/u.exec(note) ?? [];
      const time = Date.parse(`${about.split(',')[0] ?? ''} UTC`);
      return { about, text: text.replaceAll('\n    ', '\n'), time };
    });
  return { notes, question: /\nQuestion: ([\s\S]*)$/u.exec(prompt.slice(end))?.[1] ?? '' };
}

const prompts = new Map(
  options.prompts
    .split(',')
    .flatMap((file) => readJsonl(file, Prompt))
    .map(({ id, prompt }) => [id, prompt]),
);
const tagWords = await loadTagWords();
const counts = new Map<string, { sure: number; likely: number; dropped: number }>();
let missing = 0;
for (const { id, kind, reply } of readJsonl(options.replies, Recorded)) {
  const prompt = prompts.get(id);
  if (prompt === undefined) missing += 1;
  const said = Said.parse(JSON.parse(reply));
  if (prompt === undefined || !said.answered) continue;
  const { notes, question } = readPrompt(prompt);
  for (const { text, quotes: given } of said.sentences) {
    const quotes = given.flatMap(({ note, words }): GivenQuote[] => {
      const from = notes[note - 1];
      return from ? [{ note: from, words }] : [];
    });
    const isKept = quotes.length === given.length && isBorneOut(text, quotes, { question, tagWords });
    const outcome = !isKept ? 'dropped' : goesBeyond(text, quotes) ? 'likely' : 'sure';
    for (const name of ['all', ...(kind === undefined ? [] : [`kind ${kind}`])]) {
      const count = counts.get(name) ?? { sure: 0, likely: 0, dropped: 0 };
      count[outcome] += 1;
      counts.set(name, count);
    }
  }
}
for (const [name, { sure, likely, dropped }] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
  console.log(
    `${name}: ${sure + likely + dropped} sentences, ${dropped} dropped, ${likely} likely, ${sure} sure`,
  );
if (missing > 0) console.log(`${missing} replies without their prompt`);
