import type { Command } from 'commander';
import { ApiError, type Client } from '@reverie/shared/client';
import { calendarDay } from '@reverie/shared/contract/calendar-day';
import { dailyNote } from '@reverie/shared/contract/memories/daily';
import { getMemory, type Memory, setMemory } from '@reverie/shared/contract/memories/memories';
import type { Received } from '@reverie/shared/contract/route';
import { connect } from './connection.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { note, printJson, quoted, say, visible } from './print.ts';
import { readText } from './read-text.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie today                               print it
  reverie today called the plumber            add a line; the note is made where there is none
  git log --oneline -5 | reverie today -n work
What it is called follows the vault: the settings of Obsidian or Logseq, else the days before.`;

/** `reverie today [TEXT…]`: the note of today, or a line more in it. */
export function addToday(program: Command, terminal: Terminal): void {
  program
    .command('today')
    .description("print today's note, or add a line to it")
    .argument('[text...]', 'a line to add; - or nothing adds the standard input, where something is piped in')
    .addOption(namespaceOption())
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async (words: string[], { namespace, json }: Common) => {
      const text = (await textOf(terminal, words)).replace(/^\n+|\s+$/gu, '');
      const { client } = await connect(homeOf(terminal), terminal.env);
      const query = { day: calendarDay(new Date()), namespace };
      const daily = await client(dailyNote, { query });
      if (text !== '') {
        await append(client, daily, text);
        if (json) printJson(terminal, { ...daily, found: true, added: text });
        else say(terminal, `Added to ${daily.key} in ${namespace}.`);
        return;
      }
      const memory = daily.found ? await memoryAt(client, daily) : undefined;
      if (json) printJson(terminal, memory ?? daily);
      else if (memory) print(terminal, memory.value);
      else
        note(
          terminal,
          `There is no ${daily.key} in ${namespace} yet: \`reverie today TEXT -n ${quoted(namespace)}\` makes it.`,
        );
    });
}

async function textOf({ stdin }: Terminal, words: readonly string[]): Promise<string> {
  if (words.length > 0 && !(words.length === 1 && words[0] === '-')) return words.join(' ');
  return stdin.isTTY && words.length === 0 ? '' : readText(stdin);
}

function print({ stdout }: Terminal, value: string): void {
  stdout.write(stdout.isTTY ? `${visible(value).replace(/\n$/, '')}\n` : value);
}

type Daily = Received<typeof dailyNote>;

async function memoryAt(client: Client, { key, namespace }: Daily): Promise<Memory | undefined> {
  try {
    return await client(getMemory, { body: { key, namespace } });
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === 'memory_not_found') return undefined;
    throw cause;
  }
}

/** Adds to the end of a note; whoever wrote it in between is kept, for then it is read again. */
async function append(client: Client, daily: Daily, text: string): Promise<void> {
  const { key, namespace, outline, template } = daily;
  const added = outline ? `- ${text.replace(/^[-*] /u, '').replaceAll('\n', '\n  ')}` : text;
  for (;;) {
    const memory = await memoryAt(client, daily);
    const before = (memory?.value ?? template).replace(/(?<=[^\n])$/u, '\n');
    try {
      await client(setMemory, {
        body: {
          key,
          namespace,
          value: `${before}${added}\n`,
          ...(memory && { metadata: memory.metadata, expires_at: memory.expires_at }),
          if_updated_at: memory?.updated_at ?? null,
        },
      });
      return;
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'conflict') throw cause;
    }
  }
}
