import { isOfCalendar, type Occasion } from './happened.ts';
import { natureOf, stemOf } from './happenings.ts';

/** Share of a group that has to tell of a happening for it to be what recurs. */
const MOST_OF = 0.75;
/** Who is told of begins a clause: `Otis' mother had to lie down`, `a bad night, Mum was sick`. */
const BEGINS =
  /(?:^|[.,;:—–(]\s|(?<!\p{L})(?:and|but|while|when|because|as|und|et)\s)(?:["“]|(?:my|our|the|his|her|little|poor|old)\s)*$/iu;
const KIN = new Set(
  'mother mum mummy dad father papa mama wife husband son daughter boy girl kid baby child children brother sister gran grandma granny nan grandpa granddad grandmother grandfather oma opa aunt uncle niece nephew neighbour neighbor friend colleague boss twins'
    .split(' ')
    .map(stemOf),
);

/**
 * The occasions without those of somebody else where what recurs is what somebody has: a headache of the writer, of a neighbour and of a child
 * are none that recurs. Whoever is named once only is somebody else; who is not named may be anybody.
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
  const who = new Map(occasions.map((one) => [one, personsIn(one, shared)]));
  const named = new Map<string, number>();
  for (const persons of who.values()) for (const one of persons) named.set(one, (named.get(one) ?? 0) + 1);
  return occasions.filter((one) => {
    const persons = [...(who.get(one) ?? [])];
    return persons.length === 0 || persons.some((person) => (named.get(person) ?? 0) > 1);
  });
}

/** Who begins a clause of the sentences that tell of some happenings. */
function personsIn({ sentences, says }: Occasion, happenings: readonly string[]): Set<string> {
  const told = new Set(happenings.flatMap((one) => says.get(`h:${one}`)?.words ?? []));
  const persons = new Set<string>();
  for (const { text, tokens } of sentences) {
    if (!tokens.some((token) => told.has(stemOf(token.text.toLowerCase())))) continue;
    for (const { shape, start, term, text: written } of tokens)
      if (
        (shape === 'name' || KIN.has(stemOf(written.toLowerCase()))) &&
        !isOfCalendar(`t:${term}`) &&
        BEGINS.test(text.slice(0, start))
      )
        persons.add(term);
  }
  return persons;
}
