import { frontMatterLength, withoutMarks } from '../../language/passages.ts';
import { sectionsOf } from '../../language/sections.ts';
import { sentencesOf } from '../../language/sentences.ts';

/** Characters of a block and of a heading that are looked at: more than is ever shown of one. */
const BLOCK = 4_000;
const HEADING = 200;
/** Characters of a line of reStructuredText: no one writes a longer one. */
const LINE = 2_000;

/** A heading of a text with the blocks below it: paragraphs, lists, code, each as it stands there. */
export interface PaperSection {
  /** The headings that it stands below, its own last. */
  path: readonly string[];
  blocks: readonly string[];
}

/** The sections of a Markdown text, or of a reStructuredText one, without comments, pictures and front matter. */
export function readPaper(path: string, text: string): PaperSection[] {
  const body = path.endsWith('.rst') ? asMarkdown(text) : text.slice(frontMatterLength(text));
  return sectionsOf(body).map(({ path, start, end, blocks }) => {
    const starts = blocks.filter(({ isPart }) => !isPart).map((block) => block.start);
    const pieces = starts.map((from, at) => body.slice(from, starts[at + 1] ?? end));
    // The heading is the first block of a section that has one.
    const below = path.length > 0 && starts[0] === start ? pieces.slice(1) : pieces;
    return {
      path,
      blocks: below
        .map((block) => withoutPictures(block.slice(0, BLOCK)))
        .filter((block) => /[\p{L}\p{N}]/u.test(block)),
    };
  });
}

/** A block without comments, tags of HTML and pictures; code stays as it is. */
function withoutPictures(block: string): string {
  if (isCode(block)) return block.trimEnd();
  // Admonitions of MkDocs and Docusaurus, and tabs, are frames around what is told elsewhere.
  if (/^(?:!!!|\?\?\?|===|:::) ?/u.test(block)) return '';
  return block
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/gu, '')
    .replaceAll(/\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\](?:\([^)]*\)|\[[^\]]*\]))?/gu, '')
    .replaceAll(/(`{1,4})[^`]+\1|<\/?[a-z][^<>]{0,500}>/giu, (piece) => (piece.startsWith('`') ? piece : ''))
    .replaceAll(/^\[[^\]]+\]: +\S+.*$/gmu, '')
    .replaceAll(/^ {0,3}> ?/gmu, '')
    .trim();
}

const UNDERLINED = /^(?:([=\-~^"'`+*#.:_])\1{2,}\n)?([^\s].*)\n([=\-~^"'`+*#.:_])\3{2,}$/gmu;

/** Headings, roles and directives of reStructuredText in the signs of Markdown; all else is alike enough to be read. */
function asMarkdown(text: string): string {
  const levels: string[] = [];
  return text
    .split(/\r?\n/u)
    .map((line) => line.slice(0, LINE))
    .join('\n')
    .replaceAll(UNDERLINED, (_, ...[over = '', title = '', under = '']: string[]) => {
      const sign = over + under;
      if (!levels.includes(sign)) levels.push(sign);
      return `\n${'#'.repeat(Math.min(6, levels.indexOf(sign) + 1))} ${title}\n`;
    })
    .replaceAll(/^\.\. code(?:-block)?::.*$(?:\n +:.*$)*/gmu, '')
    .replaceAll(/^\.\. .*$(?:\n+ +.*$)*/gmu, '')
    .replaceAll(/^\.\. .*$/gmu, '')
    .replaceAll(/:[\w:+-]+:`([^`<]*?)(?:\s*<[^`>]*>)?`/gu, '`$1`')
    .replaceAll(/`([^`<\n]+?)\s*<[^`>\n]*>`__?/gu, '$1')
    .replaceAll(/(?<!`)`([^`\n]+)`__?(?!`)/gu, '$1')
    .replaceAll(/::$/gmu, ':');
}

/** Whether a block is code. */
export function isCode(block: string): boolean {
  return /^(?: {4}|\t| {0,3}(?:```|~~~))/u.test(block);
}

/** Whether a block is a list. */
export function isList(block: string): boolean {
  return /^ {0,3}(?:[-*+]|\d{1,3}[.)])\s/u.test(block);
}

/** Pieces of code within a block; a fence is one. */
export function codeIn(block: string): number {
  return isCode(block) ? 1 : (block.match(/(`+)[^`\n]+\1/gu) ?? []).length;
}

/** A heading without marks and without the number before it. */
export function titleOf(heading: string): string {
  return withoutMarks(heading.slice(0, HEADING))
    .replace(/^(?:ADR[-\s]?)?\d+(?:\.\d+)*[.:)]?\s+(?:[-–—]\s+)?/iu, '')
    .trim();
}

/** A paragraph on one line, its links as they are read; code and lists keep their lines. */
function flat(block: string): string {
  if (isCode(block) || isList(block)) return block.replaceAll(/\]\((?:[^()\s]|\([^()]*\))*\)/gu, ']');
  return block
    .replaceAll(/\[([^\][]+)\](?:\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)|\[[^\]]*\])/gu, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** The blocks that fit into so many characters, whole ones; of a first one that does not, its lines or sentences. */
export function excerpt(blocks: readonly string[], most: number): string {
  const taken: string[] = [];
  let room = most;
  for (const block of blocks) {
    const text = flat(block);
    if (text.length <= room) {
      taken.push(text);
      room -= text.length + 1;
      continue;
    }
    const part = start(text, room);
    if (taken.length === 0 || (isList(text) && part !== ''))
      taken.push(part || `${text.slice(0, room).toWellFormed()}…`);
    break;
  }
  // What leads to something that is not shown says nothing.
  if (taken.length > 1 && taken.at(-1)?.endsWith(':')) taken.pop();
  return taken.join('\n').trim();
}

/** The first lines of a list or of code, or the first sentences of prose, that fit. */
function start(text: string, most: number): string {
  const isLines = isCode(text) || isList(text);
  const pieces = isLines ? text.split(/\n(?=\S)/u) : sentencesOf(text, most).map((one) => one.text);
  let kept = '';
  for (const piece of pieces) {
    const next = kept === '' ? piece : `${kept}${isLines ? '\n' : ' '}${piece}`;
    if (next.length > most) break;
    kept = next;
  }
  const fence = /^ {0,3}(`{3,}|~{3,})/u.exec(text)?.[1];
  return fence === undefined || kept === '' ? kept : `${kept.trimEnd()}\n…\n${fence}`;
}
