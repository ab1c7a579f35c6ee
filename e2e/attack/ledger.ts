import { reproOf } from './sending.ts';

/** What the attack looks for. `wrong` is everything else that was promised otherwise: shapes, headers, leaks, memory. */
export const faults = ['failed', 'lost', 'readable', 'turns', 'hung', 'wrong'] as const;
export type Fault = (typeof faults)[number];

/** The longest that one turn of a program's main thread may take of the processor, ms: `docs/reliability.md` promises it. */
const LONGEST_TURN = 100;

const titles: Readonly<Record<Fault, string>> = {
  failed: '500s',
  lost: 'lost',
  readable: 'readable',
  turns: 'long turns',
  hung: 'hangs',
  wrong: 'other',
};

/** What one part of the attack did, and found. */
export interface Section {
  readonly name: string;
  /** Counts something that was done: requests, kills. */
  did(what: string, times?: number): void;
  /** Counts an answer by the class of its status; 0 is none. */
  answered(status: number): void;
  /** Notes how long a turn took at most while something was done, ms of the processor. */
  turn(ms: number, during: string): void;
  /** Notes a fault; the same words twice are one with a count. */
  found(fault: Fault, what: string, sent?: Parameters<typeof reproOf>[0]): void;
  /** Says why it was not made on this machine. */
  skipped(why: string): void;
  /** A figure that is told beside the faults. */
  figure(name: string, value: string): void;
}

export interface Ledger {
  section(name: string): Section;
  /** The table with all faults below it. */
  report(): string;
  faults(): number;
}

interface Book {
  name: string;
  done: Map<string, number>;
  answers: Map<string, number>;
  longestTurn: number;
  found: Map<string, { fault: Fault; what: string; times: number; repro: string }>;
  notes: string[];
}

/** Writes each fault down once, as it is found; `say` is told of it at once. */
export function createLedger(say: (text: string) => void): Ledger {
  const books: Book[] = [];
  const sum = (book: Book, fault: Fault) =>
    [...book.found.values()].filter((one) => one.fault === fault).reduce((all, { times }) => all + times, 0);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

  return {
    section(name) {
      const book: Book = {
        name,
        done: new Map(),
        answers: new Map(),
        longestTurn: 0,
        found: new Map(),
        notes: [],
      };
      books.push(book);
      const section: Section = {
        name,
        did: (what, times = 1) => void book.done.set(what, (book.done.get(what) ?? 0) + times),
        answered(status) {
          const kind = status === 0 ? 'none' : `${String(status)[0]}xx`;
          book.answers.set(kind, (book.answers.get(kind) ?? 0) + 1);
        },
        turn(ms, during) {
          book.longestTurn = Math.max(book.longestTurn, ms);
          if (ms > LONGEST_TURN) section.found('turns', `${during}: a turn took ${Math.round(ms)} ms`);
        },
        found(fault, what, sent) {
          const at = `${fault} ${what}`;
          const known = book.found.get(at);
          if (known) return void (known.times += 1);
          const repro = sent ? reproOf(sent) : '';
          book.found.set(at, { fault, what, times: 1, repro });
          say(`${name}: ${titles[fault]}: ${what}${repro && ` — ${repro}`}`);
        },
        skipped: (why) => void book.notes.push(`skipped: ${why}`),
        figure: (what, value) => void book.notes.push(`${what} ${value}`),
      };
      return section;
    },
    faults: () =>
      books.reduce((all, book) => all + faults.reduce((of, fault) => of + sum(book, fault), 0), 0),
    report() {
      const lines = books.map((book) =>
        row([
          book.name,
          [...[...book.done].map(([what, times]) => `${times} ${what}`), ...book.notes].join(', '),
          [...book.answers]
            .toSorted()
            .map(([kind, times]) => `${kind} ${times}`)
            .join(', '),
          book.longestTurn === 0 ? '' : `${Math.round(book.longestTurn)} ms`,
          ...faults.map((fault) => String(sum(book, fault))),
        ]),
      );
      const details = books.flatMap((book) =>
        [...book.found.values()].map(
          ({ fault, what, times, repro }) =>
            `- ${book.name}: ${titles[fault]}${times > 1 ? ` (${times} times)` : ''}: ${what}${repro && `\n  ${repro}`}`,
        ),
      );
      return [
        row(['section', 'done', 'answers', 'longest turn', ...faults.map((fault) => titles[fault])]),
        row(['---', '---', '---', '---:', ...faults.map(() => '---:')]),
        ...lines,
        ...(details.length > 0 ? ['', ...details] : []),
      ].join('\n');
    },
  };
}
