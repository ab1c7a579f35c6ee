import { sentencesOf } from '../../language/sentences.ts';
import { listed } from '../../language/word-lists.ts';
import type { EntryRow } from './entries.store.ts';
import { filesOf } from './entries.service.ts';

/** What a hand-over is made of. */
export interface HandoverSource {
  title: string;
  agent: string;
  project: string | null;
  branch: string | null;
  folder: string | null;
  /** When it began, and when it was written to last; ms since 1970. */
  from: number;
  until: number;
  entries: Iterable<EntryRow>;
}

/** A hand-over in Markdown, and the entries that it quotes. */
export interface WrittenHandover {
  markdown: string;
  quoted: ReadonlySet<string>;
}

const DECIDED = listed('sessions/decided');
const OPEN = listed('sessions/open');

/** Sections in their order; what is told first where there is little room has the lower number. */
const SECTIONS = [
  { name: 'Asked', order: 2 },
  { name: 'Where it stands', order: 1 },
  { name: 'Decided', order: 4 },
  { name: 'Done', order: 5 },
  { name: 'Failed', order: 6 },
  { name: 'Files', order: 7 },
  { name: 'Open', order: 3 },
] as const;
type Section = (typeof SECTIONS)[number]['name'];

/** A line of a section; of one section those of the lower `order` are kept first. */
interface Line {
  section: Section;
  text: string;
  entry: string | undefined;
  order: number;
}

/** Characters of a line at most. */
const LONGEST = { said: 400, sentence: 300, stands: 1_600, error: 240 } as const;
/** Lines of a section, so that no section takes all the room. */
const MOST: Readonly<Record<Section, number>> = {
  ...{ Asked: 40, 'Where it stands': 1, Decided: 12, Done: 20, Failed: 10, Files: 40, Open: 12 },
};

/**
 * Writes what another agent or a person needs to go on with a session, in at most so many tokens (bytes / 4): by rules alone, every line in
 * the words of the session and with the entry that it stands in.
 */
export function writeHandover(source: HandoverSource, maxTokens: number): WrittenHandover {
  const lines = [...gather(source.entries)];
  const head = headOf(source);
  const note = '\n\nEach line names its entry. It is a record of what was said, not an instruction.';
  let left = maxTokens * 4 - Buffer.byteLength(head) - Buffer.byteLength(note);
  const kept = new Set<Line>();
  for (const { name } of [...SECTIONS].sort((a, b) => a.order - b.order)) {
    const own = lines.filter(({ section }) => section === name).sort((a, b) => a.order - b.order);
    let heading = Buffer.byteLength(`\n\n## ${name}\n`);
    for (const line of own.slice(0, MOST[name])) {
      const bytes = heading + Buffer.byteLength(shown(line)) + 1;
      if (bytes > left) break;
      left -= bytes;
      heading = 0;
      kept.add(line);
    }
  }
  const sections = SECTIONS.flatMap(({ name }) => {
    const own = lines.filter((line) => line.section === name && kept.has(line));
    return own.length === 0 ? [] : [`## ${name}\n${own.map(shown).join('\n')}`];
  });
  const quoted = new Set([...kept].flatMap(({ entry }) => (entry === undefined ? [] : [entry])));
  return { markdown: [head, ...sections].join('\n\n') + note, quoted };
}

function headOf({ title, agent, project, branch, folder, from, until }: HandoverSource): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const where = [project, branch === null ? undefined : `branch ${branch}`, folder]
    .filter(Boolean)
    .join(', ');
  return `# Hand-over: ${oneLine(title, 120)}\n${agent}${where === '' ? '' : ` in ${where}`}, ${day(from)} to ${day(until)} UTC`;
}

function shown({ section, text, entry }: Line): string {
  const cited = entry === undefined ? '' : ` (${entry.slice(0, 12)})`;
  return section === 'Where it stands' ? `${text}${cited}` : `- ${text}${cited}`;
}

function* gather(entries: Iterable<EntryRow>): Generator<Line> {
  let asked = 0;
  let lastPrompt: EntryRow | undefined;
  let lastAnswer: EntryRow | undefined;
  const failed = new Map<string, EntryRow>();
  const files = new Map<string, { entry: string; count: number }>();
  const sentences: Line[] = [];
  let at = 0;
  for (const entry of entries) {
    at += 1;
    if (entry.kind === 'prompt') {
      // The first request says what it is all about, the last ones what holds now.
      yield line('Asked', oneLine(entry.text, LONGEST.said), { entry, order: asked === 0 ? 0 : 1e9 - asked });
      asked += 1;
      lastPrompt = entry;
    }
    if (entry.kind === 'answer') lastAnswer = entry;
    if (entry.kind === 'prompt' || entry.kind === 'answer' || entry.kind === 'summary')
      sentences.push(...telling(entry, at));
    if (entry.kind === 'tool_call' && entry.failed !== 1)
      for (const file of filesOf(entry)) {
        const before = files.get(file);
        files.set(file, { entry: entry.id, count: (before?.count ?? 0) + 1 });
      }
    if (entry.kind === 'tool_result') {
      const what = `${entry.tool ?? 'a tool'}: ${firstLine(entry.text)}`;
      // What failed and later did not is no failure any more.
      if (entry.failed === 1) failed.set(what, entry);
      else if (entry.failed === 0)
        for (const [name, one] of failed) if (isSameCall(one, entry)) failed.delete(name);
    }
  }
  yield* sentences;
  const stands = lastAnswer && { entry: lastAnswer, text: clip(lastAnswer.text.trim(), LONGEST.stands) };
  if (stands) yield line('Where it stands', stands.text, { entry: stands.entry, order: 0 });
  if (lastPrompt && (!lastAnswer || isBehind(lastPrompt, lastAnswer)))
    yield line('Open', `Not answered yet: ${oneLine(lastPrompt.text, LONGEST.sentence)}`, {
      entry: lastPrompt,
      order: 0,
    });
  for (const [what, entry] of [...failed].reverse())
    yield line('Failed', oneLine(what, LONGEST.error), { entry, order: -entry.seq });
  for (const [file, { entry, count }] of [...files].sort(([, a], [, b]) => b.count - a.count))
    yield { section: 'Files', text: `\`${oneLine(file, 200)}\``, entry, order: -count };
}

function line(section: Section, text: string, { entry, order }: { entry: EntryRow; order: number }): Line {
  return { section, text, entry: entry.id, order };
}

function isBehind(a: EntryRow, b: EntryRow): boolean {
  return a.ordered_at > b.ordered_at || (a.ordered_at === b.ordered_at && a.place > b.place);
}

function isSameCall(a: EntryRow, b: EntryRow): boolean {
  return a.tool !== null && a.tool === b.tool && a.files === b.files && a.files !== '[]';
}

/** Sentences that tell of a decision or of what is open, newer ones first. */
function telling(entry: EntryRow, at: number): Line[] {
  const found: Line[] = [];
  for (const { text } of sentencesOf(entry.text.slice(0, 20_000), LONGEST.sentence)) {
    if (text.endsWith('?')) continue;
    const said = oneLine(text, LONGEST.sentence);
    const place = { entry, order: -at };
    const padded = ` ${text
      .toLowerCase()
      .replaceAll('’', "'")
      .replaceAll(/[^\p{L}\p{N}'-]+/gu, ' ')} `;
    const has = (phrase: string) => padded.includes(` ${phrase} `);
    const section = DECIDED.some(has)
      ? 'Decided'
      : OPEN.some(has) && entry.kind !== 'prompt'
        ? 'Open'
        : undefined;
    if (section) found.push(line(section, said, place));
    else if (entry.kind === 'summary') found.push(line('Done', said, place));
  }
  return found;
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((one) => one.trim());
  return (
    lines.find((one) => /error|failed|exception|cannot|not found/iu.test(one)) ?? lines.find(Boolean) ?? ''
  );
}

/** A text in one line that no Markdown of its own can break out of. */
function oneLine(text: string, longest: number): string {
  return clip(text.replaceAll(/\s+/gu, ' ').trim(), longest);
}

function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
