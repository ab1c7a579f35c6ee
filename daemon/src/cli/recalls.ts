import type { Command } from 'commander';
import {
  evaluateRecalls,
  type EvaluatedCase,
  judgeRecall,
  listRecalls,
  type Recall,
  type RecallWay,
  type Verdict,
} from '@reverie/shared/contract/agents/recalls';
import { connect } from './connection.ts';
import { jsonOption, whole } from './options.ts';
import { count, note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface ListOptions {
  agent?: string;
  namespace?: string;
  session?: string;
  limit: number;
  json?: true;
}

const AFTER = `
Examples:
  reverie recalls                       what agents searched, and what was put before them
  reverie recalls misled rcl_… KEY      this memory led it astray
  reverie eval                          is what helped still found, and what misled not?`;

const WAYS: Readonly<Record<RecallWay, string>> = {
  search: 'searched',
  ask: 'asked',
  get: 'read',
  start: 'at the start',
  compact: 'after compaction',
  prompt: 'for a prompt',
};

/** `reverie recalls`: what was put before agents, and what came of it. */
export function addRecalls(program: Command, terminal: Terminal): void {
  const recalls = program
    .command('recalls')
    .description('what was put before your agents, and whether it helped')
    .addHelpText('after', AFTER);
  recalls
    .command('list', { isDefault: true })
    .description('the last first')
    .option('--agent <name>', 'only of this agent')
    .option('-n, --namespace <name>', 'only where this namespace was looked into')
    .option('--session <id>', 'only of this session')
    .option('-l, --limit <number>', 'at most so many', whole(1), 20)
    .addOption(jsonOption())
    .action(async ({ json, ...wanted }: ListOptions) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listRecalls, { query: wanted });
      if (json) return printJson(terminal, reply);
      for (const recall of reply.recalls) tell(terminal, recall);
      if (reply.recalls.length === 0)
        note(terminal, 'Nothing was put before an agent yet. `reverie connect` connects one.');
    });
  for (const verdict of ['helped', 'misled'] as const)
    recalls
      .command(verdict)
      .description(verdict === 'helped' ? 'say that it helped' : 'say that it led the agent astray')
      .argument('<recall>', 'its id, as in `reverie recalls`')
      .argument('[key]', 'only this one of its memories')
      .addOption(jsonOption())
      .action((id: string, key: string | undefined, { json }: { json?: true }) =>
        judge(terminal, { id, key, verdict, json }),
      );
  recalls
    .command('unjudge')
    .description('take back what was said of it')
    .argument('<recall>', 'its id')
    .argument('[key]', 'only this one of its memories')
    .addOption(jsonOption())
    .action((id: string, key: string | undefined, { json }: { json?: true }) =>
      judge(terminal, { id, key, verdict: null, json }),
    );
}

function tell(terminal: Terminal, recall: Recall): void {
  const { isTTY } = terminal.stdout;
  const at = isTTY ? shortTime(recall.at) : recall.at;
  const query = recall.query === null ? '' : `: ${JSON.stringify(recall.query.slice(0, 120))}`;
  say(terminal, `${recall.id}  ${at}  ${recall.agent} ${WAYS[recall.way]} in ${recall.namespace}${query}`);
  for (const { key, namespace, score, verdict } of recall.memories) {
    const where = namespace === recall.namespace ? key : `${namespace}/${key}`;
    const more = [score === null ? '' : score.toFixed(2), verdict ?? ''].filter((part) => part !== '');
    say(terminal, `  ${[where, ...more].join('  ')}`);
  }
  const gone = recall.shown - recall.memories.length;
  if (gone > 0) say(terminal, `  ${count(gone, 'memory', 'memories')} deleted since`);
}

interface Judging {
  id: string;
  key: string | undefined;
  verdict: Verdict | null;
  json: true | undefined;
}

async function judge(terminal: Terminal, { id, key, verdict, json }: Judging): Promise<void> {
  const { client } = await connect(homeOf(terminal), terminal.env);
  const body = { verdict, ...(key !== undefined && { key }) };
  const reply = await client(judgeRecall, { params: { id }, body });
  if (json) return printJson(terminal, reply);
  const meant = reply.memories.filter((memory) => key === undefined || memory.key === key);
  const what = meant.map((memory) => memory.key).join(', ');
  say(terminal, verdict === null ? `Taken back of ${what}.` : `Noted that ${what} ${verdict}.`);
  if (verdict !== null && reply.query === null)
    note(terminal, 'Nothing was looked for here, so `reverie eval` has nothing to look for again.');
}

/** `reverie eval`: looks again for all that was judged; ends with 1 where something became worse. */
export function addEval(program: Command, terminal: Terminal): void {
  program
    .command('eval')
    .description('look again for what helped and what misled, with the settings of now')
    .addOption(jsonOption())
    .addHelpText('after', '\nIt ends with 1 where something is wrong that was right the time before.')
    .action(async ({ json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(evaluateRecalls, {});
      if (reply.worse.length > 0) terminal.exitCode = 1;
      if (json) return printJson(terminal, reply);
      if (reply.cases === 0)
        return note(
          terminal,
          'Nothing was judged yet: `reverie recalls helped ID` or `misled ID` says what came of it.',
        );
      say(terminal, `${reply.right} of ${reply.cases} right, with ${reply.made_with}.`);
      if (reply.worse.length > 0) say(terminal, `${reply.worse.length} worse than the time before.`);
      if (reply.better.length > 0) say(terminal, `${reply.better.length} better than the time before.`);
      if (reply.wrong.length === 0) return;
      printTable(terminal, ['Memory', 'It', 'Rank', 'Before', 'Looked for'], reply.wrong.map(rowOf));
    });
}

function rowOf({ key, namespace, verdict, now, before, query }: EvaluatedCase): string[] {
  const rank = (place: EvaluatedCase['before']) => (place ? String(place.rank ?? 'not found') : '');
  return [`${namespace}/${key}`, verdict, rank(now), rank(before), query.slice(0, 60)];
}
