import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  acceptInsight,
  type DreamJob,
  dreamStatus,
  type Insight,
  insightStates,
  type InsightState,
  listInsights,
  rejectInsight,
  startDream,
  undoInsight,
} from '@reverie/shared/contract/dreams';
import { StrategyName } from '@reverie/shared/contract/dream-strategies';
import { connect } from './connection.ts';
import { addJobs } from './dream-jobs.ts';
import { sayElsewhere } from './elsewhere.ts';
import { type Common, jsonOption, namespaceOption, several, whole } from './options.ts';
import { count, cutTo, inOneLine, note, printJson, say, visible } from './print.ts';
import { showProgress } from './progress.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie dream --watch                     look through your memories, and show what was noticed
  reverie dream --strategy contradict --strategy refine
  reverie dream --task "what did we decide about backups" --watch
  reverie dream insights                    what nobody decided on yet, best first
  reverie dream accept ins_01…              keep one, and do what it proposes
  reverie dream undo ins_01…                take that back

A dream changes nothing by itself: it proposes, and you accept. \`reverie dream start --help\` shows its options.`;

interface StartOptions {
  namespace: string;
  strategy?: string[];
  task?: string;
  watch?: true;
  json?: true;
}

/** Between two looks at a dream, in ms. */
const LOOK_EVERY = 150;
/** Insights that are shown after a dream. */
const SHOWN = 10;

/** `reverie dream [start|jobs|cancel|insights|accept|reject|undo]` */
export function addDream(program: Command, terminal: Terminal): void {
  const dream = program
    .command('dream')
    .description('look through a namespace for what is doubled, contradictory, recurring, linked, due')
    .addHelpText('after', AFTER);
  // A command of its own: options of `dream` itself would swallow the `-n`, `-s` and `--json` of the others.
  dream
    .command('start', { isDefault: true })
    .description('dream now; what `reverie dream` alone does')
    .addOption(namespaceOption())
    .option('-s, --strategy <name>', 'only this one; may be given again (else all)', several)
    .option('--task <question>', 'a question to answer from the namespace')
    .option('-w, --watch', 'wait until it is over, and show what it found')
    .addOption(jsonOption())
    .action((options: StartOptions) => start(terminal, options));
  addJobs(dream, terminal);
  addInsights(dream, terminal);
  addDecision(dream, terminal, {
    name: 'accept',
    description: 'keep insights as memories, and do what they propose',
    route: acceptInsight,
    done: 'Accepted',
  });
  addDecision(dream, terminal, {
    name: 'reject',
    description: 'refuse insights; they are never proposed again',
    route: rejectInsight,
    done: 'Rejected',
  });
  addDecision(dream, terminal, {
    name: 'undo',
    description: 'take decisions back: every memory is again as it was',
    route: undoInsight,
    done: 'Taken back:',
  });
}

async function start(
  terminal: Terminal,
  { namespace, strategy, task, watch, json }: StartOptions,
): Promise<void> {
  const strategies = strategy?.map(strategyName);
  const { client } = await connect(homeOf(terminal), terminal.env);
  const started = await client(startDream, {
    body: { namespace, ...(strategies && { strategies }), ...(task !== undefined && { task }) },
  });
  if (!watch) {
    if (json) return printJson(terminal, started);
    say(terminal, started.id);
    note(
      terminal,
      'It dreams. `reverie dream jobs` says how far it is, `reverie dream insights` what it found.',
    );
    return;
  }
  const job = await follow(terminal, client, started.id);
  if (job.status === 'failed') terminal.exitCode = 1;
  const query = { job: job.id, order: 'best', status: 'proposed', limit: 200 } as const;
  const { insights } = await client(listInsights, { query });
  if (json) return printJson(terminal, { ...job, found: insights });
  sayJob(terminal, job);
  const elsewhere = job.memories === 0 ? await sayElsewhere(client, namespace) : undefined;
  if (elsewhere !== undefined) note(terminal, elsewhere);
  showInsights(terminal, insights.slice(0, SHOWN));
  if (insights.length > SHOWN)
    note(terminal, `\`reverie dream insights -n ${namespace}\` shows all of them.`);
}

function strategyName(given: string): StrategyName {
  const parsed = StrategyName.safeParse(given);
  if (!parsed.success) throw new UsageError(`${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}

/** Shows how far a dream is until it is over; Ctrl-C ends the looking, not the dream. */
async function follow(terminal: Terminal, client: Client, id: string): Promise<DreamJob> {
  const read = () => client(dreamStatus, { params: { id } });
  let job = await read();
  const shown = showProgress(terminal, 'Dreaming', 100 * job.strategies.length);
  try {
    for (; job.status === 'queued' || job.status === 'running'; job = await read()) {
      shown.update(doneOf(job), aboutOf(job));
      await pause(LOOK_EVERY);
    }
  } finally {
    shown.stop();
  }
  return job;
}

/** Hundredths of a strategy that are done. */
function doneOf({ strategies }: DreamJob): number {
  const part = ({ state, done, total }: DreamJob['strategies'][number]) =>
    state === 'complete' ? 100 : total > 0 ? Math.min(99, Math.floor((done / total) * 100)) : 0;
  return strategies.reduce((sum, one) => sum + part(one), 0);
}

function aboutOf({ status, strategies, insights }: DreamJob): string {
  const now = strategies.find(({ state }) => state === 'running')?.strategy;
  return `${now ?? (status === 'queued' ? 'waits for its turn' : '')} ${count(insights, 'insight')}`.trim();
}

function sayJob(terminal: Terminal, job: DreamJob): void {
  if (job.error) note(terminal, `The dream failed (${job.error.code}): ${visible(job.error.message)}`);
  const of = job.sampled
    ? `a sample of ${job.sampled.taken} of ${count(job.sampled.of, 'memory', 'memories')}`
    : count(job.memories, 'memory', 'memories');
  say(terminal, `${count(job.insights, 'new insight')} from ${of} in ${job.namespace}.`);
  const tokens = job.tokens.used > 0 ? `; ${job.tokens.used} of ${job.tokens.budget} tokens used` : '';
  note(
    terminal,
    `${job.strategies.map(({ strategy, insights, ms }) => `${strategy} ${insights} (${ms} ms)`).join(', ')}${tokens}`,
  );
  for (const { strategy, note: said } of job.strategies)
    if (said !== undefined) note(terminal, `${strategy}: ${visible(said)}`);
  if (job.reading && job.reading.dreams_left > 0)
    note(
      terminal,
      `The language model has read ${Math.round(100 * job.reading.share)} % of the namespace; about ${count(job.reading.dreams_left, 'more dream reads', 'more dreams read')} the rest.`,
    );
}

interface InsightsOptions extends Common {
  status: InsightState | 'all';
  strategy?: string;
  job?: string;
  newest?: true;
  limit: number;
}

function addInsights(dream: Command, terminal: Terminal): void {
  dream
    .command('insights')
    .description('show what dreams proposed, best first')
    .addOption(namespaceOption())
    .addOption(
      new Option('--status <status>', 'only these').choices([...insightStates, 'all']).default('proposed'),
    )
    .option('-s, --strategy <name>', 'only of this strategy')
    .option('--job <id>', 'only of this dream')
    .option('--newest', 'newest first')
    .option('-l, --limit <number>', 'at most so many', whole(1), 50)
    .addOption(jsonOption())
    .action(async ({ namespace, status, strategy, job, newest, limit, json }: InsightsOptions) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listInsights, {
        query: {
          namespace,
          order: newest ? 'newest' : 'best',
          limit,
          ...(status !== 'all' && { status }),
          ...(strategy !== undefined && { strategy: strategyName(strategy) }),
          ...(job !== undefined && { job }),
        },
      });
      if (json) return printJson(terminal, reply);
      showInsights(terminal, reply.insights);
      if (terminal.stdout.isTTY && reply.insights.length === 0)
        note(terminal, `Nothing waits for you in ${namespace}.`);
      if (terminal.stdout.isTTY && reply.next !== null) note(terminal, 'There are more: --limit shows them.');
    });
}

/** On a terminal a paragraph for each, with what it rests on; else one line for each. */
function showInsights(terminal: Terminal, insights: readonly Insight[]): void {
  const { stdout } = terminal;
  for (const { id, strategy, status, title, body, confidence, sources, stale } of insights) {
    if (!stdout.isTTY) {
      say(terminal, [id, status, strategy, confidence.toFixed(2), title].map(inOneLine).join('\t'));
      continue;
    }
    say(terminal, '');
    say(terminal, visible(title));
    say(
      terminal,
      `  ${id}  ${strategy}  ${Math.round(100 * confidence)} %${status === 'proposed' ? '' : `  ${status}`}`,
    );
    if (body !== '') say(terminal, `  ${cutTo(body, stdout, 4)}`);
    for (const { key, sentence } of sources.slice(0, 5))
      say(terminal, `  · ${cutTo(`${key}: ${sentence}`, stdout, 6)}`);
    if (sources.length > 5) say(terminal, `  · and ${sources.length - 5} more`);
    if (stale.length > 0) say(terminal, `  changed since: ${stale.map(visible).join(', ')}`);
  }
}

interface Decision {
  name: string;
  description: string;
  route: typeof acceptInsight | typeof rejectInsight | typeof undoInsight;
  done: string;
}

function addDecision(dream: Command, terminal: Terminal, { name, description, route, done }: Decision): void {
  dream
    .command(name)
    .description(description)
    .argument('<id...>', 'as in `reverie dream insights`')
    .addOption(jsonOption())
    .action(async (ids: string[], { json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const decided: Insight[] = [];
      for (const id of ids) {
        const insight = await client(route, { params: { id } });
        decided.push(insight);
        if (!json) say(terminal, `${done} ${insight.id} (${inOneLine(insight.title)}).`);
      }
      if (json) printJson(terminal, { insights: decided });
    });
}
