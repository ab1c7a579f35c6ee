import type { AskReply } from '@reverie/shared/contract/ask';
import { expect, test } from 'vitest';

import type { Question } from './benchmark.ts';
import { type Answered, reportOf, sampleOf } from './with-model-report.ts';

const question = (id: string, kind: string, evidence: string[]): Question => ({
  ...{ id, text: id, kind, evidence, sessions: [] },
  ...(evidence.length === 0 && { unanswerable: true }),
});

/** A question that was answered with these keys. */
function answered(one: Question, keys: string[], understood: Partial<AskReply['understood']> = {}): Answered {
  const citations = keys.map((key) => ({ key }) as AskReply['citations'][number]);
  const explained: NonNullable<AskReply['understood']> = {
    ...{ expects: [], queries: [], decided_by: 'model', signs_found: true },
    ...understood,
  };
  const found = keys.length > 0;
  const certainty = found ? 'sure' : 'none';
  const reply = { answer: '', citations, latency_ms: 1, found, certainty, model: null } as const;
  return { question: one, reply: { ...reply, understood: explained } };
}

test('a sample has all that nothing answers, and of each kind of the others its share', () => {
  const questions = [
    ...Array.from({ length: 10 }, (_, n) => question(`u${n}`, 'unanswerable', [])),
    ...Array.from({ length: 60 }, (_, n) => question(`a${n}`, 'a', ['x'])),
    ...Array.from({ length: 30 }, (_, n) => question(`b${n}`, 'b', ['x'])),
  ];
  const sample = sampleOf(questions, 30);
  const count = (kind: string) => sample.filter((one) => one.kind === kind).length;
  expect([count('unanswerable'), count('a'), count('b')]).toEqual([10, 20, 10]);
  expect(sampleOf(questions, 30)).toEqual(sample);
  expect(sampleOf(questions, 1_000)).toEqual(questions);
});

test('counts what was declined, what was cited, what was dropped, and says when replies are missing', () => {
  const all = [
    answered(question('1', 'direct', ['x', 'y']), ['x', 'z'], { unsupported: 2 }),
    answered(question('2', 'direct', ['x']), [], { signs_found: false }),
    answered(question('3', 'unanswerable', []), []),
    answered(question('4', 'unanswerable', []), ['x'], { decided_by: 'signs', model_failed: 'down' }),
  ];
  expect(reportOf(all, { answered: 3, missing: 0 })).toBe(`4 questions
direct: wrongly "not in memory" 1/2 (50.0 %); the signs alone 1/2 (50.0 %); evidence cited 1/2 (50.0 %); all of it 0/2 (0.0 %)
unanswerable: rightly "not in memory" 1/2 (50.0 %); the signs alone 0/2 (0.0 %)
all that memory answers: wrongly "not in memory" 1/2 (50.0 %); the signs alone 1/2 (50.0 %); evidence cited 1/2 (50.0 %); all of it 0/2 (0.0 %)
decided by signs: 1, of them 1 because the model failed or supported nothing
sentences dropped as unsupported: 2
replies from the record: 3, missing: 0
`);
  expect(reportOf(all, { answered: 3, missing: 1 })).toContain('THESE FIGURES MEAN NOTHING');
});
