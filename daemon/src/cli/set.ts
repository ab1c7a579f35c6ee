import type { Command } from 'commander';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { anchorOption, withAnchors } from './anchors.ts';
import { connect } from './connection.ts';
import {
  type Common,
  jsonObject,
  jsonOption,
  namespaceOption,
  several,
  timeAhead,
  withTags,
} from './options.ts';
import { printJson, say } from './print.ts';
import { readText } from './read-text.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface Options extends Common {
  metadata?: Record<string, unknown>;
  expires?: string;
  anchor?: string[];
}

const AFTER = `
Examples:
  reverie set deploy-day "We deploy on Tuesdays, never on Fridays"
  reverie set error:port-taken "EADDRINUSE: another program has port 3000" -t web
  reverie set draft - < draft.md
Each change is kept (\`reverie history KEY\`); \`reverie add\` makes up a key.`;

/** `reverie set KEY [VALUE|-]` */
export function addSet(program: Command, terminal: Terminal): void {
  program
    .command('set')
    .description('store a memory; an existing key is overwritten')
    .addHelpText('after', AFTER)
    .argument('<key>', 'its key; note:, error:, dream: or skill: in front says what it is')
    .argument('[value]', 'its text; - or nothing reads it from the standard input, as it stands')
    .addOption(namespaceOption())
    .option('-m, --metadata <json>', 'a JSON object that is kept with it', jsonObject)
    .option('-t, --tag <tag>', 'a tag; may be given again', several)
    .option('--expires <when>', 'forget it then: a date and time, or a span such as 30d', timeAhead)
    .addOption(anchorOption())
    .addOption(jsonOption())
    .action(async (key: string, value: string | undefined, options: Options) => {
      if (value === undefined && terminal.stdin.isTTY)
        throw new UsageError('Say what to store: `reverie set KEY VALUE`, or pipe the text in.');
      const text = value === undefined || value === '-' ? await readText(terminal.stdin) : value;
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { namespace, expires } = options;
      const metadata = await withAnchors(client, withTags(options), options);
      const reply = await client(setMemory, {
        body: { key, value: text, namespace, ...(metadata && { metadata }), expires_at: expires },
      });
      if (options.json) printJson(terminal, { ...reply, namespace });
      else say(terminal, `Stored ${reply.key} in ${namespace}.`);
    });
}
