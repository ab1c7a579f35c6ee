import type { Command } from 'commander';
import { authorName } from '@reverie/shared/contract/author';
import { memoryHistory, restoreVersion } from '@reverie/shared/contract/memories/history';
import { connect } from './connection.ts';
import { orNearest } from './missing.ts';
import { type Common, jsonOption, namespaceOption, whole } from './options.ts';
import { cutTo, printJson, printTable, say, writtenTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  restore?: number;
}

/** `reverie history KEY [--restore N]` */
export function addHistory(program: Command, terminal: Terminal): void {
  program
    .command('history')
    .description('show what a memory said before, newest first')
    .argument('<key>', 'its key, as in `reverie list`')
    .addOption(namespaceOption())
    .option('--restore <version>', 'store this version again, as the newest', whole(1))
    .addOption(jsonOption())
    .action(async (key: string, { namespace, restore, json }: Options) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      if (restore !== undefined) {
        const reply = await client(restoreVersion, { body: { key, namespace, version: restore } });
        if (json) printJson(terminal, { ...reply, namespace });
        else
          say(terminal, `Version ${restore} of ${reply.key} is stored again, as version ${reply.version}.`);
        return;
      }
      const found = client(memoryHistory, { query: { key, namespace } });
      const reply = await orNearest(found, client, { namespace, key });
      if (json) return printJson(terminal, reply);
      const { stdout } = terminal;
      // In a home that was never linked all of it is one's own.
      const hasAuthors = reply.versions.some(({ author }) => author !== undefined);
      printTable(
        terminal,
        ['Version', 'Changed', 'Text', ...(hasAuthors ? ['By'] : [])],
        reply.versions.map(({ version, updated_at, value, current, author }) => [
          `${version}${current && stdout.isTTY ? ' (now)' : ''}`,
          stdout.isTTY ? writtenTime(updated_at) : updated_at,
          stdout.isTTY ? cutTo(value, stdout, 40) : value,
          ...(hasAuthors ? [author ? authorName(author) : ''] : []),
        ]),
      );
    });
}
