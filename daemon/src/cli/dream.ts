import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  acceptInsight,
  acceptInsights,
  type DreamJob,
  dreamStatus,
  type Insight,
  insightStates,
  type InsightState,
  listInsights,
  mostDecided,
  rejectInsights,
  type Resolution,
  resolutions,
  snoozeInsight,
  startDream,
  undoInsight,
} from '@reverie/shared/contract/dreams/dreams';
import { type Strategy, StrategyName } from '@reverie/shared/contract/dreams/dream-strategies';
import { strategyWords } from '@reverie/shared/contract/dreams/strategy-words';
import { connect } from './connection.ts';
import { addJobs } from './dream-jobs.ts';
import { sayElsewhere } from './elsewhere.ts';
import { type Common, jsonOption, namespaceOption, several, timeAhead, whole } from './options.ts';
import { count, cutTo, inOneLine, note, printJson, say, writtenTime, visible } from './print.ts';
import { showProgress } from './progress.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie dream --watch                      look through your memories, and show what was noticed
  reverie dream --strategy contradict --strategy refine
  reverie dream --task "what did we decide about backups" --watch
  reverie dream insights                     what nobody decided on yet, what comes up first
  reverie dream insights --waiting           what waits for a decision today, strongest first
  reverie dream accept ins_01… ins_02…       do what they propose
  reverie dream accept ins_01… --keep older  of two notes that disagree, keep the older one
  reverie dream undo ins_01…                 take that back
  reverie dream snooze ins_01… 7d            not today: it waits again in a week

A dream changes nothing by itself: it proposes, and you accept. \`reverie dream start --help\` shows its options.`;

interface StartOptions {
  namespace: string;
  strategy?: string[];
  task?: string;
  watch?: true;
  json?: true;
}

/** What the findings of a strategy are called, within a line. */
const findingsOf = (strategy: Strategy) => strategyWords[strategy].name.toLowerCase();
/** Between two looks at a dream, in ms. */
const LOOK_EVERY = 150;
/** Insights that are shown after a dream. */
const SHOWN = 10;

/** `reverie dream [start|jobs|cancel|insights|accept|reject|undo|snooze]` */
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
    description: 'do what insights propose, or keep them as notes',
    send: (client, ids, resolution) =>
      resolution
        ? eachOf(ids, (id) => client(acceptInsight, { params: { id }, body: { resolution } }))
        : inGroups(ids, (group) => client(acceptInsights, { body: { ids: group } })),
    done: 'Accepted',
  }).addOption(
    new Option('--keep <which>', 'of two notes that disagree (else the newer)').choices(resolutions),
  );
  addDecision(dream, terminal, {
    name: 'reject',
    description: 'refuse insights; they are never proposed again',
    send: (client, ids) => inGroups(ids, (group) => client(rejectInsights, { body: { ids: group } })),
    done: 'Rejected',
  });
  addDecision(dream, terminal, {
    name: 'undo',
    description: 'take decisions back: every memory is again as it was',
    send: (client, ids) => eachOf(ids, (id) => client(undoInsight, { params: { id } })),
    done: 'Taken back:',
  });
  addSnooze(dream, terminal);
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
  const query = { job: job.id, order: 'kind', status: 'proposed', limit: 200 } as const;
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
  const what = now ? findingsOf(now) : status === 'queued' ? 'waits for its turn' : '';
  return `${what} ${count(insights, 'insight')}`.trim();
}

function sayJob(terminal: Terminal, job: DreamJob): void {
  if (job.error) note(terminal, `The dream failed (${job.error.code}): ${visible(job.error.message)}`);
  const of = job.sampled
    ? `a sample of ${job.sampled.taken} of ${count(job.sampled.of, 'memory', 'memories')}`
    : count(job.memories, 'memory', 'memories');
  say(terminal, `${count(job.insights, 'new insight')} from ${of} in ${job.namespace}.`);
  const tokens = job.tokens.used > 0 ? `; ${job.tokens.used} of ${job.tokens.budget} tokens used` : '';
  const found = job.strategies.filter(({ insights }) => insights > 0);
  const seconds = job.strategies.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const kinds = found.map(({ strategy, insights }) => `${insights} × ${findingsOf(strategy)}`).join(', ');
  note(terminal, `${kinds}${kinds && '; '}${seconds.toFixed(1)} s${tokens}`);
  // What holds for several is said once.
  for (const [said, of] of Map.groupBy(job.strategies, (one) => one.note))
    if (said !== undefined)
      note(terminal, `${of.map(({ strategy }) => findingsOf(strategy)).join(', ')}: ${visible(said)}`);
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
  waiting?: true;
  limit: number;
}

function addInsights(dream: Command, terminal: Terminal): void {
  dream
    .command('insights')
    .description('show what dreams proposed, what comes up first')
    .addOption(namespaceOption())
    .addOption(
      new Option('--status <status>', 'only these').choices([...insightStates, 'all']).default('proposed'),
    )
    .option('-s, --strategy <name>', 'only of this strategy')
    .option('--job <id>', 'only of this dream')
    .option('--newest', 'newest first')
    .option('-w, --waiting', 'only what waits for a decision today, strongest first')
    .option('-l, --limit <number>', 'at most so many', whole(1), 50)
    .addOption(jsonOption())
    .action(async ({ namespace, status, strategy, job, newest, waiting, limit, json }: InsightsOptions) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listInsights, {
        query: {
          namespace,
          order: newest ? 'newest' : waiting ? 'best' : 'kind',
          ...(waiting && { waiting: 'true' }),
          limit,
          ...(status !== 'all' && { status }),
          ...(strategy !== undefined && { strategy: strategyName(strategy) }),
          ...(job !== undefined && { job }),
        },
      });
      if (json) return printJson(terminal, reply);
      showInsights(terminal, reply.insights);
      const wait =
        reply.waiting === 0 ? 'Nothing waits' : count(reply.waiting, 'proposal waits', 'proposals wait');
      if (terminal.stdout.isTTY) note(terminal, `${wait} for you in ${namespace}.`);
      if (terminal.stdout.isTTY && reply.next !== null) note(terminal, 'There are more: --limit shows them.');
    });
}

/** On a terminal a paragraph for each, with what it rests on; else one line for each. */
function showInsights(terminal: Terminal, insights: readonly Insight[]): void {
  const { stdout } = terminal;
  let heading = '';
  for (const insight of insights) {
    const { id, strategy, status, title, body, confidence, sources, stale } = insight;
    if (!stdout.isTTY) {
      say(terminal, [id, status, strategy, confidence.toFixed(2), title].map(inOneLine).join('\t'));
      continue;
    }
    if (insight.heading !== heading) say(terminal, `\n${insight.heading.toUpperCase()}`);
    heading = insight.heading;
    say(terminal, '');
    say(terminal, visible(title));
    const until = insight.snoozed_until;
    const state =
      until !== null ? `  until ${writtenTime(until)}` : status === 'proposed' ? '' : `  ${status}`;
    say(terminal, `  ${id}  ${Math.round(100 * confidence)} % sure${state}`);
    if (insight.change?.kind === 'disagree') {
      const { older, newer } = insight.change;
      for (const [which, { key, date }] of [
        ['older', older],
        ['newer', newer],
      ] as const)
        say(terminal, `  ${which}: ${visible(key)}, ${writtenTime(date)}`);
    }
    if (body !== '') say(terminal, `  ${cutTo(body, stdout, 4)}`);
    for (const { key, sentence } of sources.slice(0, 5))
      say(terminal, `  · ${cutTo(`${key}: ${sentence}`, stdout, 6)}`);
    if (sources.length > 5) say(terminal, `  · and ${sources.length - 5} more`);
    if (stale.length > 0) say(terminal, `  changed since: ${stale.map(visible).join(', ')}`);
  }
}

const KEPT: Readonly<Record<Resolution, string>> = {
  newer: 'the newer note; the other one is hidden',
  older: 'the older note; the other one is hidden',
  both: 'both notes',
};

/** What was decided on, and what was not and why. */
interface DecidedOn {
  insights: Insight[];
  refused: { id: string; message: string }[];
}

interface Decision {
  name: string;
  description: string;
  send: (client: Client, ids: readonly string[], keep: Resolution | undefined) => Promise<DecidedOn>;
  done: string;
}

async function inGroups(
  ids: readonly string[],
  send: (group: string[]) => Promise<DecidedOn>,
): Promise<DecidedOn> {
  const all: DecidedOn = { insights: [], refused: [] };
  for (let from = 0; from < ids.length; from += mostDecided) {
    const { insights, refused } = await send(ids.slice(from, from + mostDecided));
    all.insights.push(...insights);
    all.refused.push(...refused);
  }
  return all;
}

/** Ends at the first that is refused. */
async function eachOf(ids: readonly string[], send: (id: string) => Promise<Insight>): Promise<DecidedOn> {
  const insights: Insight[] = [];
  for (const id of ids) insights.push(await send(id));
  return { insights, refused: [] };
}

function addDecision(
  dream: Command,
  terminal: Terminal,
  { name, description, send, done }: Decision,
): Command {
  return dream
    .command(name)
    .description(description)
    .argument('<id...>', 'as in `reverie dream insights`')
    .addOption(jsonOption())
    .action(async (ids: string[], { json, keep }: { json?: true; keep?: Resolution }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { insights, refused } = await send(client, ids, keep);
      for (const { id, title, resolution } of json ? [] : insights) {
        const kept = resolution === null ? '' : ` Kept: ${KEPT[resolution]}.`;
        say(terminal, `${done} ${id} (${inOneLine(title)}).${kept}`);
      }
      if (json) printJson(terminal, { insights, refused });
      for (const { id, message } of refused) note(terminal, `Not ${visible(id)}: ${visible(message)}.`);
      if (refused.length > 0) terminal.exitCode = 1;
    });
}

/** A time ahead, or none for `now`. */
function untilOf(text: string): string | null {
  return text === 'now' ? null : timeAhead(text);
}

function addSnooze(dream: Command, terminal: Terminal): void {
  dream
    .command('snooze')
    .description('put a proposal off: until then it waits for nobody')
    .argument('<id>', 'as in `reverie dream insights`')
    .argument('<until>', 'a date and time, or a span such as 7d; now takes it back', untilOf)
    .addOption(jsonOption())
    .action(async (id: string, until: string | null, { json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const insight = await client(snoozeInsight, { params: { id }, body: { until } });
      if (json) return printJson(terminal, insight);
      const title = `${insight.id} (${inOneLine(insight.title)})`;
      const { snoozed_until } = insight;
      say(
        terminal,
        snoozed_until === null
          ? `It waits again: ${title}.`
          : `Put off until ${writtenTime(snoozed_until)}: ${title}.`,
      );
    });
}
