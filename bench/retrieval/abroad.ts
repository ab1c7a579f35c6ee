/**
 * How well notes in one language are found, and questions about them answered, in another one; and in the same, beside English:
 *
 *   npm run bench:abroad -- --set dev|held [--show] [--beside CHECKOUT] [--model-replies FILE] [--pending FILE]
 *
 * The sets were written without sight of code or dictionary (abroad/README.md). Of `held` only totals are printed. `--beside` asks the code of another checkout the
 * same, in the same run. With `--model-replies` a language model is configured that says what it once said to the same prompts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startRecordedModel } from '../models/recorded-model.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { readJsonl } from './sets/jsonl.ts';

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'dev' },
    show: { type: 'boolean', default: false },
    beside: { type: 'string' },
    'model-replies': { type: 'string' },
    pending: { type: 'string' },
  },
});
if (options.show && options.set === 'held') throw new Error('Of the held set no question is shown');
const folder = join(import.meta.dirname, 'abroad', options.set);

const Note = z.object({ id: z.string(), lang: z.string(), text: z.string() });
const Asked = z.object({
  id: z.string(),
  lang: z.string(),
  kind: z.enum(['abroad', 'across', 'unanswerable', 'within']),
  text: z.string(),
  notes: z.array(z.string()),
  answer: z.array(z.string()),
});
type Asked = z.infer<typeof Asked>;
const Reply = z.object({
  answer: z.string(),
  certainty: z.enum(['sure', 'likely', 'unsure', 'none']),
  citations: z.array(z.object({ key: z.string() })),
});
const Hits = z.object({ results: z.array(z.object({ key: z.string() })) });

const notes = readJsonl(join(folder, 'notes.jsonl'), Note);
const questions = [
  ...readJsonl(join(folder, 'questions.jsonl'), Asked),
  ...readJsonl(join(folder, 'within.jsonl'), Asked),
];
const NOTHING = '{"answered": false, "sentences": [], "search": []}';
/** When all was stored: what a model was asked holds on another day, too. */
const STORED = { created_at: '2026-11-01T09:00:00Z', updated_at: '2026-11-01T09:00:00Z' };
/** When all is asked. */
const NOW = '2026-11-20T09:00:00Z';

/** In small letters, without accents and blanks beside signs: "1.200 €" is "1.200€". */
function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .replace(/\s+/gu, ' ');
}

interface Result {
  asked: Asked;
  place: number;
  certainty: z.infer<typeof Reply>['certainty'];
  isRight: boolean;
  answer: string;
  ms: number;
}

async function call(daemon: Daemon, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${daemon.origin}/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${daemon.key}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function run(bin?: string): Promise<Result[]> {
  const file = options['model-replies'];
  const model = file === undefined ? undefined : await startRecordedModel({ file, otherwise: () => NOTHING });
  const daemon = await startDaemon(
    model ? { REVERIE_LLM_BASE_URL: model.baseUrl, REVERIE_LLM_MODEL: 'recorded' } : {},
    bin,
  );
  try {
    const memories = notes.map(({ id, text }) => ({ key: id, value: text, namespace: 'default', ...STORED }));
    for (let at = 0; at < memories.length; at += 100)
      await call(daemon, '/import', { items: memories.slice(at, at + 100) });
    const results: Result[] = [];
    for (const asked of questions) {
      const from = performance.now();
      const hits = Hits.parse(await call(daemon, '/memory-search', { query: asked.text, limit: 10 }));
      const ms = performance.now() - from;
      const reply = Reply.parse(await call(daemon, '/memory/ask', { question: asked.text, now: NOW }));
      const said = folded(reply.answer);
      results.push({
        asked,
        ms,
        certainty: reply.certainty,
        answer: reply.answer,
        place: hits.results.findIndex(({ key }) => asked.notes.includes(key)) + 1,
        isRight: asked.answer.some((answer) => said.includes(folded(answer))),
      });
    }
    if (model)
      console.log(`model: ${model.counts.answered} replies from the record, ${model.counts.missing} missing`);
    if (model && options.pending !== undefined)
      writeFileSync(
        options.pending,
        model
          .pending()
          .map((line) => `${line}\n`)
          .join(''),
      );
    return results;
  } finally {
    await daemon.stop();
    await model?.stop();
  }
}

const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} % (${part} of ${whole})`;

function tell(title: string, results: readonly Result[]): void {
  console.log(`\n${title}`);
  const answerable = results.filter(({ asked }) => asked.notes.length > 0);
  const search = (some: readonly Result[]) =>
    `first ${share(some.filter(({ place }) => place === 1).length, some.length)}, in five ${share(some.filter(({ place }) => place > 0 && place <= 5).length, some.length)}`;
  const right = (some: readonly Result[]) => share(some.filter(({ isRight }) => isRight).length, some.length);
  for (const kind of ['abroad', 'across', 'within'] as const) {
    const some = answerable.filter(({ asked }) => asked.kind === kind);
    console.log(`${kind}: search ${search(some)}; ask right ${right(some)}`);
  }
  const both = answerable.filter(({ asked }) => asked.kind !== 'within');
  console.log(`abroad and across: search ${search(both)}; ask right ${right(both)}`);
  for (const certainty of ['sure', 'likely', 'unsure'] as const)
    console.log(`  ${certainty}: ${right(both.filter((one) => one.certainty === certainty))} right`);
  const none = results.filter(({ asked }) => asked.kind === 'unanswerable');
  const asserted = none.filter(({ certainty }) => certainty === 'sure' || certainty === 'likely');
  console.log(`unanswerable: asserted ${share(asserted.length, none.length)}`);
  const within = answerable.filter(({ asked }) => asked.kind === 'within');
  for (const lang of [...new Set(within.map(({ asked }) => asked.lang))]) {
    const some = within.filter(({ asked }) => asked.lang === lang);
    console.log(`  within ${lang}: search ${search(some)}; ask right ${right(some)}`);
  }
  if (!options.show) return;
  for (const { asked, place, certainty, isRight, answer } of results)
    console.log(
      `${isRight ? '+' : '-'} ${asked.id} ${asked.kind} ${asked.lang} place ${place} ${certainty}: ${asked.text}\n    ${answer.replaceAll('\n', ' ')}`,
    );
}

if (options.beside !== undefined)
  tell(`${options.beside}, ${options.set}`, await run(join(options.beside, 'daemon/bin/reverie.cjs')));
tell(`here, ${options.set}`, await run());
