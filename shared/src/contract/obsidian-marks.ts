/** A part of a text, by its UTF-16 units. */
export interface Span {
  from: number;
  to: number;
}

/** A `%%`, and what it may be by what stands around it. */
export interface CommentSign {
  /** The paragraph or cell that it stands in. */
  block: unknown;
  opens: boolean;
  closes: boolean;
  /** It begins a line: only then may its comment go on into other blocks. */
  spans: boolean;
  isAfterDigit: boolean;
}

/** What of a text is kept as it is (code, formulas, addresses), and what Obsidian shows otherwise. */
interface ObsidianMarks {
  literals: Span[];
  comments: Span[];
  /** Each `==` of a pair. */
  highlights: Span[];
}

/** Of letters those of scripts with capitals: others, as Chinese, may have no blanks between words. */
const WORD = /^[\p{LC}\p{N}_]/u;
const FENCE = /^ {0,3}(`{3,}(?![^\n`]*`)|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gmu;
/** Formulas and addresses, each up to where one of its kind may begin; a sign at the end of an address is not of it. */
const FORMULA =
  /\$\$[^$]{1,4000}\$\$|(?<![\\$\p{L}\p{N}])\$(?=[^\s$])[^$\n]{1,2000}(?<=[^\s$\\])\$(?![\p{N}$])/u;
const ADDRESS =
  /(?<![a-z\d+.-]|\]\(<?)[a-z][a-z\d+.-]{1,20}:\/\/[^\s<>()[\]|`]+?(?=[*_~=%"'.,;:!?]{0,8}(?:[\s<>()[\]|`]|$))/u;
const TOKEN = new RegExp(
  `(${FORMULA.source}|${ADDRESS.source})|\\\\[^\\s\\w]|\\[\\[[^[\\]\\n]{1,1200}\\]\\]|\`+|~{3,}|%%|=+|\\n[ \\t\\r]*(?=\\n)|\\n[ \\t]*\\|?|\\|`,
  'giu',
);

/** Says whether a sign opens or closes by CommonMark's rule for `_`: none does within a word, so that `a==b` is none. */
export function flanking(before: string, after: string): { opens: boolean; closes: boolean } {
  return { opens: !WORD.test(before), closes: !WORD.test(after) };
}

/** Says what a `==` does: it marks, too, with no blank inside next to it. */
export function highlighting(before: string, after: string): { opens: boolean; closes: boolean } {
  const { opens, closes } = flanking(before, after);
  return { opens: opens && !/^\s/u.test(after), closes: closes && !/^\s/u.test(before) };
}

/** The comments among signs in their order, as pairs. */
export function pairedComments<Sign extends CommentSign>(signs: readonly Sign[]): [Sign, Sign][] {
  const pairs: [Sign, Sign][] = [];
  let open: Sign | undefined;
  for (const sign of signs) {
    const isSame = open?.block === sign.block;
    if (open && !isSame && !open.spans) open = undefined;
    // `10%%` far below is more likely a share than the end of a comment.
    if (open && sign.closes && (isSame || !sign.isAfterDigit)) {
      pairs.push([open, sign]);
      open = undefined;
    } else if (!open && sign.opens) open = sign;
  }
  return pairs;
}

/** Finds `==highlights==` and `%%comments%%` in a text of Markdown, and what is no mark whatever stands in it. */
export function obsidianMarks(text: string): ObsidianMarks {
  const { literals, signs, highlights } = readSigns(text);
  const comments = pairedComments(signs).map(([from, to]) => ({ from: from.at, to: to.at + 2 }));
  return { literals, comments, highlights };
}

/** The text without its comments. */
export function withoutComments(text: string): string {
  return replaced(text, obsidianMarks(text).comments, () => '');
}

/** The text with what is highlighted in it, but not the marks. */
export function withoutHighlights(text: string): string {
  return replaced(text, obsidianMarks(text).highlights, () => '');
}

/** Changes a text but for its code, formulas and addresses; of code the back-ticks go. */
export function outsideLiterals(text: string, change: (text: string) => string): string {
  const kept: string[] = [];
  const open = replaced(text, obsidianMarks(text).literals, (part) => {
    // U+FDD0 is no character, and for use within a program alone.
    return `\uFDD0${kept.push(part.replace(/^(`+)([^]*)\1$/u, '$2')) - 1}\uFDD0`;
  });
  return change(open).replace(/\uFDD0(\d+)\uFDD0/gu, (stands, number) => kept[Number(number)] ?? stands);
}

function replaced(text: string, spans: readonly Span[], by: (part: string) => string): string {
  let kept = '';
  let done = 0;
  for (const { from, to } of spans) {
    kept += text.slice(done, from) + by(text.slice(from, to));
    done = to;
  }
  return kept + text.slice(done);
}

function readSigns(text: string) {
  const literals: Span[] = [];
  const signs: (CommentSign & { at: number })[] = [];
  const highlights: Span[] = [];
  const code = codeIn(text);
  let block = 0;
  let isRow = /^[ \t]*\|/u.test(text);
  let open: Span | undefined;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const { index, 0: token } = found;
    const end = code.get(index);
    const span = { from: index, to: end ?? index + token.length };
    const [before, after] = [text[index - 1] ?? ' ', text[span.to] ?? ' '];
    TOKEN.lastIndex = span.to;
    if (end !== undefined || found[1] !== undefined) literals.push(span);
    else if (token.startsWith('\n') || (token === '|' && isRow)) {
      isRow = token.endsWith('|');
      // Paragraphs and cells end here; of a paragraph the lines are one.
      if (!isRow && after !== '\n') continue;
      block += 1;
      open = undefined;
    } else if (token === '==') {
      const { opens, closes } = highlighting(before, after);
      if (open && closes) {
        highlights.push(open, span);
        open = undefined;
      } else if (!open && opens) open = span;
    } else if (token === '%%')
      signs.push({
        at: index,
        block,
        ...flanking(before, after),
        spans: /(?:^|\n)[ \t>]*$/u.test(text.slice(Math.max(0, index - 20), index)) && !isRow,
        isAfterDigit: /\p{N}/u.test(before),
      });
  }
  return { literals, signs, highlights };
}

/** Where each block and span of code ends, by where it begins: runs of as many back-ticks close each other in a paragraph. */
function codeIn(text: string): Map<number, number> {
  const code = new Map<number, number>();
  let from = 0;
  for (const { index, 0: fence } of text.matchAll(FENCE)) {
    spansIn(from, index);
    from = index + fence.length;
    code.set(index + fence.search(/[`~]/u), from);
  }
  spansIn(from, text.length);
  return code;

  function spansIn(start: number, end: number): void {
    const next = new Map<number, number>();
    const runs = [...text.slice(start, end).matchAll(/`+|\n[ \t\r]*(?=\n)/gu)];
    for (const { index, 0: run } of runs.reverse()) {
      if (run.startsWith('\n')) next.clear();
      else {
        const close = next.get(run.length);
        if (close !== undefined) code.set(start + index, close);
        next.set(run.length, start + index + run.length);
      }
    }
  }
}
