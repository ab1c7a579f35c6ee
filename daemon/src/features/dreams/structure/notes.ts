import { headDay, keyDay } from '@reverie/memory-formats/days/head-day';
import { isoDay } from '../../../language/notes/noted-day.ts';
import { frontMatterLength, passagesOf } from '../../../language/passages.ts';
import { titleOf } from '../../../language/notes/title.ts';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import type { DreamMemory } from '../dream-memory.ts';
import type { Proposal } from '../proposal.ts';

const DAY = 86_400_000;

/** A sentence of prose, or an item of a list, as it stands in the value. */
export interface NoteSentence {
  readonly of: Note;
  readonly text: string;
  /** The headings that it stands below. */
  readonly path: readonly string[];
  /** Of `- [ ]` and `- [x]`; undefined where it is no task. */
  readonly task: 'open' | 'done' | undefined;
}

/** A memory with what of it is prose. */
export interface Note {
  readonly memory: DreamMemory;
  readonly title: string;
  /** No front matter, heading, table, code, formula or template. */
  readonly sentences: readonly NoteSentence[];
  /** The day that it gives itself, in its key or at its beginning, in milliseconds since 1970. */
  readonly ownDay: number | undefined;
  /** The day of which it tells: its own, else when it was written; undefined where most were stored on one day. */
  readonly day: number | undefined;
}

/** A namespace, read once for all finders. */
export interface Notes {
  readonly all: readonly Note[];
  /** Most notes come out of a folder of Markdown files: only what is certain is proposed. */
  readonly isVault: boolean;
  /** Milliseconds since 1970; the only clock of a finder. */
  readonly now: number;
}

/** Finds by structure alone, without a model. The same notes give the same proposals in the same order, best first. */
export type Finder = (notes: Notes) => readonly Proposal[];

/** A share of notes that makes a vault; fewer notes than `least` make none. */
const VAULT = { share: 0.6, least: 5 } as const;

/** Reads memories, those by `time` first, for all finders. */
export function readNotes(memories: readonly DreamMemory[], now: number): Notes {
  const files = memories.filter(({ key, value }) => key.endsWith('.md') || frontMatterLength(value) > 0);
  const perDay = new Map<number, number>();
  for (const { time } of memories) perDay.set(floor(time), (perDay.get(floor(time)) ?? 0) + 1);
  const crowded = Math.max(2, memories.length / 2);
  return {
    all: memories.map((memory) => {
      const day = floor(memory.time);
      return noteOf(memory, (perDay.get(day) ?? 0) > crowded ? undefined : day);
    }),
    isVault: files.length >= VAULT.least && files.length >= VAULT.share * memories.length,
    now,
  };
}

const floor = (time: number): number => Math.floor(time / DAY) * DAY;

/** Marks of a page that a program fills in. */
const TEMPLATE = /\{\{[^}\n]*\}\}|<%|%>|\{%|<\/?[A-Z_]{3,}>/u;
const TEMPLATE_KEY = /(?:^|[/ _-])(?:templates?|vorlagen?|modèles?|plantillas?)(?:[/ ._-]|$)/iu;

/** Whether a memory is a page to be filled in. */
export function isTemplate({ key, value }: Pick<DreamMemory, 'key' | 'value'>): boolean {
  return TEMPLATE.test(value) || TEMPLATE_KEY.test(key);
}

function noteOf(memory: DreamMemory, written: number | undefined): Note {
  const { key, value, metadata } = memory;
  const sentences: NoteSentence[] = [];
  const ownDay = keyDay(key) ?? headDay(value.slice(frontMatterLength(value)).trimStart());
  const note: Note = {
    memory,
    title: titleOf(value, metadata),
    sentences,
    ownDay,
    day: ownDay ?? written,
  };
  if (isTemplate(memory)) return note;
  let item: { readonly block: number; readonly task: NoteSentence['task'] } | undefined;
  for (const { kind, start, end, path, block } of passagesOf(value)) {
    const text = value.slice(start, end);
    if (kind === 'row' || kind === 'code' || !isProse(text)) continue;
    const box = /^\[(.)\]\s/u.exec(text)?.[1];
    if (item?.block !== block || box !== undefined)
      item = { block, task: box === undefined ? undefined : box === ' ' ? 'open' : 'done' };
    const { task } = item;
    sentences.push({ of: note, text, path, task });
  }
  return note;
}

const LONGEST = 600;
/** Formulas, queries, what plug-ins fill in, lines of logs and programs. */
const NO_PROSE =
  /\$\$|\\[a-z]{2,}|::|^\s*[|<>{}=+*_~-]+\s*$|[;{}]\s*$|^\s*(?:[$>#]\s|at \S+ \(|!\[)|<\/?[a-z]+[ >]/u;

/** Whether a passage says something in words. */
function isProse(text: string): boolean {
  if (text.length > LONGEST || NO_PROSE.test(text)) return false;
  const letters = text.match(/\p{L}|\p{N}/gu)?.length ?? 0;
  return letters >= 0.6 * text.replaceAll(/[\s*_`[\]()"'“”.]/gu, '').length && /\p{L}{2}/u.test(text);
}

/** What a note is called, without folder and ending. */
export function nameOfKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.md$/iu, '');
}

/** The first sentence of a note, word for word; a piece of it where there is none. */
export function firstSentence({ memory, sentences: [first] }: Note): string {
  return first?.text ?? memory.value.trim().slice(0, 300).toWellFormed().trim();
}

/** Words of a note, letter by letter. */
export interface Quote {
  readonly note: Note;
  readonly text: string;
}

type Rest = Pick<Proposal, 'title' | 'content' | 'confidence'> & Partial<Proposal>;

/** A proposal that rests on quotes; where it has no body of its own they are it, each with key and day. */
export function proposalOf(strategy: Strategy, quotes: readonly Quote[], rest: Rest): Proposal {
  const lines = quotes.map(
    ({ note: { memory }, text }) =>
      `- ${text.replaceAll(/\s+/gu, ' ')} ("${memory.key}", ${isoDay(memory.time)})`,
  );
  const evidence = quotes.map(({ note, text }) => ({ key: note.memory.key, sentence: text }));
  return { strategy, body: lines.join('\n'), evidence, ...rest };
}

/** The older one first. */
export function byAge(a: Note, b: Note): number {
  return (
    a.memory.time - b.memory.time || a.memory.createdAt - b.memory.createdAt || a.memory.id - b.memory.id
  );
}
