/**
 * How often ask is right, and whether it knows how sure it is, on a set of questions over notes:
 *
 *   npm run bench:ask -- --set NAME [--show] [--beside CHECKOUT] [--model-replies FILE] [--pending FILE]
 *
 * A set is a folder of sets/open or sets/blind: memories.jsonl and questions.jsonl. Of a blind one only totals leave this program. `--beside` asks
 * the code of another checkout the same, in the same run. With `--model-replies` a language model is configured that says what it once said to the
 * same prompts; what it was never asked goes to `--pending`.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { startRecordedModel } from '../models/recorded-model.ts';
import { type Daemon, startDaemon } from '../retrieval/daemon.ts';
import { readJsonl } from '../retrieval/sets/jsonl.ts';
import { type Answered, Asked, count, emptyTally, type Kind, kinds, Note, type Tally } from './judging.ts';

const NOTHING = '{"answered": false, "sentences": [], "search": []}';
/** When all is asked. */
const NOW = '2026-11-20T09:00:00Z';

const { values: options } = parseArgs({
  options: {
    set: { type: 'string' },
    show: { type: 'boolean', default: false },
    beside: { type: 'string' },
    'model-replies': { type: 'string' },
    pending: { type: 'string' },
  },
});

const folderOf = (name: string) =>
  ['open', 'blind']
    .map((room) => join(import.meta.dirname, 'sets', room, name))
    .find((folder) => fs.existsSync(join(folder, 'questions.jsonl')));
const folder = options.set === undefined ? undefined : folderOf(options.set);
if (folder === undefined)
  throw new Error(`--set has to name a folder of sets/open or sets/blind, not ${options.set}`);
if (options.show && folder.includes('blind')) throw new Error('Of a blind set no question is shown');

/** What a reply of any version says of itself: before `certainty` there was `found` alone. */
const Reply = z.object({
  answer: z.string(),
  found: z.boolean(),
  certainty: z.enum(['sure', 'likely', 'unsure', 'none']).optional(),
  model: z.string().nullable(),
  citations: z.array(z.object({ key: z.string(), quote: z.string() })),
});

const notes = readJsonl(join(folder, 'memories.jsonl'), Note);
const questions = readJsonl(join(folder, 'questions.jsonl'), Asked);

/** What the health of any version says of what waits in the background. */
const Health = z.object({ indexing: z.record(z.string(), z.unknown()) });

/** By plain requests: the client of this checkout knows the replies of this checkout. */
async function request(daemon: Daemon, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${daemon.origin}/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function filled(daemon: Daemon): Promise<void> {
  const items = notes.map((note) => ({ ...note, updated_at: note.created_at }));
  await request(daemon, '/import', { items });
  for (;;) {
    const { indexing } = Health.parse(await request(daemon, '/healthz'));
    if (Number(indexing['pending']) + Number(indexing['facts_pending']) === 0) return;
    await wait(50);
  }
}

async function answerOf(
  daemon: Daemon,
  { kind, question, namespace }: Asked,
): Promise<Answered & { keys: string[] }> {
  const reply = await request(daemon, '/memory/ask', { question, namespace, now: NOW });
  const { answer, found, certainty, model, citations } = Reply.parse(reply);
  const whole = model !== null || kind === 'two_notes';
  return {
    certainty: certainty ?? (found ? 'likely' : 'none'),
    answer,
    first: whole ? answer : (citations[0]?.quote ?? ''),
    keys: citations.map(({ key }) => key),
  };
}

const percent = (part: number, of: number) => (of === 0 ? '–' : `${((100 * part) / of).toFixed(0)} %`);
const answerable = (kind: Kind) => kind !== 'near' && kind !== 'nowhere';

function report(name: string, tallies: ReadonlyMap<Kind, Tally>): void {
  console.log(`\n${name}`);
  const sum = (some: readonly Kind[], of: (tally: Tally) => number) =>
    some.reduce((all, kind) => all + of(tallies.get(kind) ?? emptyTally()), 0);
  for (const [kind, { asked, right, none, said }] of tallies) {
    const asserted = said.sure.all + said.likely.all;
    const share = answerable(kind)
      ? `right ${percent(right, asked)}`
      : `asserted ${percent(asserted, asked)}`;
    console.log(
      `  ${kind.padEnd(10)} ${String(asked).padStart(3)}  ${share.padEnd(14)}  sure ${said.sure.right}/${said.sure.all}` +
        `  likely ${said.likely.right}/${said.likely.all}  unsure ${said.unsure.right}/${said.unsure.all}  none ${none}`,
    );
  }
  const yes = kinds.filter(answerable);
  const all = [...kinds];
  const surely = sum(all, ({ said }) => said.sure.all);
  const asserted = sum(all, ({ said }) => said.sure.all + said.likely.all);
  console.log(
    `  of sure answers ${percent(
      sum(all, ({ said }) => said.sure.right),
      surely,
    )} right; ` +
      `${percent(
        sum(yes, ({ said }) => said.sure.all),
        sum(yes, ({ asked }) => asked),
      )} of what is answerable is sure; ` +
      `answerable declined ${percent(
        sum(yes, ({ none }) => none),
        sum(yes, ({ asked }) => asked),
      )}; ` +
      `of what is asserted ${percent(
        sum(all, ({ said }) => said.sure.right + said.likely.right),
        asserted,
      )} right`,
  );
}

async function measured(
  name: string,
  { bin, env }: { bin?: string; env: Record<string, string> },
): Promise<void> {
  const daemon = await startDaemon(env, bin);
  try {
    await filled(daemon);
    const tallies = new Map(kinds.map((kind) => [kind, emptyTally()]));
    for (const question of questions) {
      const answered = await answerOf(daemon, question);
      const tally = tallies.get(question.kind) ?? emptyTally();
      const right = count(tally, question, answered);
      if (!options.show) continue;
      const mark = right ? '+' : answerable(question.kind) ? '-' : answered.certainty === 'none' ? '+' : '!';
      console.log(`${mark} ${question.id} ${question.kind} ${answered.certainty}: ${question.question}`);
      console.log(
        `    wanted ${JSON.stringify(question.answer)} of ${question.evidence.join(', ')}; said ${answered.keys.join(', ')}`,
      );
      console.log(`    ${answered.answer.replaceAll('\n', '\n    ')}`);
    }
    report(name, tallies);
  } finally {
    await daemon.stop();
  }
}

const model =
  options['model-replies'] === undefined
    ? undefined
    : await startRecordedModel({ file: options['model-replies'], otherwise: () => NOTHING });
const env: Record<string, string> = model
  ? { REVERIE_LLM_BASE_URL: model.baseUrl, REVERIE_LLM_MODEL: 'recorded' }
  : {};
console.log(`${options.set}: ${notes.length} notes, ${questions.length} questions`);
await measured(model ? 'this code, with a model' : 'this code', { env });
if (options.beside !== undefined)
  await measured(`the code at ${options.beside}`, {
    bin: join(options.beside, 'daemon/bin/reverie.cjs'),
    env,
  });
if (model) {
  console.log(`\nmodel: ${model.counts.answered} replies from the record, ${model.counts.missing} missing`);
  if (options.pending !== undefined)
    fs.writeFileSync(
      options.pending,
      model
        .pending()
        .map((line) => `${line}\n`)
        .join(''),
    );
  await model.stop();
}
