import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailure, type Prompt } from '../../models/language-model.ts';
import { composedAnswer } from './composing.ts';
import { answering, asking } from './testing/asking.ts';

const NOTES = [
  answering({ key: 'lease', value: 'The flat is let until 30 June 2027. The rent is 940 euro a month.' }),
  answering({ key: 'dog', value: 'Pixel does not get chicken; she likes tuna.' }),
];

/** A model that answers what it is told to, through the schema of the prompt, as the port promises. */
function says(answer: unknown): LanguageModel {
  return {
    model: 'fake',
    generate: <T>({ schema }: Prompt<T>) => {
      const parsed = schema.safeParse(answer);
      if (!parsed.success) return Promise.reject(new ModelFailure('garbage', 'It wrote no answer'));
      return Promise.resolve({ value: parsed.data, tokens: 1 });
    },
  };
}

const composed = (model: LanguageModel, signal = new AbortController().signal) =>
  composedAnswer({ model, signal }, asking('How much is the rent of the flat?'), NOTES);
const one = (text: string, ...sources: number[]) => composed(says({ sentences: [{ text, sources }] }));

describe('an answer in a model’s words', () => {
  it('names the notes of each sentence', async () => {
    expect(await one('The rent of the flat is 940 euro a month.', 1)).toBe(
      'The rent of the flat is 940 euro a month. [1]',
    );
    expect(await one('The rent is 940 euro [1].', 1, 1)).toBe('The rent is 940 euro. [1]');
  });

  it.each([
    ['that cites nothing', 'The rent is 940 euro a month.', []],
    ['that cites a note that it was not given', 'The rent is 940 euro a month.', [3]],
    ['that cites such a note beside a good one', 'The rent is 940 euro a month.', [1, 7]],
    ['that cites note 0', 'The rent is 940 euro a month.', [0]],
    ['with a figure of its own', 'The rent of the flat is 1,200 euro a month.', [1]],
    ['with a name of its own', 'The rent of the flat is paid to Mr Uhlig.', [1]],
    ['about something else', 'Most landlords ask for a deposit.', [1]],
    ['that denies what the note says', 'The flat is not let until 30 June 2027.', [1]],
    ['of no words at all', '…', [1]],
  ])('drops a sentence %s', async (_, text, sources) => {
    expect(await one(text, ...sources)).toBeUndefined();
  });

  it('keeps what is supported of what is not', async () => {
    const sentences = [
      { text: 'The rent is 940 euro a month.', sources: [1] },
      { text: 'It will rise to 1,000 euro soon.', sources: [1] },
      { text: 'Pixel does not get chicken.', sources: [2] },
    ];
    expect(await composed(says({ sentences }))).toBe(
      'The rent is 940 euro a month. [1] Pixel does not get chicken. [2]',
    );
  });

  it('is undefined where the model says that the notes do not answer', async () => {
    expect(await composed(says({ sentences: [] }))).toBeUndefined();
  });

  it('rejects where the model fails or writes something else', async () => {
    await expect(composed(says('no idea'))).rejects.toThrow(ModelFailure);
    await expect(composed(says({ sentences: [{ text: 7 }] }))).rejects.toThrow(ModelFailure);
  });

  it('does not wait for a model that ignores the time limit', async () => {
    const limit = new AbortController();
    const never: LanguageModel = { model: 'slow', generate: () => new Promise(() => undefined) };
    const waiting = composed(never, limit.signal);
    limit.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'timeout' });
    await expect(composed(never, limit.signal)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('gives the model the question, its day, and the notes by number', async () => {
    const seen: string[] = [];
    const listens: LanguageModel = {
      model: 'fake',
      generate(prompt) {
        seen.push(prompt.prompt);
        return says({ sentences: [] }).generate(prompt);
      },
    };
    await composed(listens);
    expect(seen[0]).toContain('[1] lease (1 May 2026)\nThe flat is let');
    expect(seen[0]).toContain('[2] dog');
    expect(seen[0]).toContain('Today is 20 November 2026.\nQuestion: How much is the rent of the flat?');
  });
});
