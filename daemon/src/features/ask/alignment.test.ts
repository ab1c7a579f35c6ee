import { describe, expect, it } from 'vitest';

import { alignedWith } from './alignment.ts';
import { asking, evidenceDeps } from './testing/asking.ts';

const align = (question: string, sentence: string) => alignedWith(evidenceDeps, asking(question), sentence);

describe('a question on a sentence', () => {
  it('sees whether the verb of the question is said', () => {
    expect(align('Where does Daniel live?', 'Daniel lives in Lübeck.').verb).toBe(1);
    expect(align('Where does Daniel live?', 'Daniel was in Lübeck.').verb).toBeLessThan(0.5);
    expect(align('What colour has the sofa?', 'The sofa is grey.').verb).toBeLessThan(0);
  });

  it('wants what the answer has to have in the clause that says the question', () => {
    const within = align('What does the cleaning cost?', 'The cleaning costs 95 euro, the dentist is nice.');
    const beside = align(
      'What does the cleaning cost?',
      'The cleaning cost us time, the dentist took 95 euro.',
    );
    expect(within.type).toBe(1);
    expect(beside.type).toBeLessThan(within.type);
    expect(align('Which herb does Lena dislike?', 'Lena dislikes coriander.').type).toBe(0.5);
  });

  it('measures how near new figures and names stand', () => {
    const near = align('How many cows has the farm?', 'The farm has two hundred cows: 212.');
    const far = align(
      'How many cows has the farm?',
      'The farm has cows; it was founded long ago, probably before 1911.',
    );
    expect(near.figure).toBeGreaterThan(far.figure);
    expect(far.figure).toBeGreaterThan(0);
    expect(align('Who lives on the farm?', 'The farm is big.').name).toBe(0);
  });

  it('counts what one clause says, and what the question does not say', () => {
    const one = align('Does the farm sell cheese?', 'The farm sells cheese.');
    const two = align('Does the farm sell cheese?', 'The farm is closed, but somebody may sell us cheese.');
    expect(one.clause).toBe(1);
    expect(two.clause).toBeLessThan(1);
    expect(one.unsaid).toBe(0);
    expect(two.unsaid).toBeGreaterThan(0);
  });

  it('finds nothing in nothing', () => {
    expect(align('Where does Daniel live?', '')).toMatchObject({
      verb: 0,
      clause: 0,
      type: 0,
      figure: 0,
      length: 0,
    });
  });
});
