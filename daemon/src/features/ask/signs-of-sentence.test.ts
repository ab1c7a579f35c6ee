import { describe, expect, it } from 'vitest';
import type { Evidence } from './evidence.ts';
import { wordsOf } from './passages.ts';
import type { Asked, Question } from './question.ts';
import type { Answering } from './reranking.ts';
import { createAttributeSigns } from './signs-of-attributes.ts';
import { outcomeSigns } from './signs-of-outcome.ts';
import { ownerSigns } from './signs-of-owner.ts';
import { topicSigns } from './signs-of-topic.ts';
import { signsOf } from './signs.ts';
import { loadForest } from './trees.ts';

const nothing: Evidence = {
  ...{
    passage: undefined,
    beside: undefined,
    here: [],
    near: [],
    said: 0,
    told: 0,
    literal: 0,
    names: 0,
    nouns: 0,
  },
  ...{ verbs: 0, focus: 0, type: 0, typeNear: 0, cosine: 0, close: 0 },
};

/** A question whose words with a capital are names. */
function asking(text: string): Question {
  const words = wordsOf(text).map((word): Asked => ({
    ...{ ...word, weight: 1, isFocus: false, concepts: [] },
    role: word.isName ? 'name' : 'noun',
  }));
  const rest = { isYesNo: false, isSeveral: false, isEnglish: true, isAboutTime: false };
  return { text, now: new Date('2026-11-20T12:00:00Z'), words, expects: [], ...rest };
}

/** A memory of one sentence, with the words of the question that it has. */
function candidate(question: Question, sentence: string, base = 0.5): Answering {
  const said = wordsOf(sentence);
  const here = question.words.map(({ stem }) => Number(said.some((word) => word.stem === stem)));
  const passage = { text: sentence, words: said, concepts: new Set<number>() };
  const times = { created_at: '2026-11-01T00:00:00Z', updated_at: '2026-11-01T00:00:00Z' };
  return {
    memory: { id: 1, key: 'a', value: sentence, namespace: 'n', metadata: {}, ...times },
    ...{ base, place: 1, score: base, boosts: [] },
    evidence: { ...nothing, passage, here, near: here },
  };
}

const owner = (text: string, sentence: string) => {
  const question = asking(text);
  return ownerSigns(question, candidate(question, sentence));
};

describe('whose it is', () => {
  it('sees that another name stands nearer to what is said', () => {
    const text = "What does Anna's cat eat, or Anna's parrot?";
    expect(owner(text, 'With Anna, our Bert keeps a cat and his parrot.')).toMatchObject({
      nearerToOthers: 1,
      nearerToAsked: 0,
    });
    expect(owner(text, 'With Bert, our Anna keeps a cat and her parrot.')).toMatchObject({
      nearerToOthers: 0,
      nearerToAsked: 1,
    });
  });

  it('sees that the memory speaks of its writer where somebody is named, and the other way round', () => {
    const asked = 'How fast did Daniel run the race?';
    expect(owner(asked, 'I ran the race in two hours.').ownOnly).toBe(1);
    expect(owner(asked, 'Daniel and I ran the race in two hours.').ownOnly).toBe(0);
    expect(owner('How fast did I run the race?', 'Daniel ran the race.').ownSaid).toBe(0);
    expect(owner('How fast did I run the race?', 'My race took two hours.').ownSaid).toBe(1);
  });

  it('measures how far the thing stands from its owner', () => {
    const near = owner("What is Anna's birthday?", 'We know of Anna her birthday.').ownerNear;
    const far = owner(
      "What is Anna's birthday?",
      'Anna came late, to a party on a boat at the birthday.',
    ).ownerNear;
    expect(near).toBeGreaterThan(far);
    expect(owner("What is Anna's birthday?", 'Anna came late.').ownerNear).toBe(0);
  });
});

describe('plans and outcomes', () => {
  it('tells what was planned from what was done, where the past is asked for', () => {
    const planned = outcomeSigns(
      { text: 'How did the almonds sell?' },
      "We'll try salted almonds next month.",
    );
    const done = outcomeSigns(
      { text: 'How did the almonds sell?' },
      'The almonds sold badly, we stopped them.',
    );
    expect(planned.pastPlanned).toBeGreaterThan(0);
    expect(done.pastPlanned).toBeLessThan(0);
    expect(outcomeSigns({ text: 'Which almonds are there?' }, "We'll try salted ones.").pastPlanned).toBe(0);
  });

  it('sees that one of the two denies', () => {
    expect(outcomeSigns({ text: 'Who eats meat?' }, "Anna doesn't eat meat.").deniedByOne).toBe(-1);
    expect(outcomeSigns({ text: 'Who does not eat meat?' }, "Anna doesn't eat meat.").deniedByOne).toBe(0);
  });
});

describe('the topic', () => {
  it('sees which words no candidate has, and how the best stands out', () => {
    const question = asking('colour tent festival');
    const ranked = [
      candidate(question, 'The tent leaks.', 0.9),
      candidate(question, 'A festival of films.', 0.2),
    ];
    const signs = topicSigns(question, ranked);
    expect(signs.absent).toBeCloseTo(1 / 3);
    expect(signs).toMatchObject({ absentCount: 1, wordsOfBest: 1, leastNounOfAny: 0 });
    expect(signs.searchStandsOut).toBeGreaterThan(3);
    expect(topicSigns(question, [])).toMatchObject({ absent: 1, mostWords: 0 });
  });
});

describe('attributes', () => {
  const rent = {
    a: 'rent',
    ...{ one: true, value: 'money', says: ['pay the landlady'], asks: ['how much is the rent'] },
  };
  const place = { from: 0, to: 1, isDenied: false };
  const transport = { name: 'transport', isExclusive: true, members: [['car'], ['bus']] };
  const signs = createAttributeSigns({
    classes: [transport],
    attributesIn: (given) => {
      const text = typeof given === 'string' ? given : '';
      return [
        ...(/pay the landlady/u.test(text)
          ? [{ attribute: rent, via: 'says' as const, strength: 0.8, ...place }]
          : []),
        ...(/how much is the rent/iu.test(text)
          ? [{ attribute: rent, via: 'asks' as const, strength: 0.7, ...place }]
          : []),
      ];
    },
    membersIn: (text) =>
      ['car', 'bus'].flatMap((name) =>
        text.includes(name) ? [{ of: transport, name, from: 0, to: 1 }] : [],
      ),
  });
  const read = (text: string, sentence: string) => {
    const question = asking(text);
    return signs(question, [candidate(question, sentence)]);
  };

  it('sees whether what is asked for is stated, in whatever words', () => {
    const asked = 'How much is the rent?';
    expect(read(asked, 'We pay the landlady 900.')).toMatchObject({
      attributeAsked: 0.7,
      attributeHere: 0.7,
    });
    expect(read(asked, 'The landlady has a dog.')).toMatchObject({ attributeHere: 0, attributeGap: 0.7 });
    expect(read('Who has a dog?', 'We pay the landlady 900.')).toMatchObject({
      attributeAsked: 0,
      attributeOther: 0.8,
      attributeShare: 0.5,
    });
  });

  it('sees a member of the class that is asked for, and one that excludes what is named', () => {
    expect(read('Which transport is it?', 'I take the bus.')).toMatchObject({ kindAsked: 1, kindHere: 1 });
    expect(read('Which transport is it?', 'I walk.')).toMatchObject({ kindAsked: 1, kindHere: 0 });
    expect(read('Is it the car?', 'I take the bus.')).toMatchObject({ kindDiffers: 1, kindAgrees: 0 });
  });

  it('are among those that were fitted, as all others are: a new one wants a new fit', () => {
    const question = asking('How much is the rent?');
    const align = () => ({ verb: 0, clause: 0, type: 0, figure: 0, name: 0, length: 0, unsaid: 0 });
    const row = signsOf({ align, attributeSigns: signs }, question, [candidate(question, 'It is 900.')]);
    expect(Object.keys(row).sort()).toEqual([...loadForest().names].sort());
  });
});
