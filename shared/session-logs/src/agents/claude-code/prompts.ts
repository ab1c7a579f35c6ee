import type { ReadRecord, ReadEntry } from '../../format.ts';
import { type LogObject, nameOf, objectIn, shortHash, textIn } from '../../json.ts';
import { labelOf, promptTitleRead } from '../../reads.ts';
import { createRecent } from '../../recent.ts';
import { contentText } from '../../words.ts';
import type { RecordPlace, Prompts } from './place.ts';
import { unwrap, type Unwrapped, withoutColours } from './wrappers.ts';

/** What the program writes as if the person had said it. */
const OWN_WORDS = /^\[Request interrupted by user(?: for tool use)?\]$/;

/** The prompts of one session. */
export function createPrompts(): Prompts {
  let titled = false;
  /** Prompts that wait, by the hash of their words. */
  const waiting = createRecent<string>(1_000);

  function prompt(words: string, place: RecordPlace, byPerson: boolean): ReadRecord[] {
    const text = words.toWellFormed();
    const entry: ReadEntry = { item: place.item, at: place.at, kind: 'prompt', text, byPerson };
    const reads: ReadRecord[] = [{ session: place.session, kind: 'entry', entry }];
    const key = shortHash(text);
    const queued = waiting.get(key);
    if (queued !== undefined && queued !== place.item) {
      // It came to its turn: the record of it stands for it from here on.
      waiting.delete(key);
      reads.push({ session: place.session, kind: 'gone', items: [queued] });
    }
    if (!titled) {
      titled = true;
      reads.push(promptTitleRead(place.session, text));
    }
    return reads;
  }

  function attachedWords(record: LogObject): string {
    const attachment = objectIn(record, 'attachment');
    if (textIn(attachment, 'type') !== 'queued_command') return '';
    return unwrap(contentText(attachment?.prompt)).words;
  }

  return {
    said(texts, place, record) {
      const parts = texts.map(unwrap);
      const words = parts
        .map((part) => part.words)
        .filter((part) => part !== '' && !OWN_WORDS.test(part))
        .join('\n');
      const reads = parts.flatMap((part) => commandReads(part, place, record));
      const teammate = words === '' ? parts.find((part) => part.wrapped.has('teammate-message')) : undefined;
      if (teammate)
        return [...reads, ...prompt(teammate.wrapped.get('teammate-message') ?? '', place, false)];
      if (words === '') return reads;
      const byPerson = !place.byAgent && textIn(record, 'promptSource') !== 'system';
      return [...reads, ...prompt(words, place, byPerson)];
    },
    commands: (text, place, record) => commandReads(unwrap(text), place, record),
    attached(record, place) {
      const words = attachedWords(record);
      return words === '' ? [] : prompt(words, place, !place.byAgent);
    },
    queued(record, place) {
      const { words } = unwrap(contentText(record.content));
      if (words === '') return [];
      const key = shortHash(words.toWellFormed());
      const item = `queued-${key}`;
      const operation = textIn(record, 'operation');
      if (operation === 'popAll' && waiting.get(key) !== undefined) {
        waiting.delete(key);
        return [{ session: place.session, kind: 'gone', items: [item] }];
      }
      if (operation !== 'enqueue' || waiting.get(key) !== undefined) return [];
      waiting.set(key, item);
      const entry: ReadEntry = {
        item,
        at: place.at,
        kind: 'prompt',
        text: words.toWellFormed(),
        byPerson: !place.byAgent,
      };
      return [{ session: place.session, kind: 'entry', entry }];
    },
  };
}

/** A command that the person gave the program itself, what one printed, or the report of work in the background. */
function commandReads({ wrapped }: Unwrapped, place: RecordPlace, record: LogObject): ReadRecord[] {
  const reads: ReadRecord[] = [];
  const add = (entry: ReadEntry) => void reads.push({ session: place.session, kind: 'entry', entry });
  const name = wrapped.get('command-name');
  const typed = wrapped.get('bash-input');
  if (name !== undefined || typed !== undefined) {
    add({
      item: place.item,
      at: place.at,
      kind: 'tool_call',
      text: (typed ?? `${name ?? ''} ${wrapped.get('command-args') ?? ''}`.trim()).toWellFormed(),
      byPerson: !place.byAgent,
      tool: { name: labelOf(name ?? '!'), call: place.item },
    });
  }
  const printed = ['local-command-stdout', 'bash-stdout', 'local-command-stderr', 'bash-stderr']
    .map((tag) => withoutColours(wrapped.get(tag) ?? ''))
    .filter((text) => text !== '')
    .join('\n');
  const task = wrapped.get('task-notification');
  if (printed !== '') {
    const parent = textIn(record, 'parentUuid');
    add({
      item: `${place.item}:result`,
      at: place.at,
      kind: 'tool_result',
      text: printed.toWellFormed(),
      byPerson: false,
      tool: { name: '!', ...(parent !== undefined && { call: nameOf(parent) }) },
    });
  }
  if (task !== undefined) add(taskEntry(task, place));
  return reads;
}

/** What a task in the background came to. */
function taskEntry(task: string, place: RecordPlace): ReadEntry {
  const inner = (tag: string): string =>
    new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(task.slice(0, 5_000))?.[1]?.trim() ?? '';
  const start = task.indexOf('<result>');
  const end = task.lastIndexOf('</result>');
  const result = start !== -1 && end > start ? task.slice(start + 8, end).trim() : '';
  const call = inner('tool-use-id');
  const text = [inner('summary'), result].filter((part) => part !== '').join('\n');
  return {
    item: `${place.item}:task`,
    at: place.at,
    kind: 'tool_result',
    text: (text || inner('status')).toWellFormed(),
    byPerson: false,
    tool: {
      name: (call === '' ? undefined : place.tools.get(nameOf(call))) ?? 'task',
      ...(call !== '' && { call: nameOf(call) }),
      failed: /^(?:failed|error|killed)/.test(inner('status')),
    },
  };
}
