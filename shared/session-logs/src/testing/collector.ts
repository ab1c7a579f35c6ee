import type { LogRecord, ReadEntry, ReadUsage, SessionFacts, SessionFormat } from '../format.ts';
import { createJsonLines, type LineContents } from '../json-lines.ts';

/** A session as a store would have it in the end. */
interface Collected {
  facts: SessionFacts;
  /** By item, in the order of their time and item. */
  entries: ReadEntry[];
  usage: ReadUsage[];
}

/** Keeps what readers say, by session and item, as a store does. */
export interface Collector {
  take(record: LogRecord | undefined): void;
  /** What one line holds. */
  takeLine(contents: LineContents): void;
  sessions(): Map<string, Collected>;
  /** The one session that there is, or the one of this id. */
  session(id?: string): Collected;
  /** Types that were met, how often, and whether they are known. */
  types: Map<string, { count: number; known: boolean }>;
  malformed: number;
}

interface Held {
  facts: SessionFacts;
  entries: Map<string, ReadEntry>;
  usage: Map<string, ReadUsage>;
}

/** An empty collector. */
export function createCollector(): Collector {
  const held = new Map<string, Held>();
  const collector: Collector = {
    types: new Map(),
    malformed: 0,
    take(record) {
      if (!record) {
        collector.malformed++;
        return;
      }
      const type = collector.types.get(record.type) ?? { count: 0, known: record.known };
      collector.types.set(record.type, { count: type.count + 1, known: record.known });
      for (const read of record.reads) {
        const session: Held = held.get(read.session) ?? { facts: {}, entries: new Map(), usage: new Map() };
        held.set(read.session, session);
        if (read.kind === 'entry') session.entries.set(read.entry.item, read.entry);
        else if (read.kind === 'gone') for (const item of read.items) session.entries.delete(item);
        else if (read.kind === 'usage') {
          const before = session.usage.get(read.usage.item);
          if (!before || read.usage.output >= before.output) session.usage.set(read.usage.item, read.usage);
        } else session.facts = joined(session.facts, read.facts);
      }
    },
    takeLine({ records, isRead }) {
      for (const record of records) collector.take(record);
      if (!isRead) collector.malformed++;
    },
    sessions: () => new Map([...held].map(([id, session]) => [id, collected(session)])),
    session(id) {
      const session = id === undefined ? [...held.values()][0] : held.get(id);
      return collected(session ?? { facts: {}, entries: new Map(), usage: new Map() });
    },
  };
  return collector;
}

function joined(before: SessionFacts, next: SessionFacts): SessionFacts {
  const keeps = before.title && next.title && next.title.rank < before.title.rank;
  return { ...before, ...next, ...(keeps && { title: before.title }) };
}

function collected({ facts, entries, usage }: Held): Collected {
  return {
    facts,
    entries: [...entries.values()].sort((a, b) => a.at - b.at || (a.item < b.item ? -1 : 1)),
    usage: [...usage.values()].sort((a, b) => (a.item < b.item ? -1 : 1)),
  };
}

/** A reader of a file at this path below the root of its agent. */
export function readerOf(format: SessionFormat, path: string): { read(line: string): LineContents } {
  const file = format.fileAt(path);
  const reader = file && format.lines?.({ ...file, path });
  if (!reader) throw new Error(`${format.agent} reads no lines of ${path}`);
  return createJsonLines(reader);
}

/** Reads lines of one file into a collector. */
export function collect(
  format: SessionFormat,
  path: string,
  { lines, into = createCollector() }: { lines: readonly (string | object)[]; into?: Collector },
): Collector {
  const reader = readerOf(format, path);
  for (const line of lines)
    into.takeLine(reader.read(typeof line === 'string' ? line : JSON.stringify(line)));
  return into;
}
