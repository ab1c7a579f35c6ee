import type { MemberClass } from '../../language/attribute-classes.ts';
import { phraseStem } from '../../language/attribute-words.ts';
import type { Attributes } from '../../language/attributes.ts';
import type { Question } from './question.ts';
import type { Answering } from './reranking.ts';

/** Characters of a memory in which attributes are looked for. */
const MOST = 3_000;
/** Candidates whose best sentences may state what is asked for. */
const CLOSE = 5;
/** A statement in a question counts a little less than its words of asking, words of asking in a statement much less. */
const STATED_WHERE_ASKED = 0.9;
const ASKED_WHERE_STATED = 0.6;
/** From here on an attribute is surely stated. */
const SURE = 0.6;
/** What stands for a share that cannot be told. */
const UNKNOWN = 0.5;

/** Attributes with how surely a text asks for them, or states them. */
type Found = ReadonlyMap<string, number>;

/** What is asked of somebody or something, and whether the candidates state it (data/attributes). */
export type AttributeSigns = Readonly<
  Record<
    | `attribute${'Asked' | 'Here' | 'Told' | 'Any' | 'FirstHere' | 'FirstTold' | 'Other' | 'Share' | 'Gap'}`
    | `kind${'Asked' | 'Here' | 'Told' | 'Differs' | 'Agrees'}`,
    number
  >
>;

/** Reads such signs in a question and its candidates, the best first. */
export type AttributeReader = (question: Question, ranked: readonly Answering[]) => AttributeSigns;

/** A reader of such signs; classes are looked up by the last word of their names. */
export function createAttributeSigns(
  attributes: Pick<Attributes, 'attributesIn' | 'membersIn' | 'classes'>,
): AttributeReader {
  const kinds = new Map<string, MemberClass[]>();
  for (const one of attributes.classes) {
    const head = phraseStem(
      one.name
        .match(/[\p{L}\p{N}]+/gu)
        ?.at(-1)
        ?.toLowerCase() ?? '',
    );
    kinds.set(head, [...(kinds.get(head) ?? []), one]);
  }
  const found = (text: string, { says, asks }: { says: number; asks: number }): Found => {
    const strengths = new Map<string, number>();
    for (const { attribute, via, strength } of attributes.attributesIn(text)) {
      const counts = strength * (via === 'says' ? says : asks);
      strengths.set(attribute.a, Math.max(strengths.get(attribute.a) ?? 0, counts));
    }
    return strengths;
  };
  return (question, ranked) => {
    const asked = found(question.text, { says: STATED_WHERE_ASKED, asks: 1 });
    const stated = (text: string) => found(text, { says: 1, asks: ASKED_WHERE_STATED });
    const sentence = ranked[0]?.evidence.passage?.text ?? '';
    const value = (ranked[0]?.memory.value ?? '').slice(0, MOST);
    // Most questions ask for nothing that is known: then nothing need be looked for.
    const [here, told] = [stated(sentence), asked.size === 0 ? asked : stated(value)];
    const others = asked.size === 0 ? [] : ranked.slice(1, CLOSE);
    const any = others.map(({ evidence }) => shared(asked, stated(evidence.passage?.text ?? '')));
    const [first, most] = strongest(asked);
    const asksAll = [...asked].reduce((sum, [, strength]) => sum + strength ** 2, 0);
    const toldAll = [...asked].reduce(
      (sum, [name, strength]) => sum + strength ** 2 * Math.min(1, (told.get(name) ?? 0) / SURE),
      0,
    );
    return {
      attributeAsked: most,
      attributeHere: shared(asked, here),
      attributeTold: shared(asked, told),
      attributeAny: Math.max(shared(asked, here), ...any),
      attributeFirstHere: here.get(first) ?? 0,
      attributeFirstTold: told.get(first) ?? 0,
      attributeOther: strongest(new Map([...here].filter(([name]) => !asked.has(name))))[1],
      attributeShare: asksAll === 0 ? UNKNOWN : toldAll / asksAll,
      attributeGap: most - shared(asked, told),
      ...kindsOf(question, { sentence, value }),
    };
  };

  function kindsOf({ text, words }: Question, { sentence, value }: { sentence: string; value: string }) {
    const wanted = new Set(
      words.flatMap(({ isFocus, role, text: word }) =>
        isFocus || role === 'noun' ? (kinds.get(phraseStem(word)) ?? []) : [],
      ),
    );
    const named = attributes.membersIn(text);
    const here = attributes.membersIn(sentence);
    const isKnown = (name: string, of: MemberClass) =>
      named.some((one) => one.of === of && one.name === name);
    const has = (members: typeof here) =>
      Number(members.some(({ of, name }) => wanted.has(of) && !isKnown(name, of)));
    let [differs, agrees] = [0, 0];
    for (const { of, name } of named) {
      const same = of.isExclusive ? here.filter((one) => one.of === of) : [];
      if (same.some((one) => one.name === name)) agrees = 1;
      else if (same.length > 0) differs = 1;
    }
    return {
      kindAsked: Number(wanted.size > 0),
      kindHere: wanted.size > 0 ? has(here) : UNKNOWN,
      kindTold: wanted.size > 0 ? has(attributes.membersIn(value)) : UNKNOWN,
      kindDiffers: differs,
      kindAgrees: agrees,
    };
  }
}

/** How surely something that is asked for is stated. */
function shared(asked: Found, stated: Found): number {
  let best = 0;
  for (const [name, strength] of asked) best = Math.max(best, Math.min(strength, stated.get(name) ?? 0));
  return best;
}

function strongest(found: Found): readonly [string, number] {
  return [...found].reduce<readonly [string, number]>(
    (best, one) => (one[1] > best[1] ? one : best),
    ['', 0],
  );
}
