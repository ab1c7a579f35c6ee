import { bodyAt } from './front-matter.ts';
import { kindOf } from './kind-of.ts';
import { plainWords } from './plain-line.ts';

interface TitledValue {
  value: string;
  /** What the memory is called, in plain words. */
  title: string;
}

/** A title of a memory's own, and where its text begins below that. */
export interface OwnTitle {
  /** Whole, also where the memory is called by the beginning of it. */
  words: string;
  /** 0 where the title stands elsewhere, in properties say, so that the whole value is its text. */
  textAt: number;
  /** Whether the text begins with it as a heading with its sign, so that it is a title where it is written, too. */
  isHeading: boolean;
}

/** The line below a heading that is underlined, and what is blank behind it. */
const UNDERLINE = /^(?:={2,}|-{2,})[ \t]*(?:\r?\n|$)/u;
const HEADING = /^ {0,3}#{1,6}[ \t]/u;
/** Characters in which a title that is not at the beginning is looked for. */
const LOOKED_AT = 4_000;

/**
 * The title of a memory, where it has one of its own: a heading or a line of its own that it begins with, or one that was given. Undefined
 * where the title is only taken from its text: then its own words stand for it.
 */
export function ownTitle({ value, title }: TitledValue): OwnTitle | undefined {
  if (title === '') return undefined;
  const front = bodyAt(value);
  const from = front + (/^\s*/u.exec(value.slice(front))?.[0].length ?? 0);
  const [line = '', ...others] = value.slice(from, Math.max(from, LOOKED_AT)).split('\n');
  const isCalled = sayer(title);
  if (!isCalled(line))
    return others.some(isCalled) ? undefined : { words: title, textAt: 0, isHeading: false };
  const after = value.slice(from + line.length + 1);
  const underline = UNDERLINE.exec(after)?.[0].length;
  const isTitled = HEADING.test(line) || underline !== undefined;
  const words = plainWords(line).trim();
  // A line that leads somewhere would not do so above the text.
  const leads = /[[\]<]/u.test(line);
  const isAlone =
    !leads && bare(words) === bare(title) && /^[ \t]*\r?\n\s*\S/u.test(after) && kindOf(value) !== 'code';
  if (!isTitled && !isAlone) return undefined;
  const text = after.slice(underline ?? 0).replace(/^(?:[ \t]*\r?\n)+/u, '');
  return {
    words: words.replace(/[ \t]+#+$/u, ''),
    textAt: value.length - text.length,
    isHeading: HEADING.test(line),
  };
}

/** Says of a line whether a title is taken from it: it says that alone, begins with that sentence, or the title is cut. */
function sayer(title: string): (line: string) => boolean {
  const called = bare(title);
  const isCut = title.endsWith('…');
  const isSentenceOfLine = isCut || /[.!?:;。]\P{L}*$/u.test(title);
  return (line) => {
    const said = bare(plainWords(line));
    const mayGoOn = HEADING.test(line) ? isCut : isSentenceOfLine;
    return said === called || (mayGoOn && said.startsWith(called));
  };
}

/** Words without what stands between them, so that marks of Markdown make no difference. */
function bare(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Characters of a note that is read as a sentence. */
const SHORT = 280;
/** What begins a line that is more than words: a list, a heading, a quotation, a table, a fence, a formula, a picture. */
const BLOCK = /^(?: {4}|\t| {0,3}(?:[-*+>|][ \t]|#{1,6}[ \t]|\d{1,9}[.)][ \t]|\||`{3}|~{3}|\$\$|!\[))/mu;

/** Whether a value is a sentence or two and nothing else: one short paragraph without a title of its own. */
export function isSentence(of: TitledValue): boolean {
  const text = of.value.slice(bodyAt(of.value)).trim();
  return (
    text !== '' &&
    text.length <= SHORT &&
    !/\n[ \t]*\r?\n/u.test(text) &&
    !BLOCK.test(text) &&
    !['json', 'code'].includes(kindOf(text)) &&
    ownTitle(of) === undefined
  );
}
