import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { ApiError, type Client } from '@reverie/shared/client';
import { keyFrom, keysLike } from '@reverie/shared/contract/memories/key-from';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { Sent } from '@reverie/shared/contract/route';
import { anchorOption, withAnchors } from './anchors.ts';
import { connect } from './connection.ts';
import {
  classOption,
  type Common,
  jsonObject,
  jsonOption,
  namespaceOption,
  several,
  timeAhead,
  withTags,
} from './options.ts';
import { note, printJson, say } from './print.ts';
import { givenText } from './read-text.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface Options extends Common {
  metadata?: Record<string, unknown>;
  expires?: string;
  anchor?: string[];
}

const AFTER = `
Examples:
  reverie add the spare key hangs behind the boiler
  reverie add -c error "EADDRINUSE: another program has port 3000"
  git log -1 | reverie add -t release`;

/** `reverie add [TEXT…]`: stores a passing thought under a key of its first words. */
export function addAdd(program: Command, terminal: Terminal): void {
  program
    .command('add')
    .description('store a new memory; its key is made of its first words, and printed')
    .argument('[text...]', 'the text; - or nothing reads it from the standard input, as it stands')
    .addOption(namespaceOption())
    .addOption(classOption())
    .option('-m, --metadata <json>', 'a JSON object that is kept with it', jsonObject)
    .option('-t, --tag <tag>', 'a tag; may be given again', several)
    .option('--expires <when>', 'forget it then: a date and time, or a span such as 30d', timeAhead)
    .addOption(anchorOption())
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async (words: string[], options: Options) => {
      const value = await givenText(terminal, words, {
        missing: 'Say what to store: `reverie add "text"`, or pipe the text in.',
        empty: 'The text is empty, so nothing was stored.',
      });
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { namespace, expires, class: of } = options;
      const metadata = await withAnchors(client, withTags(options), options);
      const prefix = of === undefined ? '' : `${of}:`;
      const key = await storeNew(client, {
        key: `${prefix}${keyFrom(value)}`,
        value,
        namespace,
        ...(metadata && { metadata }),
        expires_at: expires,
      });
      if (options.json) return printJson(terminal, { success: true, key, namespace });
      say(terminal, key);
      if (terminal.stdout.isTTY) note(terminal, `Stored in ${namespace}.`);
    });
}

/** Stores under the key, or where it is taken under one with a number behind it; never over another memory. */
async function storeNew(client: Client, body: Sent<typeof setMemory>['body']): Promise<string> {
  for (const key of keysLike(body.key, randomBytes(4).toString('hex'))) {
    try {
      return (await client(setMemory, { body: { ...body, key, if_updated_at: null } })).key;
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'conflict') throw cause;
    }
  }
  throw new UsageError(`Every key like ${body.key} is taken: choose one yourself with \`reverie set KEY\`.`);
}
