import { stem } from '../../language/porter.ts';
import { foldText, WORD } from '../../language/words.ts';
import type { Question } from './question.ts';
import type { Answering } from './reranking.ts';

const OWN = /\b(?:i|me|my|mine|we|us|our|ours|ich|mein|meine|wir|unser|unsere)\b/iu;
const NO_NAME =
  /^(?:I|January|February|March|April|May|June|July|August|September|October|November|December|Mon|Tue|Wed|Thu|Fri|Sat|Sun|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|English|German|French)$/u;
/** What stands behind a name that opens a sentence. */
const DOES = /^(?:is|was|has|had|wants|says|said|does|did|will|works|lives|likes|asked|got)$/u;
const OPENS = /(?:^|[.!?:"“(\n])\s*$/u;
const WHOSE = /(?<owner>\p{Lu}\p{L}+)['’]s?\s+(?<thing>\p{L}+)/u;
const SOMEBODY = /^(?:he|she|they|his|her|their)\b/iu;
/** What stands for a likeness that cannot be told. */
const UNKNOWN = 0.5;

interface Token {
  readonly text: string;
  readonly stem: string;
  readonly isName: boolean;
}

function tokensOf(sentence: string, asked: ReadonlySet<string>): Token[] {
  const text = foldText(sentence);
  const found = [...text.matchAll(WORD)];
  return found.map(({ 0: raw, index }, at) => {
    const stemmed = stem(raw.toLowerCase());
    const opens = OPENS.test(text.slice(Math.max(0, index - 3), index));
    const isCapital = /^\p{Lu}/u.test(raw) && !NO_NAME.test(raw);
    const isName = isCapital && (!opens || DOES.test(found[at + 1]?.[0] ?? ''));
    return { text: raw, stem: stemmed, isName: isName || asked.has(stemmed) };
  });
}

/** Whose it is that the best sentence speaks of: the question's, or another's whose name stands nearer to what is said. */
export function ownerSigns(question: Question, best: Answering | undefined) {
  const sentence = best?.evidence.passage?.text ?? '';
  const names = new Set(
    question.words.flatMap(({ role, text, stem: stemmed }) =>
      role === 'name' && !/\p{N}/u.test(text) ? [stemmed] : [],
    ),
  );
  const tokens = tokensOf(sentence, names);
  const placesOf = (wanted: (token: Token) => boolean) =>
    tokens.flatMap((token, at) => (wanted(token) ? [at] : []));
  const asked = placesOf((token) => names.has(token.stem));
  const others = placesOf((token) => token.isName && !names.has(token.stem));
  const content = new Set(
    question.words.flatMap(({ role, stem: stemmed }, at) =>
      role !== 'name' && role !== 'date' && role !== 'scaffold' && (best?.evidence.here[at] ?? 0) >= 0.5
        ? [stemmed]
        : [],
    ),
  );
  const said = placesOf((token) => content.has(token.stem));
  const share = (wanted: (place: number) => boolean) =>
    said.length === 0 ? 0 : said.filter(wanted).length / said.length;
  const isOwn = OWN.test(question.text);
  const saysOwn = OWN.test(sentence);
  return {
    ownSaid: isOwn ? (saysOwn ? 1 : OWN.test(best?.memory.value ?? '') ? 0.5 : 0) : 0.7,
    ownOnly: Number(!isOwn && names.size > 0 && asked.length === 0 && saysOwn),
    otherNames: Math.min(3, others.length),
    nearerToOthers: share((at) => nearest(others, at) < nearest(asked, at)),
    nearerToAsked: share((at) => nearest(asked, at) < nearest(others, at)),
    nameSaid: names.size === 0 ? UNKNOWN : Number(asked.length > 0),
    ownerNear: ownerNear(question.text, tokens),
    somebody: Number(SOMEBODY.test(sentence)),
  };
}

const FAR = 99;
const nearest = (places: readonly number[], at: number): number =>
  places.reduce((least, place) => Math.min(least, Math.abs(place - at)), FAR);

/** How near to each other owner and thing stand, where the question has `Anna's sister`. */
function ownerNear(text: string, tokens: readonly Token[]): number {
  const { owner, thing } = WHOSE.exec(text)?.groups ?? {};
  if (owner === undefined || thing === undefined) return UNKNOWN;
  const placeOf = (word: string) => tokens.findIndex((token) => token.stem === stem(word.toLowerCase()));
  const [one, other] = [placeOf(owner), placeOf(thing)];
  return one < 0 || other < 0 ? 0 : 1 / (1 + Math.abs(one - other) / 3);
}
