import { outsideLiterals, withoutComments, withoutHighlights } from '@reverie/shared/contract/obsidian-marks';
import { bodyAt } from './front-matter.ts';

/** Characters that are looked at: a row of a list has room for some hundred. */
const LOOKED_AT = 500;
/** Lines that say nothing by themselves: fences, rulers, underlined headings, the line below the head of a table. */
const SILENT = /^\s*(?:(?:`{3}|~{3}).*|[-*_=](?:[ \t]*[-*_=])*|[ \t|:-]*)$/;

/**
 * How a note begins, as one line of plain text: without its title, which stands above it, and without the marks of
 * Markdown. `title` is what it is called; without one, a heading that it begins with is left out.
 */
export function plainLine(value: string, title = ''): string {
  const head = value.slice(0, LOOKED_AT);
  // Of Obsidian's comments, which go over lines, none is said.
  const lines = withoutHighlights(withoutComments(head.slice(bodyAt(head)))).split(/\r?\n/);
  const said = lines.filter((line) => !SILENT.test(line));
  const [first = ''] = said;
  const isHeading =
    /^ {0,3}#{1,6}[ \t]/.test(first) || /^\s*(?:=+|-{2,})\s*$/.test(lines[lines.indexOf(first) + 1] ?? '');
  const text = (isHeading ? said.slice(1) : said)
    .map(plain)
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return isHeading ? text : withoutTitle(text, title);
}

/** The words of a quoted sentence or two, line by line, without the marks of Markdown. */
export function plainWords(text: string): string {
  return withoutHighlights(text).split('\n').map(plain).join('\n');
}

function withoutTitle(text: string, title: string): string {
  const named = title.replace(/…$/, '');
  if (named === '' || !text.startsWith(named)) return text;
  // A title that was cut is a part of its sentence, which is better read whole.
  return title.endsWith('…') ? text : text.slice(named.length).replace(/^[\s.:;,–—-]+/, '');
}

function plain(line: string): string {
  return outsideLiterals(line, withoutSigns);
}

function withoutSigns(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}[ \t]+|(?:>|[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>)+/, '')
    .replace(/^\s*\||\|\s*$/g, '')
    .replace(/\s\|\s/g, ' · ')
    .replace(/<!--.*?(?:-->|$)/g, '')
    .replace(/(?<=!\[\[[^[\]|]*)\|\s*\d{1,4}(?:x\d{1,4})?\s*(?=\]\])/g, '')
    .replace(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)(?:\]\]|$)/g, '$1')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:[ \t][^()]*)?(?:\)|$)/g, '$1')
    .replace(/\[\^[^\]\s]+\]/g, '')
    .replace(/(\*\*|__|~~)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(?<![\w*\\])\*(?=\S)([^*]*[^\s*\\])\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(?=\S)([^_]*[^\s_])_(?![\w_])/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}
