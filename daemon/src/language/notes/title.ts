import { outsideLiterals, withoutComments, withoutHighlights } from '@reverie/shared/contract/obsidian-marks';
import { sentencesOf, type Sentence } from '../sentences.ts';
import { withoutMarks } from '../passages.ts';

/** Characters of a title, and of the text in which one is looked for. */
const LONGEST = 80;
const READ = 4_000;

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u;
/** A comment in a script is no heading; of a block that is not closed here, all that is read is code. */
const CODE = /^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gmu;
/** What begins a line of Markdown that is no heading: marks of lists and quotations, boxes to tick. */
const LINE_MARKS = /^(?:\s*(?:>|[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+/u;

/**
 * What a memory is called where it is shown: its `metadata.title`, else the first heading of its text, else its first sentence; plain
 * text on one line, at most 80 characters. Empty for a text without any letter or sign.
 */
export function titleOf(value: string, metadata: Readonly<Record<string, unknown>>): string {
  const given = typeof metadata['title'] === 'string' ? shortened(metadata['title']) : '';
  if (given !== '') return given;
  const read = value.slice(0, READ).toWellFormed();
  const front = FRONT_MATTER.exec(read);
  const named = /^title:[ \t]*(.+)$/mu
    .exec(front?.[1] ?? '')?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/u, '$2');
  if (named !== undefined && shortened(named) !== '') return shortened(named);
  const body = withoutComments(read.slice(front?.[0].length ?? 0).replace(CODE, ''));
  const heading = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/mu.exec(body)?.[1];
  if (heading !== undefined && shortened(heading) !== '') return shortened(heading);
  for (const line of body.split(/\r?\n/u)) {
    const said = shortened(firstOf(cellsOf(line).replace(LINE_MARKS, '')));
    if (/[\p{L}\p{N}\p{S}]/u.test(said)) return said;
  }
  return '';
}

/** A row of a table as its cells, parted by dots; any other line as it is. */
function cellsOf(line: string): string {
  if (!/^\s*\|.*\|\s*$/u.test(line)) return line;
  return line
    .split(/(?<!\\)\|/u)
    .flatMap((cell) => cell.trim() || [])
    .join(' · ');
}

function firstOf(line: string): string {
  const [first]: (Sentence | undefined)[] = sentencesOf(line.slice(0, 4 * LONGEST));
  return first?.text ?? '';
}

/** `[[name]]` and `[[name|as it is said]]`. */
const NOTE_LINK = /!?\[\[([^\][|]{1,300})(?:\|([^\][]{1,300}))?\]\]/gu;

/** Plain text on one line; a longer one ends at a word, with an ellipsis. */
function shortened(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  const plain = outsideLiterals(withoutHighlights(line), (open) =>
    withoutMarks(open.replace(NOTE_LINK, (_, name: string, said: string | undefined) => said ?? name)),
  ).trim();
  if (plain.length <= LONGEST) return plain;
  const word = plain.slice(0, LONGEST).lastIndexOf(' ');
  return `${plain
    .slice(0, word > LONGEST / 2 ? word : LONGEST - 1)
    .replace(/[\ud800-\udbff]$/u, '')
    .replace(/[\s,;:–-]+$/u, '')}…`;
}
