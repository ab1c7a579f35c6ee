/** A text as it is looked at, with the way back to the text that it was made of. */
export interface View {
  text: string;
  /** Where each character begins in the source; undefined where both are the same. */
  from?: Uint32Array;
  /** Where each ends in the source. */
  to?: Uint32Array;
  /** Places at which something was left out between the character before and this one, such as the end of a line; ascending. */
  breaks: readonly number[];
}

/** Where a part of a view stands in its source. */
export function sourceOf({ from, to }: View, start: number, end: number): { start: number; end: number } {
  if (!from || !to || end <= start) return { start, end };
  return { start: from[start] ?? 0, end: to[end - 1] ?? 0 };
}

/** The text as it is. */
export function plainView(text: string): View {
  return { text, breaks: [] };
}

/** What an edit of a view puts in the place of a part of it. */
interface Edit {
  start: number;
  end: number;
  by: string;
}

/** A view with some parts of it replaced; undefined where there is nothing to replace. */
function edited(view: View, edits: Iterable<Edit>): View | undefined {
  const kept = [...edits];
  if (kept.length === 0) return undefined;
  const { text } = view;
  const size = kept.reduce((sum, { start, end, by }) => sum + by.length - (end - start), text.length);
  const from = new Uint32Array(size);
  const to = new Uint32Array(size);
  const pieces: string[] = [];
  const breaks: number[] = [];
  let [read, written] = [0, 0];
  const copy = (end: number) => {
    for (let at = read; at < end; at += 1) {
      from[written] = view.from?.[at] ?? at;
      to[written] = view.to?.[at] ?? at + 1;
      written += 1;
    }
    pieces.push(text.slice(read, end));
  };
  for (const { start, end, by } of kept) {
    copy(start);
    const source = sourceOf(view, start, end);
    for (let at = 0; at < by.length; at += 1) {
      from[written] = source.start;
      to[written] = source.end;
      written += 1;
    }
    if (by === '') breaks.push(written);
    pieces.push(by);
    read = end;
  }
  copy(text.length);
  return { text: pieces.join(''), from, to, breaks };
}

/** Colours of terminals, and characters that nobody sees. */
// eslint-disable-next-line no-control-regex -- the beginning of a colour is a control character
const UNSEEN = /\u001b\[[0-9;?]{0,16}[A-Za-z]|[\u00ad\u200b-\u200d\u2060\ufeff]/gu;

const ESCAPED =
  /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(["'`\\/nrtbf]))|%([0-9a-fA-F]{2})|&(?:#x([0-9a-fA-F]{1,4})|#(\d{1,5})|(amp|lt|gt|quot|apos));/gu;

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function characterOf(match: RegExpExecArray): string {
  const [, unicode, hex, letter, percent, entityHex, entity, name] = match;
  const code = unicode ?? hex ?? percent ?? entityHex;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (entity !== undefined) return String.fromCharCode(Number(entity) & 0xffff);
  const named = letter ?? name ?? '';
  return NAMED[named] ?? named;
}

/** How often a text may be written within another: JSON in JSON in a log. */
const LEVELS = 4;

/** The text as it is, then without colours, then with its escapes resolved, level by level: `\\n` to `\n` to the end of a line. */
export function levelsOf(text: string): View[] {
  const levels = [plainView(text)];
  let view: View | undefined = levels[0];
  for (let level = 0; level < LEVELS && view; level += 1) {
    const current: View = view;
    const unseen = edited(
      current,
      current.text.matchAll(UNSEEN).map((found) => ({
        start: found.index,
        end: found.index + found[0].length,
        by: '',
      })),
    );
    if (unseen) levels.push(unseen);
    const shown = unseen ?? current;
    view = edited(
      shown,
      shown.text.matchAll(ESCAPED).map((found) => ({
        start: found.index,
        end: found.index + found[0].length,
        by: characterOf(found),
      })),
    );
    if (view) levels.push(view);
  }
  return levels;
}

/** What stands before the rest of it: the sign of a diff, the number of a line, a quote, a comment. */
const AFTER_END =
  /\n[ \t]{0,80}(?:\d{1,7}[ \t]{0,8}(?:→|\||:|\t))?[ \t]{0,80}(?:[+\-|>*#│┃]{1,2}[ \t]{0,8}|\/\/[ \t]?)?(?:\+[ \t]{0,8})?["'`]?/uy;
const JOINED_QUOTES = /["'`][ \t]{0,8}(?:[+&]|\.{1,2})[ \t]{0,8}["'`]/gu;
const OF_A_WORD = /[^\s"'`,;(){}[\]<>]/u;

const BLANK = new Set([' ', '\t', '\r']);
const GOES_ON = new Set(['\\', '+', '.', '&']);
const QUOTE = new Set(['"', "'", '`']);

/** Where a line ends without what only says that its last word goes on in the next: `\`, `" +`. */
function wordEnd(text: string, lineEnd: number): number {
  let at = lineEnd;
  const back = (over: ReadonlySet<string>, most: number) => {
    for (let steps = 0; steps < most && over.has(text.charAt(at - 1)); steps += 1) at -= 1;
  };
  back(BLANK, 80);
  const bare = at;
  back(GOES_ON, 2);
  // A full stop may be of the word itself, as in a web token: it counts as a mark only behind a quote.
  if (at < bare && text.charAt(bare - 1) !== '\\' && !/["'` \t]/u.test(text.charAt(at - 1))) at = bare;
  back(BLANK, 80);
  back(QUOTE, 1);
  return at;
}

function* lineEnds(text: string): Generator<Edit> {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text.charAt(at + 1) === '\n') continue;
    const start = wordEnd(text, at);
    if (!OF_A_WORD.test(text.charAt(start - 1))) continue;
    AFTER_END.lastIndex = at;
    const end = at + (AFTER_END.exec(text)?.[0].length ?? 1);
    if (OF_A_WORD.test(text.charAt(end))) yield { start, end, by: '' };
  }
}

function* inOrder(text: string): Generator<Edit> {
  const quotes = text
    .matchAll(JOINED_QUOTES)
    .map((found) => ({ start: found.index, end: found.index + found[0].length, by: '' }))
    .toArray();
  let last = 0;
  for (const edit of [...quotes, ...lineEnds(text)].sort((a, b) => a.start - b.start)) {
    if (edit.start < last) continue;
    last = edit.end;
    yield edit;
  }
}

/**
 * A view with the words joined that are cut by the end of a line or written as `"one" + "two"`; its `breaks` say where.
 * Undefined where no word may be cut.
 */
export function joinedView(view: View): View | undefined {
  return edited(view, inOrder(view.text));
}

/** Index of the first break behind a place. */
export function firstBreakBehind(breaks: readonly number[], place: number): number {
  let low = 0;
  for (let high = breaks.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((breaks[middle] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether what a line begins with may be the rest of a secret that the line before began: no word, and no name of a value. */
export function goesOn(word: string, behind: string): boolean {
  if (word === '' || /^\s{0,2}[=:(]/u.test(behind)) return false;
  return /\d/u.test(word) || word.length > 24 || /[a-z][A-Z]|[A-Z]{2,}[a-z]/u.test(word);
}
