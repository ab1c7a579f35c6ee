import type { Command } from 'commander';
import { tagMemories } from '@reverie/shared/contract/memories/naming';
import { connect } from './connection.ts';
import { type Common, jsonOption, namespaceOption, several } from './options.ts';
import { count, printJson, say } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface Options extends Common {
  add?: string[];
  remove?: string[];
}

const AFTER = `
Examples:
  reverie tag rollout-plan -a adr -a billing
  reverie tag draft rollout-plan -r todo`;

/** `reverie tag KEY… --add TAG --remove TAG` */
export function addTag(program: Command, terminal: Terminal): void {
  program
    .command('tag')
    .description('add tags to memories, or take them off')
    .addHelpText('after', AFTER)
    .argument('<key...>', 'their keys, as in `reverie list`')
    .option('-a, --add <tag>', 'a tag to add; may be given again', several)
    .option('-r, --remove <tag>', 'a tag to take off; may be given again', several)
    .addOption(namespaceOption())
    .addOption(jsonOption())
    .action(async (keys: string[], { namespace, add = [], remove = [], json }: Options) => {
      if (add.length + remove.length === 0) throw new UsageError('Name a tag: --add TAG, or --remove TAG.');
      const { client } = await connect(homeOf(terminal), terminal.env);
      const items = keys.map((key) => ({ key, namespace }));
      const reply = await client(tagMemories, { body: { items, add, remove } });
      if (json) return printJson(terminal, reply);
      for (const one of reply.memories) say(terminal, `${one.key}: ${one.tags.join(', ') || 'no tags'}`);
      if (terminal.stdout.isTTY) say(terminal, `${count(reply.changed, 'memory', 'memories')} changed.`);
    });
}
