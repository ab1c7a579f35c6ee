import type { ComparedWord } from '../notes/compared-words.ts';
import type { Phrase } from './phrase.ts';
import type { Slot } from './slot.ts';

const SMALL = /^(?:\s*(?:is|are|at|on|in|with|by|to|the|a|an|has|have|ist|um|est|à|:))+(?=\s|$)/iu;
/** Where what a sentence is about ends: at `is`, at a colon, or at a verb in the present tense (`listens on`, but not `tokens of`, `payments API`). */
const VERB =
  /\s(?:is|are|isn't|has|have|ist|sind|hat|est|sont)\s|:\s|(?<=\S)\s\p{Ll}{2,}[^s\P{L}]s\s(?!(?:of|is|are|has|have)\s)(?=[\p{Ll}\d]|$)/u;
const WHOM = /^\s*(?:it|me|us|you|him|her|them)(?=\s)/iu;
/** Words after a slot that still belong into a title. */
const TAIL = 6;
/** What belongs to a value and is written before it. */
const BEFORE = /(?:(?:Dr|Herr|Frau|Miss|Mme|Mr|Mrs|Ms|Prof)\.? |[/€£$~#(]+ ?)$/u;

/** What a person would ask: `The payments API: port 8443 or 9443?` */
export function questionOf({ phrases, fillings, isDenial }: Slot): string {
  const [a, b] = phrases;
  if (isDenial) {
    const saying = a.items.some(({ kind }) => kind === 'no') ? b : a;
    return `${plain(saying.sentence.text.slice(0, saying.end))}, or not?`;
  }
  const [one, other] = [fillings[0], fillings[1]].map((items, side) => said(phrases[side] ?? a, items));
  const [first, second] = [one ?? '', other ?? ''].sort((x, y) =>
    x.localeCompare(y, 'en', { numeric: true }),
  );
  const side = b.sentence.text.length < a.sentence.text.length ? 1 : 0;
  const {
    sentence: { text },
    end,
  } = phrases[side];
  const items = fillings[side];
  const before = text.slice(0, startOf(text, items));
  const cut = VERB.exec(before);
  const about = cut ? before.slice(0, cut.index) : before;
  const between = cut
    ? before
        .slice(cut.index + cut[0].length - 1)
        .replace(SMALL, '')
        .replace(WHOM, '')
    : '';
  const after = text.slice(items.at(-1)?.token.end, end).split(/[,;.!?](?:\s|$)/u, 1)[0] ?? '';
  const tail = after.trim().split(/\s+/u).length <= TAIL ? after : '';
  return `${plain(about)}: ${`${plain(between)} ${first} or ${second}${tail}`.trim()}?`;
}

function said({ sentence: { text } }: Phrase, items: readonly ComparedWord[]): string {
  return text.slice(startOf(text, items), items.at(-1)?.token.end).trim();
}

function startOf(text: string, items: readonly ComparedWord[]): number {
  const start = items[0]?.token.start ?? 0;
  return start - (BEFORE.exec(text.slice(0, start))?.[0].length ?? 0);
}

/** Without Markdown, and what belongs to the end of a sentence. */
function plain(text: string): string {
  return text
    .replaceAll(/[*_`#>]+/gu, '')
    .replace(/^[-\s]+/u, '')
    .replaceAll(/\s+/gu, ' ')
    .replace(/[\s.,;:]+$/u, '')
    .trim();
}
