/**
 * What ask is worth with a language model, by what a real model once said:
 *
 *   node bench/retrieval/with-model.ts --half tune|report --replies FILE [--pending FILE] [--sample N] [--looks 1]
 *
 * Fills a daemon with the own set, configures a server that replays the replies, and asks the questions of a half, each with its `now`:
 * all, or with `--sample` those that nothing answers and N of the others, evenly over their kinds. `--pending` writes the prompts that
 * have no reply yet as lines of JSON (`id`, `system`, `prompt`); a reply is a line with its `id` and the model's text as `reply`. A
 * question that the model cannot answer is looked for in its words and asked once more, so that recording takes two rounds; with
 * `--looks 1` there is only the first. `--output` writes each answer of the tune half.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { askMemory, type AskReply } from '@reverie/shared/contract/ask';
import { health } from '@reverie/shared/contract/system';
import { z } from 'zod';

import { startRecordedModel } from '../models/recorded-model.ts';
import type { Question } from './benchmark.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { fillDaemon } from './endpoints.ts';
import { readJsonl } from './jsonl.ts';
import { ownSet } from './own-set.ts';
import { reportOf, sampleOf } from './with-model-report.ts';

const NOTHING = '{"answered": false, "sentences": [], "search": []}';
const FACTS_LIMIT_MS = 120_000;

const { values: options } = parseArgs({
  options: {
    half: { type: 'string' },
    replies: { type: 'string' },
    pending: { type: 'string' },
    sample: { type: 'string' },
    looks: { type: 'string', default: '2' },
    output: { type: 'string' },
  },
});
const { half, replies } = options;
if ((half !== 'tune' && half !== 'report') || replies === undefined)
  throw new Error('--half tune|report and --replies FILE have to be given');
if (options.output !== undefined && half === 'report')
  throw new Error('Of the report half no question is shown alone');

/** The replies, without what they would look for. */
function withoutSearch(file: string, folder: string): string {
  const lines = readJsonl(file, z.object({ id: z.string(), reply: z.string() })).map(({ id, reply }) => ({
    id,
    reply: JSON.stringify({ ...(JSON.parse(reply) as object), search: [] }),
  }));
  const copy = path.join(folder, 'replies.jsonl');
  fs.writeFileSync(copy, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return copy;
}

/** Facts bring candidates, and candidates make the prompt. */
async function factsFound({ client }: Daemon): Promise<void> {
  const until = performance.now() + FACTS_LIMIT_MS;
  while ((await client(health, {})).indexing.facts_pending > 0) {
    if (performance.now() > until) throw new Error('Facts were still missing after two minutes');
    await wait(50);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const [batch] = ownSet().batches;
if (!batch) throw new Error('The own set is empty');
const { namespace, questions } = batch;
const ofHalf = questions.filter((question) => question.half === half);
const asked = options.sample === undefined ? ofHalf : sampleOf(ofHalf, Number(options.sample));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-with-model-'));
const model = await startRecordedModel({
  file: options.looks === '1' ? withoutSearch(replies, folder) : replies,
  otherwise: () => NOTHING,
});
const daemon = await startDaemon({ REVERIE_LLM_BASE_URL: model.baseUrl, REVERIE_LLM_MODEL: 'recorded' });
try {
  await fillDaemon(daemon, batch);
  await factsFound(daemon);
  const answered: { question: Question; reply: AskReply }[] = [];
  for (const question of asked) {
    const { text, now } = question;
    const body = { question: text, namespace, explain: true, ...(now !== undefined && { now }) };
    answered.push({ question, reply: await daemon.client(askMemory, { body }) });
  }
  process.stdout.write(reportOf(answered, model.counts));
  if (options.pending !== undefined)
    fs.writeFileSync(
      options.pending,
      model
        .pending()
        .map((line) => `${line}\n`)
        .join(''),
    );
  if (options.output !== undefined)
    fs.writeFileSync(options.output, answered.map((one) => `${JSON.stringify(one)}\n`).join(''));
} finally {
  await daemon.stop();
  await model.stop();
  fs.rmSync(folder, { recursive: true });
}
