import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { createRequire } from 'node:module';
import { sentencesOf } from './sentences.ts';

/** A piece of a text that says one thing: a sentence, a list item's sentence, a row of a table, a block of code. */
export interface TextPassage {
  /** As it is quoted: word for word but for white space; a row with its head (`Env: prod · Window: Thursday`). */
  readonly text: string;
  /** Where its own words stand in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The headings that it stands below, the outermost first. */
  readonly path: readonly string[];
  /** The line that leads to it: before a list, of the item around it, before code. */
  readonly lead?: string;
  /** Sentences of one paragraph, or of one paragraph of an item, have the same number; a row and a block of code have their own. */
  readonly block: number;
  readonly kind: 'sentence' | 'item' | 'row' | 'code';
}

/** Something that only Markdown has at the beginning of a line, or a fence. */
const MARKDOWN =
  /^ {0,3}(?:#{1,6} |[-*+] +\S|\d{1,3}[.)] +\S|> |```|~~~|\|.*\||\[?!\[[^\]\n]*\][[(])|^ {0,3}(?:={3,}|-{3,})\s*$/mu;
const FRONT_MATTER = /^---\r?\n[\s\S]{0,4000}?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/u;
/** Badges and pictures, alone in their paragraph. */
const PICTURES = /^(?:\s*\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\](?:\([^)]*\)|\[[^\]]*\]))?)+\s*$/u;
/** A line as long as this was broken by an editor, not by its writer. */
export const WRAPPED = 60;
/** Code that is quoted, in characters. */
const MOST_CODE = 300;
const LONGEST_LEAD = 160;

let parser: MarkdownIt | undefined;

/** The parser of Markdown's blocks. Loaded with the first text that is Markdown: the start has no use for it. */
export function markdown(): MarkdownIt {
  if (parser) return parser;
  const create = createRequire(import.meta.url)('markdown-it') as typeof MarkdownIt;
  // Only blocks are wanted; what stands in a line is quoted as it is.
  parser = new create().disable(['inline']);
  return parser;
}

/** The length of a text's front matter in UTF-16 units; 0 without one. */
export function frontMatterLength(text: string): number {
  return FRONT_MATTER.exec(text)?.[0].length ?? 0;
}

/** Whether a text is read as Markdown: it has front matter, or something that only Markdown has. */
export function isMarkdown(text: string): boolean {
  return MARKDOWN.test(text) || frontMatterLength(text) > 0;
}

/** The passages of a text in their order. Headings, front matter, rules, badges and the heads of tables are none by themselves. */
export function passagesOf(text: string): TextPassage[] {
  if (!isMarkdown(text)) return plainPassages(text);
  const front = frontMatterLength(text);
  return markdownPassages(text.slice(front), front);
}

/** Characters of a text whose marks are taken out, and of what stands between two of them: a heading of a page is none. */
const LONGEST_MARKED = 1_000;

/**
 * The text without marks of emphasis, links and code, for headings and the cells of tables; of a longer one than a heading is the rest
 * stays as it is. Each expression stops where the next of its kind begins, so that it looks at a text once.
 */
export function withoutMarks(text: string): string {
  const marked = text
    .slice(0, LONGEST_MARKED)
    .replace(/!\[([^\][]*)\]\((?:[^()]|\([^()]*\))*\)/gu, '$1')
    .replace(/\[([^\][]+)\]\((?:[^()]|\([^()]*\))*\)/gu, '$1')
    .replace(/(\*\*|~~|`|\*|(?<![\p{L}\p{N}_])__?)(?=\S)(.{1,200}?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2');
  return `${marked}${text.slice(LONGEST_MARKED)}`.trim();
}

function plainPassages(text: string): TextPassage[] {
  const blanks = [...text.matchAll(/\r?\n[ \t]*\r?\n/gu)].map(({ index }) => index);
  return sentencesOf(text).map(({ text: said, start, end }) => ({
    text: said,
    start,
    end,
    path: [],
    kind: 'sentence',
    block: blanks.filter((at) => at < start).length,
  }));
}

/** What a passage of Markdown has of the place that it stands at. */
type Place = Pick<TextPassage, 'path' | 'block' | 'kind'> & { readonly lead: string | undefined };

/** A text with its tokens, and where its lines stand in the whole. */
interface MarkdownSource {
  readonly body: string;
  readonly tokens: readonly Token[];
  /** Where a line begins in `body`; the end of it after the last. */
  readonly lineAt: (line: number) => number;
  /** Where a line ends, without white space at its end. */
  readonly endOfLine: (line: number) => number;
  /** Of `body` in the whole text. */
  readonly offset: number;
}

function sourceOf(body: string, offset: number): MarkdownSource {
  const lines = [
    0,
    // As the parser counts them.
    ...[...body.matchAll(/\r\n?|\n/gu)].map(({ index, 0: end }) => index + end.length),
    body.length,
  ];
  const lineAt = (line: number) => lines[Math.min(line, lines.length - 1)] ?? body.length;
  const endOfLine = (line: number) =>
    lineAt(line) + body.slice(lineAt(line), lineAt(line + 1)).trimEnd().length;
  return { body, tokens: markdown().parse(body, {}), lineAt, endOfLine, offset };
}

/** Walks the blocks: it knows which headings and lists are open, and what stands before. */
function markdownPassages(body: string, offset: number): TextPassage[] {
  const source = sourceOf(body, offset);
  const { tokens } = source;
  const found: TextPassage[] = [];
  // One by one: a paragraph may have more sentences than a call may have arguments.
  const add = (passages: readonly TextPassage[]) => passages.forEach((passage) => found.push(passage));
  const path: { level: number; text: string }[] = [];
  const headings = () => path.map(({ text }) => text);
  /** For each list that is open the line that leads to it. */
  const leads: (string | undefined)[] = [];
  /** What stands before, or in the current item; of most of it the last sentence is not asked for. */
  let before: string | undefined;
  const last = () => (before === undefined ? undefined : leadOf(before));
  const leading = () => (before?.trimEnd().endsWith(':') === true ? last() : undefined);
  let block = 0;

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    switch (token.type) {
      case 'heading_open': {
        const level = Number(token.tag.slice(1));
        while ((path.at(-1)?.level ?? 0) >= level) path.pop();
        path.push({ level, text: withoutMarks(tokens[at + 1]?.content ?? '') });
        before = undefined;
        at += 2;
        break;
      }
      case 'bullet_list_open':
      case 'ordered_list_open':
        // What stands in an item leads to the items below it; a paragraph leads to a list where it says so.
        leads.push(leads.length > 0 ? last() : leading());
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
        leads.pop();
        before = undefined;
        break;
      case 'paragraph_open': {
        const inline = tokens[at + 1];
        at += 2;
        if (!inline || PICTURES.test(inline.content)) break;
        block++;
        const kind = leads.length > 0 ? 'item' : 'sentence';
        add(sentencesIn(source, inline, { path: headings(), block, kind, lead: leads.at(-1) }));
        before = inline.content;
        break;
      }
      case 'table_open': {
        const close = tokens.findIndex((one, place) => place > at && one.type === 'table_close');
        const table = rowsOf(tokens.slice(at, close));
        const first = { path: headings(), block: block + 1, kind: 'row', lead: leading() } as const;
        const rows = tableRows(source, table, first);
        add(rows);
        block += rows.length;
        at = close;
        before = undefined;
        break;
      }
      case 'fence':
      case 'code_block':
        block++;
        add(codePieces(source, token, { path: headings(), block, kind: 'code', lead: last() }));
        before = undefined;
        break;
      default:
    }
  }
  return found;
}

/** The sentences of a paragraph, whose text is `inline`. */
function sentencesIn({ body, lineAt, offset }: MarkdownSource, inline: Token, place: Place): TextPassage[] {
  const [from, to] = inline.map ?? [0, 0];
  const whole = body.slice(lineAt(from), lineAt(to));
  const begins = Math.max(0, whole.indexOf(inline.content.split('\n', 1)[0] ?? ''));
  const own = whole.slice(begins).trimEnd();
  // Lines that an editor broke are one sentence; the offsets stay.
  const flat = own
    .replace(/(?<=\n)[ \t]*>[ \t>]*/gu, (marks) => ' '.repeat(marks.length))
    .replace(/^([^\n]*)\n/gmu, (line, said: string) => (said.trim().length >= WRAPPED ? `${said} ` : line));
  const base = offset + lineAt(from) + begins;
  return sentencesOf(flat).map(({ text, start, end }) => ({
    text: text.replace(/\s+/gu, ' '),
    start: base + start,
    end: base + end,
    ...placed(place),
  }));
}

/** The rows of a table below its head that say something; each has its own block, from the one of `first` on. */
function tableRows(
  { lineAt, endOfLine, offset }: MarkdownSource,
  [head = { cells: [], line: 0 }, ...others]: readonly { cells: readonly string[]; line: number }[],
  first: Place,
): TextPassage[] {
  const names = head.cells.map(withoutMarks);
  const rows = others.flatMap(({ cells, line }) => {
    const said = cells.flatMap((cell, column) => {
      const name = names[column] ?? '';
      return cell === '' ? [] : [name === '' ? withoutMarks(cell) : `${name}: ${withoutMarks(cell)}`];
    });
    return said.length === 0 ? [] : [{ text: said.join(' · '), line }];
  });
  return rows.map(({ text, line }, at) => ({
    text,
    start: offset + lineAt(line),
    end: offset + endOfLine(line),
    ...placed({ ...first, block: first.block + at }),
  }));
}

/** A block of code, in pieces that can be quoted. */
function codePieces(
  { lineAt, endOfLine, offset }: MarkdownSource,
  token: Token,
  place: Place,
): TextPassage[] {
  const [from, to] = token.map ?? [0, 0];
  // What a fence begins with is no code; each line of code is one of the text, with the marks of what it stands in before it.
  const first = token.type === 'fence' ? from + 1 : from;
  return piecesOf(token.content.trimEnd()).map(({ text, line, lines: count }) => ({
    text,
    start: offset + lineAt(first + line),
    end: offset + endOfLine(Math.min(first + line + count, to) - 1),
    ...placed(place),
  }));
}

function placed({ lead, ...place }: Place): Omit<TextPassage, 'text' | 'start' | 'end'> {
  return { ...place, ...(lead !== undefined && { lead }) };
}

/** Code in pieces of whole lines that can be quoted, with the first line of each and how many it has. */
function piecesOf(code: string): { text: string; line: number; lines: number }[] {
  const pieces: { text: string; line: number; lines: number }[] = [];
  for (const [at, line] of code.split('\n').entries()) {
    const before = pieces.at(-1);
    if (before && before.text.length + line.length < MOST_CODE) {
      before.text += `\n${line}`;
      before.lines += 1;
    } else pieces.push({ text: line.slice(0, MOST_CODE).toWellFormed(), line: at, lines: 1 });
  }
  return pieces.filter(({ text }) => text.trim() !== '');
}

/** The last sentence of what stands before a list, a table or code. */
export function leadOf(content: string): string | undefined {
  const said = sentencesOf(content.replace(/\s+/gu, ' ')).at(-1)?.text;
  return said === undefined || said.length > LONGEST_LEAD ? undefined : said;
}

function rowsOf(tokens: readonly Token[]): { cells: string[]; line: number }[] {
  const rows: { cells: string[]; line: number }[] = [];
  for (const { type, map, content } of tokens) {
    if (type === 'tr_open') rows.push({ cells: [], line: map?.[0] ?? 0 });
    else if (type === 'inline') rows.at(-1)?.cells.push(content.trim());
  }
  return rows;
}
