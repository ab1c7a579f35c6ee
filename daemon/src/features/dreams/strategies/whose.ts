import { isOfCalendar, type Occasion } from './happened.ts';
import { natureOf, stemOf } from './happenings.ts';
import { wordLore } from './word-lore.ts';

/** Share of a group that has to tell of a happening for it to be what recurs. */
const MOST_OF = 0.75;
/** Who is told of begins a clause: `Otis' mother had to lie down`, `a bad night, Mum was sick`. */
const BEGINS =
  /(?:^|[.,;:—–(]\s|(?<!\p{L})(?:and|but|while|when|because|as|und|et)\s)(?:["“]|(?:my|our|the|his|her|little|poor|old)\s)*$/iu;
/** Whoever it is, it is not the writer. */
const SOMEBODY =
  /(?<!\p{L})(?:he|she|his|her|him|the (?:boy|girl|kid|child|baby|little one|old man))(?!\p{L})/iu;
const KIN = new Set(
  'mother mum mummy dad father papa mama wife husband son daughter brother sister gran grandma granny nan grandpa granddad grandmother grandfather oma opa aunt uncle niece nephew neighbour neighbor friend colleague boss twins'
    .split(' ')
    .map(stemOf),
);

/**
 * The occasions without those of somebody else where what recurs is what somebody has: a headache of the writer, of a neighbour and of a child
 * are none that recurs. Whoever is named once only is somebody else, unless another is told of by `she`.
 */
export function ofOne(occasions: readonly Occasion[]): readonly Occasion[] {
  const counts = new Map<string, number>();
  for (const { says } of occasions)
    for (const [said, { weight }] of says)
      if (said.startsWith('h') && weight === 1) counts.set(said, (counts.get(said) ?? 0) + 1);
  const shared = [...counts].flatMap(([said, count]) =>
    count >= occasions.length * MOST_OF ? [said.slice(2)] : [],
  );
  if (shared.length === 0 || shared.some((said) => natureOf(said) !== 'body')) return occasions;
  const told = occasions.map((one) => ({ one, ...personsIn(one, shared) }));
  return told.flatMap(({ one, begin, names }) => {
    const others = told.filter((other) => other.one !== one);
    const isMet = (person: string) =>
      others.some((other) => other.isOfAnyone || [...other.names].some((name) => isSame(name, person)));
    return begin.size === 0 || [...begin, ...names].some(isMet) ? [one] : [];
  });
}

/** `T` is Tamsin. */
function isSame(a: string, b: string): boolean {
  return a === b || ((a.length === 1 || b.length === 1) && a.charAt(0) === b.charAt(0));
}

/** Whom the sentences name that tell of some happenings, and who begins a clause of them. */
function personsIn(
  { sentences, says }: Occasion,
  happenings: readonly string[],
): { begin: Set<string>; names: Set<string>; isOfAnyone: boolean } {
  const told = new Set(happenings.flatMap((one) => says.get(`h:${one}`)?.words ?? []));
  const lore = wordLore();
  const [begin, names] = [new Set<string>(), new Set<string>()];
  let isOfAnyone = false;
  for (const { text, tokens } of sentences) {
    if (!tokens.some((token) => told.has(stemOf(token.text.toLowerCase())))) continue;
    isOfAnyone ||= SOMEBODY.test(text);
    for (const { shape, start, term, text: written } of tokens) {
      const word = written.toLowerCase();
      const isPerson =
        KIN.has(stemOf(word)) || /^\p{Lu}$/u.test(written) || (shape === 'name' && !lore.isOrdinary(word));
      if (!isPerson || written === 'I' || isOfCalendar(`t:${term}`)) continue;
      names.add(term);
      if (BEGINS.test(text.slice(0, start))) begin.add(term);
    }
  }
  return { begin, names, isOfAnyone: isOfAnyone && names.size === 0 };
}
