import type { Command } from 'commander';
import { authorName } from '@reverie/shared/contract/author';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import { codeWarning } from './anchors.ts';
import { connect } from './connection.ts';
import { orNearest } from './missing.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { inOneLine, note, printJson, shortTime, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie get KEY`: the value, byte for byte where stdout is no terminal. */
export function addGet(program: Command, terminal: Terminal): void {
  program
    .command('get')
    .description('print the text of a memory')
    .argument('<key>', 'its key, as in `reverie list`')
    .addOption(namespaceOption())
    .addOption(jsonOption())
    .action(async (key: string, { namespace, json }: Common) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const found = client(getMemory, { body: { key, namespace } });
      const memory = await orNearest(found, client, { namespace, key });
      if (json) return printJson(terminal, memory);
      const { superseded_by, merged_into } = memory;
      if (superseded_by !== undefined) note(terminal, `Superseded by ${inOneLine(superseded_by)}.`);
      if (merged_into !== undefined) note(terminal, `Merged into ${inOneLine(merged_into)}.`);
      const code = codeWarning(memory.anchors);
      if (code !== undefined) note(terminal, code);
      if (memory.author && !memory.author.self)
        note(
          terminal,
          `Written by ${inOneLine(authorName(memory.author))}, ${shortTime(memory.updated_at)}.`,
        );
      if (terminal.stdout.isTTY) terminal.stdout.write(`${visible(memory.value).replace(/\n$/, '')}\n`);
      else terminal.stdout.write(memory.value);
    });
}
