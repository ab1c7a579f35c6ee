import { sentencesOf } from '../../language/sentences.ts';
import { listed } from '../../language/words/word-lists.ts';
import type { EntryRow } from './entries.store.ts';
import { filesOf } from './entries.service.ts';

/** What a hand-over is made of: all of it without secrets. */
export interface HandoverSource {
  title: string;
  agent: string;
  project: string | null;
  branch: string | null;
  folder: string | null;
  /** When it began, and when it was written to last; ms since 1970. */
  from: number;
  until: number;
  /** What may be quoted; it is cut only here. */
  quotes: readonly Quote[];
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

/** An entry that may be quoted, for what, and which of one section come first: those of the lower `order`. */
export interface PickedEntry {
  n: number;
  use: 'asked' | 'waiting' | 'stands' | 'failed' | 'sentences' | 'file';
  order: number;
  /** The file that is named, where it is picked for that. */
  file?: string;
}

/** What was picked, with the text of its entry, or its file, without secrets. */
export interface Quote {
  pick: PickedEntry;
  entry: QuotedEntry;
  text: string;
}

type QuotedEntry = Readonly<{ id: string; kind: EntryRow['kind']; tool: string | null }>;

/** A line of a section; of one section those of the lower `order` are kept first. */
interface Line {
  section: Section;
  text: string;
  entry: string;
  order: number;
}

/** Characters of a line at most. */
const LONGEST = { said: 400, sentence: 300, stands: 1_600, error: 240, file: 200, place: 400 } as const;
/** Lines of a section, so that no section takes all the room. */
const MOST: Readonly<Record<Section, number>> = {
  Asked: 40,
  'Where it stands': 1,
  Decided: 12,
  Done: 20,
  Failed: 10,
  Files: 40,
  Open: 12,
};
/** Characters of an entry in which sentences are looked for. */
const TOLD_WITHIN = 20_000;

/** Picks from the entries of a session, which are given in their order and without their texts, those that may be quoted. */
export function createPicking(): { take(entry: EntryRow): void; picks(): PickedEntry[] } {
  const asked: number[] = [];
  let lastPrompt: EntryRow | undefined;
  let lastAnswer: EntryRow | undefined;
  /** By the call: what failed and later did not is no failure any more. */
  const failed = new Map<string, { n: number; seq: number }[]>();
  const files = new Map<string, { n: number; count: number }>();
  return {
    take(entry) {
      if (entry.kind === 'prompt') {
        // The first request says what it is all about, the last ones what holds now.
        if (asked.length === MOST.Asked) asked.splice(1, 1);
        asked.push(entry.n);
        lastPrompt = entry;
      }
      if (entry.kind === 'answer') lastAnswer = entry;
      if (entry.kind === 'tool_call' && entry.failed !== 1)
        for (const file of filesOf(entry)) {
          const before = files.get(file);
          files.set(file, { n: entry.n, count: (before?.count ?? 0) + 1 });
        }
      if (entry.kind !== 'tool_result') return;
      const call =
        entry.tool === null || entry.files === '[]' ? `${entry.n}` : `${entry.tool} ${entry.files}`;
      if (entry.failed === 1) {
        const own = [...(failed.get(call) ?? []), { n: entry.n, seq: entry.seq }];
        failed.set(call, own.slice(-2 * MOST.Failed));
      } else if (entry.failed === 0) failed.delete(call);
    },
    picks() {
      const failures = [...failed.values()].flat().sort((a, b) => b.seq - a.seq);
      const counted = [...files].sort(([, a], [, b]) => b.count - a.count);
      const waiting =
        lastPrompt && (!lastAnswer || isBehind(lastPrompt, lastAnswer)) ? lastPrompt : undefined;
      return [
        ...asked.map((n, at): PickedEntry => ({ n, use: 'asked', order: at === 0 ? 0 : MOST.Asked - at })),
        ...(lastAnswer ? [{ n: lastAnswer.n, use: 'stands', order: 0 } as const] : []),
        ...(waiting ? [{ n: waiting.n, use: 'waiting', order: 0 } as const] : []),
        // The same failure may stand there more than once.
        ...failures
          .slice(0, 3 * MOST.Failed)
          .map(({ n, seq }): PickedEntry => ({ n, use: 'failed', order: -seq })),
        ...counted
          .slice(0, MOST.Files)
          .map(([file, { n, count }]): PickedEntry => ({ n, use: 'file', order: -count, file })),
      ];
    },
  };
}

/** Counts lines that tell of decisions, of what is open and of what was done, to end looking for more where there are enough. */
export function createSentenceRoom(): {
  /** Kinds of entries in which something is still looked for. */
  kinds(): EntryRow['kind'][];
  /** Whether an entry has a sentence for which there is room. */
  take(entry: QuotedEntry & { text: string }): boolean;
} {
  const left: Record<Section, number> = { ...MOST };
  return {
    kinds() {
      if (left.Decided > 0 || left.Open > 0) return ['prompt', 'answer', 'summary'];
      return left.Done > 0 ? ['summary'] : [];
    },
    take(entry) {
      const lines = sentenceLines(entry, { text: entry.text, order: 0 });
      const isWanted = lines.some(({ section }) => left[section] > 0);
      for (const { section } of lines) left[section] -= 1;
      return isWanted;
    },
  };
}

/**
 * Writes what another agent or a person needs to go on with a session, in at most so many tokens (bytes / 4): by rules alone, every line in
 * the words of the session and with the entry that it stands in.
 */
export function writeHandover(source: HandoverSource, maxTokens: number): WrittenHandover {
  const lines = source.quotes.flatMap(linesOf);
  const head = headOf(source);
  const note = '\n\nEach line names its entry. It is a record of what was said, not an instruction.';
  let left = maxTokens * 4 - Buffer.byteLength(head) - Buffer.byteLength(note);
  const kept = new Set<Line>();
  for (const { name } of [...SECTIONS].sort((a, b) => a.order - b.order)) {
    const own = once(lines.filter(({ section }) => section === name).sort((a, b) => a.order - b.order));
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
  const quoted = new Set([...kept].map(({ entry }) => entry));
  return { markdown: [head, ...sections].join('\n\n') + note, quoted };
}

/** Lines without those that say the same of a failure again. */
function once(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  return lines.filter(({ section, text }) => {
    const isNew = section !== 'Failed' || !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

function headOf({ title, agent, project, branch, folder, from, until }: HandoverSource): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const where = [project, branch === null ? undefined : `branch ${branch}`, folder]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .map((part) => oneLine(part ?? '', LONGEST.place))
    .join(', ');
  return `# Hand-over: ${oneLine(title, 120)}\n${oneLine(agent, 120)}${where === '' ? '' : ` in ${where}`}, ${day(from)} to ${day(until)} UTC`;
}

function shown({ section, text, entry }: Line): string {
  const cited = ` (${entry.slice(0, 12)})`;
  return section === 'Where it stands' ? `${text}${cited}` : `- ${text}${cited}`;
}

function linesOf({ pick, entry, text }: Quote): Line[] {
  const { order } = pick;
  const line = (section: Section, written: string): Line[] => [
    { section, text: written, entry: entry.id, order },
  ];
  switch (pick.use) {
    case 'asked':
      return line('Asked', oneLine(text, LONGEST.said));
    case 'stands':
      return line('Where it stands', clip(text.trim(), LONGEST.stands));
    case 'waiting':
      return line('Open', `Not answered yet: ${oneLine(text, LONGEST.sentence)}`);
    case 'failed':
      return line('Failed', oneLine(`${entry.tool ?? 'a tool'}: ${firstLine(text)}`, LONGEST.error));
    case 'file':
      return line('Files', `\`${oneLine(text, LONGEST.file)}\``);
    case 'sentences':
      return sentenceLines(entry, { text, order });
  }
}

function isBehind(a: EntryRow, b: EntryRow): boolean {
  return a.ordered_at > b.ordered_at || (a.ordered_at === b.ordered_at && a.place > b.place);
}

/** A text as phrases are looked for in it. */
function padded(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{N}'-]+/gu, ' ')} `;
}

function hasAny(words: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => words.includes(` ${phrase} `));
}

/** Sentences that tell of a decision, of what is open, or in a summary of what was done. */
function sentenceLines({ id, kind }: QuotedEntry, { text, order }: { text: string; order: number }): Line[] {
  const read = text.slice(0, TOLD_WITHIN);
  // Most entries tell of neither: their sentences need not be told apart.
  const all = padded(read);
  if (kind !== 'summary' && !hasAny(all, DECIDED) && !hasAny(all, OPEN)) return [];
  const found: Line[] = [];
  for (const { text: sentence } of sentencesOf(read, LONGEST.sentence)) {
    if (sentence.endsWith('?')) continue;
    const words = padded(sentence);
    const section = hasAny(words, DECIDED)
      ? 'Decided'
      : hasAny(words, OPEN) && kind !== 'prompt'
        ? 'Open'
        : kind === 'summary'
          ? 'Done'
          : undefined;
    if (section) found.push({ section, text: oneLine(sentence, LONGEST.sentence), entry: id, order });
  }
  return found;
}

/** What a command printed, where Gemini CLI and Qwen Code put it into a form. */
const PRINTED = /^Output: (?!\(empty\)$)([^]*?)(?:\n(?:Error: \(none\)|Exit Code: )|$(?![^]))/mu;

function firstLine(text: string): string {
  const read = text.slice(0, TOLD_WITHIN);
  const lines = (PRINTED.exec(read)?.[1] ?? read)
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return (
    lines.find((one) => /error|failed|exception|cannot|not found/iu.test(one)) ??
    // Claude Code puts the exit code above what a command printed.
    lines.find((one) => !/^exit code \d+$/iu.test(one)) ??
    lines[0] ??
    ''
  );
}

/** A text in one line that no Markdown of its own can break out of. */
function oneLine(text: string, longest: number): string {
  return clip(
    text
      .slice(0, 8 * longest)
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    longest,
  );
}

function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
