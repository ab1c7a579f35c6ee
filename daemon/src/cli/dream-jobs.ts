import type { Command } from 'commander';
import { cancelDream, listDreams } from '@reverie/shared/contract/dreams/dreams';
import { connect } from './connection.ts';
import { jsonOption, whole } from './options.ts';
import { inOneLine, note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface JobsOptions {
  namespace?: string;
  limit: number;
  json?: true;
}

/** `reverie dream jobs|cancel` */
export function addJobs(dream: Command, terminal: Terminal): void {
  dream
    .command('jobs')
    .description('list dreams, newest first')
    .option('-n, --namespace <name>', 'only of this namespace')
    .option('-l, --limit <number>', 'at most so many', whole(1), 20)
    .addOption(jsonOption())
    .action(async ({ namespace, limit, json }: JobsOptions) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listDreams, {
        query: { limit, ...(namespace !== undefined && { namespace }) },
      });
      if (json) return printJson(terminal, reply);
      if (terminal.stdout.isTTY && reply.jobs.length === 0)
        return note(
          terminal,
          `No dream was started${namespace === undefined ? '' : ` in ${inOneLine(namespace)}`} so far; \`reverie dream\` starts one.`,
        );
      printTable(
        terminal,
        ['Id', 'Started', 'Namespace', 'State', 'Stages', 'Insights'],
        reply.jobs.map((job) => [
          job.id,
          terminal.stdout.isTTY
            ? shortTime(job.started_at ?? job.created_at)
            : (job.started_at ?? job.created_at),
          job.namespace,
          job.error?.code ?? job.status,
          `${job.stages} of ${job.strategies.length}`,
          String(job.insights),
        ]),
      );
    });
  dream
    .command('cancel')
    .description('end a dream; what it proposed stays')
    .argument('<id>', 'as in `reverie dream jobs`')
    .addOption(jsonOption())
    .action(async (id: string, { json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const job = await client(cancelDream, { params: { id } });
      if (json) printJson(terminal, job);
      else say(terminal, `Cancelled ${job.id}.`);
    });
}
