import { createInterface } from 'node:readline';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import { Namespace } from '@reverie/shared/contract/fields';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import {
  type ChosenNamespaces,
  type NewNamespaces,
  type SyncStatus,
  syncStatus,
} from '@reverie/shared/contract/sync/sync';
import { count, inOneLine, size } from './print.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** The options by which a link says what is synced. */
export interface ChoiceOptions {
  all?: true;
  none?: true;
  only?: string[];
  except?: string[];
  new?: NewNamespaces;
}

interface Choice {
  namespaces?: ChosenNamespaces;
  new_namespaces?: NewNamespaces;
}

/** A namespace that is here, as the question shows it. */
interface Here {
  namespace: string;
  count: number;
  bytes: number;
  /** It stayed here so far. */
  stays?: boolean;
}

/** Adds the options that say what is synced; at most one of the first four may be given. */
export function addChoiceOptions(command: Command): void {
  const ways = ['all', 'none', 'only', 'except'];
  const option = (flags: string, about: string) => {
    const made = new Option(flags, about);
    return made.conflicts(ways.filter((way) => way !== made.attributeName()));
  };
  command
    .addOption(option('--all', 'sync every namespace'))
    .addOption(option('--only <names>', 'sync these alone, with commas between them').argParser(names))
    .addOption(option('--except <names>', 'sync all but these and what is below them').argParser(names))
    .addOption(option('--none', 'sync none for now: `reverie sync on NAME` later'))
    .addOption(
      new Option('--new <what>', 'what becomes of namespaces that are new later').choices(['sync', 'stay']),
    );
}

function names(text: string): string[] {
  const given = text.split(',').map((name) => name.trim());
  for (const name of given)
    if (!Namespace.safeParse(name).success)
      throw new InvalidArgumentError(
        `${JSON.stringify(name)} is no namespace: give names such as work,diary.`,
      );
  return given;
}

/** What is to be synced: as the options say, else as a person answers. Throws `UsageError` where nobody is there to be asked. */
export async function choiceOf(terminal: Terminal, client: Client, given: ChoiceOptions): Promise<Choice> {
  const namespaces = givenIn(given);
  const then = given.new !== undefined && { new_namespaces: given.new };
  if (namespaces !== undefined) return { namespaces, ...then };
  const [{ relay, lost, stays }, all] = await Promise.all([
    client(syncStatus, {}),
    client(listNamespaces, {}),
  ]);
  // What left sync before stays here in any case.
  const here = all.namespaces.filter(({ namespace }) => !lost.some((one) => one.namespace === namespace));
  // Nothing goes up where nothing is here, and the daemon refuses a second link.
  if (relay !== null || here.length === 0)
    return given.new === undefined ? {} : { namespaces: 'all', ...then };
  if (!terminal.stdin.isTTY)
    throw new UsageError(
      `Say which namespaces sync: --all, --only work,notes, --except diary, or --none. Here are ${listed(here)}. Who runs the relay can read what is synced.`,
    );
  return ask(
    terminal,
    here.map((one) => ({ ...one, stays: stays.some(({ namespace }) => namespace === one.namespace) })),
    given.new,
  );
}

function givenIn({ all, none, only, except }: ChoiceOptions): ChosenNamespaces | undefined {
  if (all) return 'all';
  if (none) return 'none';
  if (only) return { only };
  return except && { except };
}

const listed = (here: readonly Here[]) =>
  here
    .map(
      (one) => `${inOneLine(one.namespace)} (${count(one.count, 'memory', 'memories')}, ${size(one.bytes)})`,
    )
    .join(', ');

async function ask(
  terminal: Terminal,
  here: readonly Here[],
  given: NewNamespaces | undefined,
): Promise<Choice> {
  const { stdin, stderr } = terminal;
  const lines = createInterface({ input: stdin, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const answer = async (question: string): Promise<string> => {
    stderr.write(question);
    const { value, done } = await typed.next();
    if (done === true) throw new UsageError('Nothing was linked: nobody said which namespaces sync.');
    return value.trim();
  };
  try {
    stderr.write('What is synced goes to the relay, and who runs it can read that. On this machine are:\n');
    for (const [index, one] of here.entries())
      stderr.write(`  ${index + 1}  ${listed([one])}${one.stays ? ', stays here so far' : ''}\n`);
    let namespaces: ChosenNamespaces | undefined;
    while (namespaces === undefined) {
      const said = await answer('Which sync? all, none, some (1,3), or all but some (all but 2): ');
      const read = readAnswer(said, here);
      if ('wrong' in read) stderr.write(`${read.wrong}\n`);
      else namespaces = read.namespaces;
    }
    if (given !== undefined) return { namespaces, new_namespaces: given };
    const usual = namespaces === 'all' || (typeof namespaces === 'object' && 'except' in namespaces);
    for (;;) {
      const said = await answer(
        `And namespaces that are new later: sync or stay here? [${usual ? 'sync' : 'stay'}] `,
      );
      if (said === '') return { namespaces, new_namespaces: usual ? 'sync' : 'stay' };
      if (said === 'sync' || said === 'stay') return { namespaces, new_namespaces: said };
    }
  } finally {
    lines.close();
  }
}

/** Reads `all`, `none`, names or numbers with commas between them, or such behind `all but`. */
function readAnswer(
  said: string,
  here: readonly Here[],
): { namespaces: ChosenNamespaces } | { wrong: string } {
  if (said === 'all' || said === 'none') return { namespaces: said };
  const [, but, rest = ''] = /^(all but )?(.*)$/su.exec(said) ?? [];
  const found: string[] = [];
  for (const word of rest.split(',').map((part) => part.trim())) {
    const one = here.find(({ namespace }) => namespace === word) ?? here[Number(word) - 1];
    if (word === '' || !one)
      return { wrong: `There is no ${JSON.stringify(word)}: give numbers or names of the list.` };
    found.push(one.namespace);
  }
  return { namespaces: but === undefined ? { only: found } : { except: found } };
}

/** Which namespaces sync and which stay here, in lines for people. */
export function choiceLines({ namespaces, stays, new_namespaces }: SyncStatus): string[] {
  const quoted = (all: readonly { namespace: string }[]) =>
    all.map(({ namespace }) => inOneLine(namespace)).join(', ');
  return [
    `Syncs      ${namespaces.length === 0 ? 'nothing yet' : quoted(namespaces)}`,
    ...(stays.length === 0 ? [] : [`Stays here ${quoted(stays)}`]),
    `New ones   ${new_namespaces === 'sync' ? 'sync' : 'stay here'}`,
  ];
}
