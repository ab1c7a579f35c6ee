import type { MarkedText } from '../text/marked.ts';
import { beginsJson, jsonLine } from './json-text.ts';
import { isSentence, ownTitle } from './own-title.ts';
import { plainLine } from './plain-line.ts';
import { plainPassage } from './plain-passage.ts';

/** A memory of a list or of a search, as far as it was asked for. */
export interface KnownMemory {
  key: string;
  title: string;
  /** Perhaps its beginning alone; missing where no values were asked for. */
  value?: string | undefined;
  truncated?: true | undefined;
  /** What of it fits a search; its marks are counted in the whole value. */
  passage?: { text: string; start: number; marks: MarkedText['marks'] } | undefined;
}

/** A memory to the eye: a title, where it has one of its own, and words that do not say it again. */
export interface Anatomy {
  /** Undefined where its own words stand for it. */
  title: MarkedText | undefined;
  /** Plain words on one line. */
  text: MarkedText;
}

const NO_MARKS: MarkedText['marks'] = [];

/** How a memory is shown wherever it is one of several: of one that was found the words that fit, else how it begins. */
export function anatomyOf(memory: KnownMemory): Anatomy {
  const { key, title, passage, truncated = false } = memory;
  // A passage from the very beginning tells as much as the value does.
  const value = memory.value ?? (passage?.start === 0 ? passage.text : '');
  if (beginsJson(value, truncated)) return { title: undefined, text: unmarked(jsonLine(value)) };
  const own = ownTitle({ value, title });
  const calledBy = own && unmarked(own.words);
  if (passage && memory.value !== undefined && !truncated && isSentence({ value, title }))
    return withPassage(calledBy, { text: value, start: 0, marks: passage.marks });
  if (passage) return withPassage(calledBy, passage);
  const said = own ? plainLine(value, own.words) : plainLine(value);
  const text = truncated && said !== '' ? `${said}…` : said;
  if (!own && text === '') return { title: undefined, text: unmarked(title === '' ? key : title) };
  return { title: calledBy, text: unmarked(text) };
}

/** What fits, without the title where that begins it, which is marked then. */
function withPassage(
  title: MarkedText | undefined,
  { text, start, marks }: NonNullable<KnownMemory['passage']>,
): Anatomy {
  const plain = plainPassage({ text, marks: marks.map(([from, to]) => [from - start, to - start] as const) });
  const from = plain.text.search(/\S/u);
  if (!title || from < 0 || !plain.text.startsWith(title.text, from)) return { title, text: plain };
  const end = from + title.text.length;
  const rest = end + (/^[\s.:;,–—-]*/u.exec(plain.text.slice(end))?.[0].length ?? 0);
  return {
    title: { text: title.text, marks: moved(plain.marks, from, end) },
    text: { text: plain.text.slice(rest), marks: moved(plain.marks, rest, plain.text.length) },
  };
}

/** The marks that lie between two places, counted from the first of them. */
function moved(marks: MarkedText['marks'], from: number, to: number): MarkedText['marks'] {
  return marks.flatMap(([start, end]) =>
    start >= from && end <= to ? [[start - from, end - from] as const] : [],
  );
}

function unmarked(text: string): MarkedText {
  return { text, marks: NO_MARKS };
}
