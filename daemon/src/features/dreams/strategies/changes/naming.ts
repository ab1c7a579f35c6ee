import type { Line, Note } from './notes.ts';
import type { Term } from './term.ts';
import { fitOf } from './clashes.ts';
import type { Words } from './words.ts';

/** `Anna's brother` is not Anna. */
const KIN =
  /(\p{L}+)['’]s\s(?:\p{Ll}+\s)?(?:brother|sister|mother|father|mum|mom|dad|son|daughter|husband|wife|partner|boyfriend|girlfriend|friend|colleague|cousin|aunt|uncle|boss|neighbour|kids?|children|flatmate|nephew|niece|grandmother|grandfather|grandma|grandpa|parents)(?!\p{L})/giu;

/** Who is named on both sides, and who on one alone. */
export interface Naming {
  /** How much the rarest name of both tells. */
  readonly shared: number;
  /** How alike what stands around two names is of which each side has one: who does it now, and who did. */
  readonly swap: number;
  /** Whether one speaks of somebody's relative, and the other does not. */
  readonly kin: number;
  /** Whether both tell a name apart: `Emma from ward 7` and `Emma in the second altos`, `Herr Siebert` and `Frau Siebert`. */
  readonly namesakes: number;
}

export function namingOf(
  { older, newer, lines: [a, b] }: { older: Note; newer: Note; lines: readonly [Line, Line] },
  near: readonly Line[],
  words: Words,
): Naming {
  const named = (line: Line) => line.terms.filter(({ isName }) => isName);
  const onlyOlder = named(a).filter(({ term }) => !newer.memory.terms.has(term));
  const shared = [
    ...named(a).filter(({ term }) => newer.memory.terms.has(term)),
    ...named(b).filter(({ term }) => older.memory.terms.has(term)),
  ];
  const kinOf = (text: string) => [...text.matchAll(KIN)].map(([whole]) => whole.toLowerCase());
  const [kinA, kinB] = [kinOf(a.sentence.text), kinOf(b.sentence.text)];
  const isApart = (one: readonly string[], other: readonly string[]) =>
    one.length > 0 && one.every((kin) => !other.includes(kin));
  const most = (terms: readonly Term[]) => Math.max(0, ...terms.map(({ weight }) => weight));
  const strangers = near.flatMap((line) =>
    line.terms.flatMap((term) =>
      term.isName && !term.isCode && !older.memory.terms.has(term.term) ? [around(line, term)] : [],
    ),
  );
  const swap = onlyOlder
    .filter(({ isCode }) => !isCode)
    .flatMap((name) => strangers.map((other) => fitOf(around(a, name), other, words)));
  return {
    shared: most(shared),
    swap: Math.max(0, ...swap),
    kin: Number(isApart(kinA, kinB) || isApart(kinB, kinA)),
    namesakes: Number(
      a.terms.some(
        ({ term, text }) =>
          b.terms.some((other) => other.term === term) &&
          areNamesakes(text, a.sentence.text, b.sentence.text),
      ),
    ),
  };
}

/** What stands around a name, names aside: nearest first. */
function around({ terms }: Line, { start, text }: Term): Term[] {
  return terms
    .filter((term) => !term.isName && !term.isNumber && !term.isValue)
    .map((term) => ({ term, far: Math.abs(term.start - start) - (term.start > start ? text.length : 0) }))
    .sort((x, y) => x.far - y.far)
    .slice(0, 4)
    .map(({ term }) => term);
}

/** Whether two texts say of one name who it is, differently. */
function areNamesakes(word: string, a: string, b: string): boolean {
  const name = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  if (!/^[\p{L}'’-]+$/u.test(name) || !a.includes(name) || !b.includes(name)) return false;
  return [
    `(Herr|Frau|Mr|Mrs|Ms|Dr|Uncle|Aunt|Old|Young)\\.?\\s${name}`,
    `${name}(?:,|\\s\\(|\\s(?:from|in|at|on|of|aus|vom|im))\\s?(?:the\\s|my\\s|our\\s)?(\\p{L}+)`,
  ].some((pattern) => {
    const [one, other] = [a, b].map((text) => new RegExp(pattern, 'u').exec(text)?.[1]?.toLowerCase());
    return one !== undefined && other !== undefined && one !== other;
  });
}
