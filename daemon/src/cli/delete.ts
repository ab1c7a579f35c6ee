import type { Command } from 'commander';
import { deleteMemory } from '@reverie/shared/contract/memories/memories';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import { connect } from './connection.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { note, printJson, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  forGood?: true;
}

const AFTER = `
Examples:
  reverie delete draft               \`reverie undelete draft\` brings it back, for 30 days (trash.days)
  reverie delete draft --for-good    now, and nothing brings it back`;

/** `reverie delete KEY` */
export function addDelete(program: Command, terminal: Terminal): void {
  program
    .command('delete')
    .description('move a memory to the trash; with --for-good, forget it at once')
    .addHelpText('after', AFTER)
    .argument('<key>', 'its key, as in `reverie list`')
    .addOption(namespaceOption())
    .option('--for-good', 'forget it with its history, at once: it cannot be brought back')
    .addOption(jsonOption())
    .action(async (key: string, { namespace, forGood, json }: Options) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      if (forGood) {
        const reply = await client(deleteMemory, { body: { key, namespace } });
        if (json) printJson(terminal, { ...reply, namespace });
        else say(terminal, `Forgot ${reply.deleted} of ${namespace} for good.`);
        return;
      }
      const reply = await client(trashMemories, { body: { items: [{ key, namespace }] } });
      if (json) return printJson(terminal, reply);
      say(terminal, `Moved ${key} of ${namespace} to the trash.`);
      const [moved] = reply.trashed;
      if (terminal.stdout.isTTY && moved)
        note(
          terminal,
          `\`reverie undelete\` with its key brings it back until ${shortTime(moved.ends_at)}; then it is deleted for good.`,
        );
    });
}
