import { frontmatterOf, propertiesOf, readableFields } from '@reverie/memory-formats/notes/frontmatter';
import { firstLines } from '../lines.ts';
import { isMarkdown, markdown, withoutMarks, WRAPPED } from '../passages.ts';
import { sentencesOf } from '../sentences.ts';

/** What the structure of a note says: a property of its front matter, a cell of a table, a `key: value` line. */
export interface StructuredFact {
  /**
   * Headings above it, outermost first, then the item or the line with a colon that leads to it; the first cell of a table row last where
   * it is of a table; empty where there are none.
   */
  readonly path: readonly string[];
  /** Key, column head, or property name, as written. */
  readonly label: string;
  /** As written, trimmed, without marks of lists and emphasis. */
  readonly value: string;
  /** The line (or row) word for word, as it stands in the text. */
  readonly quote: string;
  readonly from: 'property' | 'table' | 'line';
}

/** Characters of a text that are read. */
const READ = 65_536;
/** A text of nothing but lines of a few characters takes as long as one many times its size. */
const MOST_LINES = 2_048;
/** Facts of a text at most. */
const MOST = 300;
const LONGEST_LABEL = 60;
const MOST_LABEL_WORDS = 5;
const LONGEST_VALUE = 300;
const LONGEST_LINE = 500;
const LONGEST_ROW = 1_000;
/** Of a heading in a path. */
const LONGEST_HEADING = 120;
/** A value that ends as a sentence does and has more words is one. */
const MOST_WORDS_BEFORE_STOP = 4;

const PAIR =
  /^[*_`]{0,3}(?<label>[\p{L}\p{N}][^:\uff1a]{0,59}?)[*_`]{0,3} ?(?::[*_`]{0,3}[ \t]+|\uff1a[*_`]{0,3})(?<value>\S.*)$/u;
/** In a label, what only sentences and code have. */
const NO_LABEL = /[!?;,"“”„«»{}<>|=$\\]|\.\s|\/\//u;
/** A template's blank, a formula, or a line of code. */
const NO_VALUE = /\{\{|\}\}|\{%|<%|\$\{|\$\$|\\[([]|\\begin|<[\p{L}_/!][^<>@:]*>|[;,{([]$/u;
const SENTENCE_END = /[.!?…。！？]["”’)\]*_]*$/u;
/** Where there is none, no sentence ends before the value does: a segmenter takes long to say so. */
const SENTENCE_INSIDE = /[.!?…。！？][^.!?…。！？]/u;
/** A cell with a dash says nothing. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u;
const TASK = /^\[[ xX]\][ \t]+/u;

/**
 * The facts that stand in the structure of a note: front matter, tables, and `key: value` lines, each below its headings. None of prose, of
 * code, or of a template's blanks. Only the first 64 Ki characters and 2,048 lines are read, and at most 300 facts are found.
 */
export function structuredFacts(text: string): StructuredFact[] {
  const start = text.slice(0, READ);
  const whole = text.length > READ ? start.slice(0, Math.max(0, start.lastIndexOf('\n'))) : start;
  const note = firstLines(whole, MOST_LINES);
  const front = frontmatterOf(note);
  const body = front ? note.slice(front.bodyAt) : note;
  const properties = front ? propertyFacts(front.yaml) : [];
  const found = collector(MOST - properties.length);
  if (isMarkdown(body)) readMarkdown(body, found);
  else for (const block of body.split(/\n[ \t\r]*\n/u)) found.lines([], block);
  return [...properties, ...found.all()];
}

/** Properties with one value, or with a list of them. */
function propertyFacts(yaml: string): StructuredFact[] {
  const { fields } = readableFields(yaml);
  return propertiesOf(yaml)
    .flatMap(({ name, text }): StructuredFact[] => {
      const value = Object.hasOwn(fields, name) ? valueOf(fields[name], text) : '';
      const isFact =
        name.length <= LONGEST_LABEL &&
        value.length <= LONGEST_VALUE &&
        text.length <= LONGEST_ROW &&
        !/\n/u.test(value) &&
        !NO_VALUE.test(value) &&
        SAYS_SOMETHING.test(value);
      return isFact ? [{ path: [], label: name, value, quote: text, from: 'property' }] : [];
    })
    .slice(0, MOST);
}

/** A property's value as written; a list with commas, empty for what has parts of its own. */
function valueOf(value: unknown, text: string): string {
  if (typeof value === 'string') return value.trim();
  // 1.10 stays 1.10.
  if (typeof value === 'number' || typeof value === 'boolean')
    return text
      .slice(text.indexOf(':') + 1)
      .replace(/\s#.*$/su, '')
      .trim();
  if (!Array.isArray(value)) return '';
  const isPlain = value.every((item) => ['string', 'number', 'boolean'].includes(typeof item));
  return isPlain ? value.join(', ') : '';
}

/** Collects the facts of a text's lines and rows, up to `most`. */
function collector(most: number) {
  const facts: StructuredFact[] = [];
  /** Labels that stand before sentences: who speaks, `Note`. */
  const speakers = new Set<string>();
  const isFull = () => facts.length >= most;

  return {
    isFull,
    /** Reads the lines of a paragraph; answers the line with a colon that leads to what comes next. */
    lines(path: readonly string[], paragraph: string): string | undefined {
      if (paragraph.includes('$$')) return undefined;
      const lines = paragraph.split(/\r\n?|\n/u).map((line) => line.trim());
      const pairs = lines.map(pairOf);
      let lead: string | undefined;
      for (const [at, line] of lines.entries()) {
        const pair = pairs[at];
        if (pair?.isSentence === true) speakers.add(pair.label);
        else if (pair && !isFull()) {
          const before = lines[at - 1];
          const [continues, goesOn] = [
            before !== undefined && !pairs[at - 1] && before.length >= WRAPPED,
            lines[at + 1] !== undefined && !pairs[at + 1] && line.length >= WRAPPED,
          ];
          if (!continues && !goesOn)
            facts.push({
              path: below(path, lead),
              label: pair.label,
              value: pair.value,
              quote: line,
              from: 'line',
            });
        }
        if (!pair) lead = /[:\uff1a][*_]*$/u.test(line) ? asHeading(line) : lead;
      }
      return pairs.at(-1) ? undefined : /[:\uff1a][*_]*$/u.test(lines.at(-1) ?? '') ? lead : undefined;
    },
    /** Reads a row below the head of a table: its first cell names what the others are of. */
    row(
      path: readonly string[],
      heads: readonly string[],
      { cells, quote }: { cells: readonly string[]; quote: string },
    ): void {
      if (quote.length > LONGEST_ROW) return;
      const [first = '', ...others] = cells.map(plain);
      const isNamed = SAYS_SOMETHING.test(first) && !NO_VALUE.test(first);
      for (const [at, value] of others.entries()) {
        const head = heads[at + 1] ?? '';
        // A table of names and values alone has no heads.
        const isPair = head === '' && isNamed && heads.length === 2;
        const label = isPair ? first : head;
        if (isFull() || label === '' || label.length > LONGEST_LABEL) continue;
        if (value.length > LONGEST_VALUE || NO_VALUE.test(value) || !SAYS_SOMETHING.test(value)) continue;
        facts.push({
          path: below(path, isNamed && !isPair ? asHeading(first) : undefined),
          label,
          value,
          quote,
          from: 'table',
        });
      }
    },
    all: () => facts.filter(({ from, label }) => from !== 'line' || !speakers.has(label)),
  };
}

/** A text without marks: most have none. */
function plain(text: string): string {
  return /[*_~`[]/u.test(text) ? withoutMarks(text) : text.trim();
}

/** The label and the value of a `key: value` line, and whether that is a sentence; undefined where it is no such line. */
function pairOf(line: string): { label: string; value: string; isSentence: boolean } | undefined {
  if (line.length > LONGEST_LINE || !/[:\uff1a]/u.test(line.slice(0, LONGEST_LABEL + 12))) return undefined;
  const groups = PAIR.exec(line.replace(TASK, ''))?.groups;
  if (!groups) return undefined;
  const label = (groups['label'] ?? '').trim();
  if (!/\p{L}/u.test(label) || NO_LABEL.test(label)) return undefined;
  if (label.split(/\s+/u).length > MOST_LABEL_WORDS || NO_VALUE.test(line)) return undefined;
  const value = plain(groups['value'] ?? '');
  if (value.length > LONGEST_VALUE || !SAYS_SOMETHING.test(value)) return undefined;
  return { label, value, isSentence: isSaid(value) };
}

/** Whether a value is a sentence, or several. */
function isSaid(value: string): boolean {
  if (SENTENCE_END.test(value) && value.split(/\s+/u).length > MOST_WORDS_BEFORE_STOP) return true;
  return SENTENCE_INSIDE.test(value) && sentencesOf(value).length > 1;
}

/** A heading, an item or a line with a colon as it stands in a path; undefined where it is none that names something. */
function asHeading(text: string): string | undefined {
  if (text.length > 2 * LONGEST_HEADING || text.includes('\n')) return undefined;
  const heading = plain(text.replace(TASK, '')).replace(/ ?[:\uff1a]$/u, '');
  return heading === '' || heading.length > LONGEST_HEADING ? undefined : heading;
}

function below(path: readonly string[], lead: string | undefined): readonly string[] {
  return lead === undefined ? path : [...path, lead];
}

/** Walks the blocks of Markdown: it knows which headings and lists are open. */
function readMarkdown(body: string, found: ReturnType<typeof collector>): void {
  const tokens = markdown().parse(body, {});
  /** Of a text with tables. */
  let lines: string[] | undefined;
  const headings: { level: number; text: string }[] = [];
  /** For each list that is open what leads to it. */
  const lists: (string | undefined)[] = [];
  /** The item that is open, and the line with a colon that stands before. */
  let item: string | undefined;
  let lead: string | undefined;
  let table: { heads: string[]; cells: string[] | undefined; row: string } | undefined;
  const path = () => [...headings.map(({ text }) => text), ...lists.filter((one) => one !== undefined)];

  for (const [at, { type, tag, content, map }] of tokens.entries()) {
    if (found.isFull()) return;
    const next = tokens[at + 1]?.content ?? '';
    switch (type) {
      case 'heading_open': {
        const level = Number(tag.slice(1));
        while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
        headings.push({ level, text: plain(next).slice(0, LONGEST_HEADING).toWellFormed() });
        [item, lead] = [undefined, undefined];
        break;
      }
      case 'bullet_list_open':
      case 'ordered_list_open':
        lists.push(lists.length > 0 ? item : lead);
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop();
        [item, lead] = [undefined, undefined];
        break;
      case 'paragraph_open':
        lead = found.lines(path(), next);
        item = asHeading(next);
        break;
      case 'table_open':
        lines ??= body.split(/\r\n?|\n/u);
        table = { heads: [], cells: undefined, row: '' };
        break;
      case 'tbody_open':
        if (table) table.cells = [];
        break;
      case 'tr_open':
        if (table?.cells) [table.cells, table.row] = [[], (lines?.[map?.[0] ?? -1] ?? '').trim()];
        break;
      case 'inline':
        if (table) (table.cells ?? table.heads).push(table.cells ? content.trim() : plain(content));
        break;
      case 'tr_close':
        if (table?.cells)
          found.row(below(path(), lead), table.heads, { cells: table.cells, quote: table.row });
        break;
      case 'table_close':
        [table, item, lead] = [undefined, undefined, undefined];
        break;
      case 'fence':
      case 'code_block':
        lead = undefined;
        break;
      default:
    }
  }
}
