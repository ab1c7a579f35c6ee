import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { createRequire } from 'node:module';
import { frontmatterOf } from '@reverie/memory-formats/notes/frontmatter';
import { BLOCK_ID } from './note-blocks.ts';

/** A link of a note to a note, as it is written. Places are offsets in the text, in UTF-16 units. */
export interface NoteLink {
  /** `[[name]]`, `[text](path.md)` with its reference form, or `((id))` of a block of Logseq. */
  readonly form: 'wiki' | 'markdown' | 'block';
  /** The note that it names, decoded, without white space around it, or the id of the block; empty for the note itself. */
  readonly target: string;
  /** What of that note, as written: `#heading`, `#^block` or `^block`; empty for all of it. */
  readonly part: string;
  /** What is shown in its place. */
  readonly text: string;
  /** The other note is to be shown here, as by `![[name]]`. */
  readonly isEmbed: boolean;
  /** The whole link. */
  readonly start: number;
  readonly end: number;
  /** Where the note is named, without the part of it. */
  readonly from: number;
  readonly to: number;
}

/** What no link can do without. */
const HAS_LINK = /\[\[|\]\(|\]:|\(\(/u;
/** What stands in a line and matters to links; all else is passed over. */
const SIGN = /[\\`<%[\](]/gu;
const WIKI = /\[\[([^\][\n]{1,1000})\]\]/uy;
/** Logseq names a block by this. */
const BLOCK = new RegExp(String.raw`\(\((${BLOCK_ID})\)\)`, 'iuy');
const WIKI_PARTS = /^([^#^|]*)([#^][^|]*)?(?:\|(.*))?$/su;
/** The address behind `[text]`. What may repeat is bounded, so that each attempt ends soon. */
const ADDRESS =
  /\(\s{0,20}(?:<(?<angled>(?:[^<>\n\\]|\\.){0,1000})>|(?<plain>(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.){0,500}\)){0,1000}))(?:\s{1,20}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,20}\)/duy;
/** `[name]: address`, which is no footnote. */
const DEFINITION =
  /[ \t>]{0,20}\[(?<label>[^\]\n\\^][^\]\n\\]{0,200})\]:[ \t]{0,20}(?:<(?<angled>[^<>\n]{0,1000})>|(?<plain>[^\s<]\S{0,1000}))[^\n]*(?:\n|$)/duy;
const TAG = /<[a-z/][^<>\n]{0,1000}>/iuy;
const SCHEME = /^[a-z][a-z\d+.-]+:|^\/\//iu;
/** In a wiki link: a key may begin with its class and a colon. */
const WEB = /^[a-z][a-z\d+.-]+:\/\/|^mailto:/iu;
/** A link in front matter is a text of its own: without quotation marks YAML reads it as two lists. */
const PROPERTY = /(["'])\[\[([^\][\n]{1,1000})\]\]\1/gu;
/** Logseq shows a page in another one by this. */
const EMBED = /\{\{embed\s+$/u;
const LONGEST_TEXT = 300;
/** Characters of a text that are read, whole lines of them: a megabyte of short blocks would hold the thread for a second. */
const READ = 131_072;

let parser: MarkdownIt | undefined;

/** The parser of blocks. It says no places of what stands in a line, which is read here; definitions are read as paragraphs for their places. */
function blocks(): MarkdownIt {
  if (parser) return parser;
  const create = createRequire(import.meta.url)('markdown-it') as typeof MarkdownIt;
  parser = new create().disable(['inline', 'reference']);
  return parser;
}

/**
 * The links of a text to notes, in their order: wiki links, also those of its front matter, Markdown links, and definitions that references
 * use. None of code, comments and what is escaped, and none that leads into the web. Only the first 128 Ki characters are read.
 */
export function noteLinks(note: string): NoteLink[] {
  const text = note.length > READ ? note.slice(0, note.lastIndexOf('\n', READ) + 1 || READ) : note;
  if (!HAS_LINK.test(text)) return [];
  const front = frontmatterOf(text);
  const links: NoteLink[] = [];
  if (front) {
    const at = text.indexOf('\n') + 1;
    for (const { index, 2: inside = '' } of front.yaml.matchAll(PROPERTY)) {
      const link = wikiLink(inside, at + index + 1);
      if (link) links.push(link);
    }
  }
  readBody(text, front?.bodyAt ?? 0, links);
  return links;
}

function readBody(text: string, bodyAt: number, links: NoteLink[]): void {
  const body = text.slice(bodyAt);
  if (!HAS_LINK.test(body)) return;
  // As the parser counts them.
  const lines = [0, ...[...body.matchAll(/\r\n?|\n/gu)].map(({ index, 0: end }) => index + end.length)];
  const lineAt = (line: number) => bodyAt + (lines[line] ?? body.length);
  const read = lineReader(text, links);
  for (const token of blocks().parse(body, {})) {
    if (!token.map || !holdsLinks(token)) continue;
    read(lineAt(token.map[0]), lineAt(token.map[1]));
  }
}

/** Characters of blanks before what begins a line, at most. */
const LONGEST_INDENT = 200;

/** Whether the lines of a block are read for links: paragraphs, headings, rows of tables, and what outlines of Logseq indent below a heading. */
function holdsLinks({ type, content }: Token): boolean {
  return type === 'inline' || type === 'tr_open' || (type === 'code_block' && /^\s*- /u.test(content));
}

/** Reads ranges of a text, each behind the one before it; comments may go on beyond them. */
function lineReader(text: string, links: NoteLink[]): (start: number, end: number) => void {
  /** Until where a comment goes. */
  let hiddenTo = 0;
  /** Ends of comments that do not come any more. */
  const missing = new Set<string>();

  /** Where a comment ends that begins at a place; undefined where it never does, so that it is none. */
  function commentEnd(mark: string, at: number): number | undefined {
    const found = missing.has(mark) ? -1 : text.indexOf(mark, at);
    if (found === -1) missing.add(mark);
    return found === -1 ? undefined : found + mark.length;
  }

  return (begin, end) => {
    let at = Math.max(begin, hiddenTo);
    if (at >= end) return;
    if (at === begin) at = readDefinitions(text, { at, end }, links);
    const code = text.slice(at, end).includes('`') ? codeSpans(text, at, end) : undefined;
    /** The brackets that are open. */
    const open: number[] = [];
    while (at < end) {
      SIGN.lastIndex = at;
      const found = SIGN.exec(text);
      if (!found || found.index >= end) return;
      at = found.index;
      at = step(found[0], at) ?? at + 1;
    }
    hiddenTo = Math.max(hiddenTo, at);

    /** Reads what begins with a sign, and answers where to go on. */
    function step(sign: string, from: number): number | undefined {
      switch (sign) {
        case '\\':
          return from + 2;
        case '`':
          return code?.get(from) ?? from + (/`+/uy.exec(text.slice(from, end))?.[0].length ?? 1);
        case '<':
          return text.startsWith('<!--', from) ? commentEnd('-->', from + 4) : endOf(TAG, from);
        case '%':
          return text.startsWith('%%', from) ? commentOfVault(from) : undefined;
        case '(':
          return blockAt(from);
        case '[':
          return wikiAt(from) ?? void open.push(from);
        default:
          return linkBehind(open.pop(), from);
      }
    }

    /** A comment of Obsidian: not behind a digit, and beyond its block only where it begins a line (`contract/obsidian-marks.ts`). */
    function commentOfVault(from: number): number {
      const before = text.slice(Math.max(0, from - LONGEST_INDENT), from);
      const close = /\d$/u.test(before) ? undefined : commentEnd('%%', from + 2);
      const isEnded = close !== undefined && (close <= end || /(?:^|\n)[ \t]*$/u.test(before));
      return isEnded ? close : from + 2;
    }

    function endOf(pattern: RegExp, from: number): number | undefined {
      pattern.lastIndex = from;
      return pattern.test(text) ? pattern.lastIndex : undefined;
    }

    function blockAt(from: number): number | undefined {
      BLOCK.lastIndex = from;
      const id = BLOCK.exec(text)?.[1];
      if (id === undefined) return undefined;
      const end = BLOCK.lastIndex;
      links.push({
        form: 'block',
        target: id.toLowerCase(),
        part: '',
        text: text.slice(from, end),
        isEmbed: isEmbedded(from),
        start: from,
        end,
        from: from + 2,
        to: end - 2,
      });
      return end;
    }

    /** Whether Logseq shows what is named at a place there. */
    function isEmbedded(from: number): boolean {
      return EMBED.test(text.slice(Math.max(begin, from - 20), from));
    }

    function wikiAt(from: number): number | undefined {
      WIKI.lastIndex = from;
      const inside = WIKI.exec(text)?.[1];
      if (inside === undefined) return undefined;
      const isEmbed = text[from - 1] === '!' || isEmbedded(from);
      const link = wikiLink(inside, from, isEmbed);
      if (link) links.push(link);
      return WIKI.lastIndex;
    }

    /** A Markdown link whose text ends at a place, where an address follows. */
    function linkBehind(bracket: number | undefined, from: number): number | undefined {
      if (bracket === undefined || text[from + 1] !== '(') return undefined;
      ADDRESS.lastIndex = from + 1;
      const found = ADDRESS.exec(text);
      if (!found) return undefined;
      const isEmbed = text[bracket - 1] === '!';
      const shown = text.slice(bracket + 1, Math.min(from, bracket + 1 + LONGEST_TEXT));
      const place = { start: bracket - Number(isEmbed), end: ADDRESS.lastIndex };
      const link = markdownLink(found, { shown, isEmbed, ...place });
      if (link) links.push(link);
      return ADDRESS.lastIndex;
    }
  };
}

/** Reads the definitions with which a paragraph begins; answers where it goes on. */
function readDefinitions(text: string, { at, end }: { at: number; end: number }, links: NoteLink[]): number {
  for (;;) {
    DEFINITION.lastIndex = at;
    const found = at < end ? DEFINITION.exec(text) : null;
    if (!found) return at;
    const shown = found.groups?.['label'] ?? '';
    const link = markdownLink(found, { shown, isEmbed: false, start: at, end: DEFINITION.lastIndex });
    if (link) links.push(link);
    at = DEFINITION.lastIndex;
  }
}

/** Where each span of code ends, by where it begins: runs of as many marks close each other. */
function codeSpans(text: string, at: number, end: number): Map<number, number> {
  const runs = [...text.slice(at, end).matchAll(/`+/gu)].map(({ index, 0: marks }) => ({
    start: at + index,
    length: marks.length,
  }));
  const next = new Map<number, number>();
  const spans = new Map<number, number>();
  for (const { start, length } of runs.reverse()) {
    const close = next.get(length);
    if (close !== undefined) spans.set(start, close);
    next.set(length, start + length);
  }
  return spans;
}

/** A wiki link by what stands in its brackets, the first of which stands at a place; undefined where it names nothing. */
function wikiLink(inside: string, start: number, isEmbed = false): NoteLink | undefined {
  // In a table the bar is escaped.
  const [, named = '', part = '', words] = WIKI_PARTS.exec(inside.replace('\\|', '|')) ?? [];
  const target = named.trim();
  if ((target === '' && part === '') || WEB.test(target)) return undefined;
  const from = start + 2 + (named.length - named.trimStart().length);
  const text = words?.trim() || `${target}${part.trim()}`;
  return {
    form: 'wiki',
    target,
    part: part.trim(),
    text: text.slice(0, LONGEST_TEXT),
    isEmbed,
    start: start - Number(isEmbed),
    end: start + inside.length + 4,
    from,
    to: from + target.length,
  };
}

/** A Markdown link by its address; undefined where that leads into the web, or to no note. */
function markdownLink(
  { groups, indices }: RegExpExecArray,
  { shown, ...rest }: Pick<NoteLink, 'isEmbed' | 'start' | 'end'> & { shown: string },
): NoteLink | undefined {
  const [written, place] =
    groups?.['angled'] === undefined
      ? [groups?.['plain'] ?? '', indices?.groups?.['plain']]
      : [groups['angled'], indices?.groups?.['angled']];
  const hash = written.indexOf('#');
  const address = hash === -1 ? written : written.slice(0, hash);
  const part = hash === -1 ? '' : decoded(written.slice(hash));
  const target = decoded(address.replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')).trim();
  const leadsNowhere = (target === '' && part.length < 2) || target.endsWith('/') || SCHEME.test(target);
  if (leadsNowhere || place === undefined) return undefined;
  const text = shown.replaceAll(/\s+/gu, ' ').trim();
  return {
    form: 'markdown',
    target,
    part: part === '#' ? '' : part,
    text: text === '' ? target : text,
    ...rest,
    from: place[0],
    to: place[0] + address.length,
  };
}

/** An address without its percent-escapes, as far as they are valid. */
function decoded(address: string): string {
  if (!address.includes('%')) return address;
  try {
    return decodeURIComponent(address);
  } catch {
    // A percent sign that stands for itself.
    return address;
  }
}
