import type { Line, Note } from './notes.ts';
import type { Term } from './term.ts';
import { softly, type Words } from './words.ts';

/** Who or what two lines begin with. */
export interface Heads {
  /** 0..1: how much of the one the other memory speaks of, the worse way round. */
  readonly both: number;
  /** How much the lesser head tells: `the shed key` more than `it`. */
  readonly tells: number;
}

export function headsOf(
  { older, newer, lines: [a, b] }: { older: Note; newer: Note; lines: readonly [Line, Line] },
  words: Words,
): Heads {
  const [one, other] = [headOf(a), headOf(b)];
  const [there, back] = [coverOf(one, newer, words), coverOf(other, older, words)];
  const mass = (terms: readonly Term[]) => terms.reduce((sum, { weight }) => sum + weight, 0);
  return {
    both: Math.min(there, back),
    tells: Math.min(1, mass(one), mass(other)),
  };
}

const VERB =
  /(?<!\p{L})(?:is|are|isn['’]t|aren['’]t|am|was|were|has|have|had|does|do|doesn['’]t|don['’]t|can|can['’]t|cannot|may|must|will|should|needs?|wants?|gets?|takes?|costs?|starts?|begins?|ends?|opens?|closes?|goes|comes?|keeps?|holds?|stays?|stands?|lies|hangs?|likes?|loves?|hates?|prefers?|plays?|drives?|lives?|works?|runs?|uses?|listens?|answers?|alarms?|requires?|pays?|sends?|stores?|teaches|belongs?|rehearses?|moved|says?|sells?|ist|sind|hat|est|sont|es|son|er|har)(?!\p{L})|:(?=\s)/giu;
const ANY_VERB = /(?<!\p{L})\p{Ll}{2,}(?:s|ed)(?!\p{L})/gu;
/** Who notes something, or what for, is nothing that a note is about. */
const PREFIX =
  /^(?:(?:agent|user)? ?(?:note|preference|reminder|decision|rule|update|audit|todo|info|fyi|ps)(?: \([^)]*\))?:\s)/iu;
/** `Otter: the API …`: who says it. */
const SPEAKER = /^\p{Lu}\p{Ll}+:\s(?=\p{Lu})/u;

const known = new WeakMap<Line, readonly Term[]>();

/** What a line begins with, before its verb or colon: who or what it speaks of. */
function headOf(line: Line): readonly Term[] {
  let head = known.get(line);
  if (!head) known.set(line, (head = headIn(line)));
  return head;
}

function headIn({ terms, sentence: { text } }: Line): readonly Term[] {
  const from = (PREFIX.exec(text) ?? SPEAKER.exec(text))?.[0].length ?? 0;
  for (const pattern of [VERB, ANY_VERB])
    for (const { index } of text.matchAll(pattern)) {
      const before = terms.filter(({ start, isNumber }) => start >= from && start < index && !isNumber);
      if (before.length > 0) return before;
    }
  return terms.filter(({ start, isNumber }) => start >= from && !isNumber).slice(0, 3);
}

/** How much of some terms a note speaks of, 0..1, by weight; 0.5 where there are none. */
function coverOf(of: readonly Term[], { memory, terms }: Note, words: Words): number {
  let [mass, covered] = [0, 0];
  for (const term of of) {
    const cover = memory.terms.has(term.term)
      ? 1
      : terms.reduce((near, other) => Math.max(near, softly(term, other, words)), 0);
    mass += term.weight;
    covered += term.weight * cover;
  }
  return mass === 0 ? 0.5 : covered / mass;
}
