import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { ApiError, type Client } from '@reverie/shared/client';
import { keyFrom } from '@reverie/shared/contract/memories/key-from';
import { getMemory, type Memory, setMemory } from '@reverie/shared/contract/memories/memories';
import { type Home, Refusal } from '../platform/home/home.ts';
import { connect } from './connection.ts';
import { openEditor } from './editor.ts';
import { messageOf } from './failure.ts';
import { orNearest } from './missing.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { note, printJson, quoted, say, shortTime } from './print.ts';
import { textIn } from './read-text.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  from?: string;
}

/** `reverie edit KEY`: opens the text of a memory in the person's editor, and stores what they made of it. */
export function addEdit(program: Command, terminal: Terminal): void {
  program
    .command('edit')
    .description('change the text of a memory in your editor ($VISUAL, else $EDITOR)')
    .argument('<key>', 'its key, as in `reverie list`')
    .addOption(namespaceOption())
    .option('--from <file>', 'begin with the text of this file, such as one that an edit before has kept')
    .addOption(jsonOption())
    .action((key: string, options: Options) => edit(terminal, key, options));
}

async function edit(terminal: Terminal, key: string, options: Options): Promise<void> {
  const { namespace, from, json } = options;
  const home = homeOf(terminal);
  const { client } = await connect(home, terminal.env);
  const memory = await orNearest(client(getMemory, { body: { key, namespace } }), client, { namespace, key });
  const start = from === undefined ? memory.value : textIn(fs.readFileSync(from), from);
  const draft = makeDraft(home, key, start);
  const typed = await typedIn(terminal, draft, { start, value: memory.value });
  if (typed === memory.value) {
    removeDraft(draft);
    if (json) printJson(terminal, { success: true, key, namespace, changed: false });
    else note(terminal, 'Nothing was changed.');
    return;
  }
  await store(client, { memory, typed, draft });
  removeDraft(draft);
  // What an earlier edit has kept was brought in with this one.
  if (from !== undefined && isDraft(home, from)) removeDraft(path.resolve(from));
  if (json) printJson(terminal, { success: true, key, namespace, changed: true });
  else say(terminal, `Stored ${key} in ${namespace}.`);
}

/** A file in a folder of its own, which only this user can read: editors leave copies beside what they edit. */
function makeDraft(home: Home, key: string, text: string): string {
  const folder = path.join(home.folder, `editing-${randomBytes(6).toString('hex')}`);
  fs.mkdirSync(folder, { mode: 0o700 });
  const file = path.join(folder, `${keyFrom(key)}.md`);
  fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  return file;
}

function isDraft(home: Home, file: string): boolean {
  const folder = path.dirname(path.resolve(file));
  return path.dirname(folder) === home.folder && /^editing-[\da-f]{12}$/.test(path.basename(folder));
}

function removeDraft(draft: string): void {
  fs.rmSync(path.dirname(draft), { recursive: true, force: true });
}

interface Before {
  /** What the editor began with. */
  start: string;
  /** What is stored. */
  value: string;
}

/** What stands in the draft once the editor was closed; what was typed stays in the draft where it cannot be used. */
async function typedIn(terminal: Terminal, draft: string, { start, value }: Before): Promise<string> {
  try {
    await openEditor(terminal.env, draft);
    const typed = withoutAddedEnd(textIn(fs.readFileSync(draft), 'What you typed'), value);
    if (typed.trim() === '')
      throw new Refusal('The text is empty, so nothing was stored. `reverie delete` takes a memory away.');
    return typed;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    if (isUntouched(draft, start)) {
      removeDraft(draft);
      throw cause;
    }
    throw new Refusal(`${cause.message} What you typed is in ${draft}.`, cause);
  }
}

function isUntouched(draft: string, start: string): boolean {
  const bytes = fs.existsSync(draft) ? fs.readFileSync(draft) : Buffer.alloc(0);
  return bytes.toString('utf8').trim() === '' || bytes.equals(Buffer.from(start));
}

/** Editors end the last line: that alone is no change of a text that did not end in one. */
function withoutAddedEnd(typed: string, value: string): string {
  return value.endsWith('\n') ? typed : typed.replace(/\r?\n$/, '');
}

interface Change {
  memory: Memory;
  typed: string;
  draft: string;
}

async function store(client: Client, { memory, typed, draft }: Change): Promise<void> {
  const { key, namespace, metadata, expires_at, updated_at } = memory;
  try {
    await client(setMemory, {
      body: { key, namespace, value: typed, metadata, expires_at, if_updated_at: updated_at },
    });
  } catch (cause) {
    const said = messageOf(cause);
    if (said === undefined) throw cause;
    const isConflict = cause instanceof ApiError && cause.code === 'conflict';
    const now = isConflict ? await current(client, memory) : memory;
    const of = `${quoted(key)} -n ${quoted(namespace)}`;
    const lines = [
      ...(isConflict ? conflict(memory, now) : [said]),
      `What you typed is in ${draft}. To go on with it:`,
      now ? `  reverie edit ${of} --from ${quoted(draft)}` : `  reverie set ${of} - < ${quoted(draft)}`,
    ];
    throw new Refusal(lines.join('\n'), cause);
  }
}

/** Lines that are shown of what others changed. */
const SHOWN = 20;

async function current(client: Client, { key, namespace }: Memory): Promise<Memory | undefined> {
  try {
    return await client(getMemory, { body: { key, namespace } });
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === 'memory_not_found') return undefined;
    throw cause;
  }
}

function conflict(before: Memory, now: Memory | undefined): string[] {
  if (!now) return [`${before.key} was deleted by someone else while you edited it.`];
  const { gone, added } = changedLines(before.value, now.value);
  return [
    `${before.key} was changed by someone else while you edited it, at ${shortTime(now.updated_at)}:`,
    ...shown('-', gone),
    ...shown('+', added),
  ];
}

function shown(mark: string, lines: readonly string[]): string[] {
  const some = lines.slice(0, SHOWN).map((line) => `${mark} ${line}`);
  return lines.length > SHOWN ? [...some, `${mark} … ${lines.length - SHOWN} more lines`] : some;
}

/** The lines between the equal start and the equal end of two texts. */
export function changedLines(before: string, after: string): { gone: string[]; added: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { gone: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}
