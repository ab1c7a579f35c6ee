import { describe, expect, test } from 'vitest';
import { readPaper } from './examination-data.ts';
import { judged, judgedVectors, type ExaminationMark, markOf, median } from './examination-marks.ts';

const { notes, questions, pairs } = readPaper();
const valueOf = (key: string) => notes.find((note) => note.key === key)?.value ?? '';

describe('what a model is examined with', () => {
  test('is 30 notes, 24 questions of which 8 have no answer, and 6 pairs', () => {
    expect([notes.length, questions.length, pairs.length]).toEqual([30, 24, 6]);
    expect(new Set(notes.map(({ key }) => key)).size).toBe(30);
    expect(questions.filter(({ kind }) => kind === 'unanswerable')).toHaveLength(8);
    expect(new Set(questions.map(({ kind }) => kind)).size).toBe(7);
    expect(pairs.filter(({ contradicts }) => contradicts)).toHaveLength(3);
  });

  test.each(questions.map((one) => [one.question, one] as const))('%s', (_, one) => {
    if (one.kind === 'unanswerable') {
      expect([one.notes, one.accepted]).toEqual([[], []]);
      return;
    }
    const [first = ''] = one.notes;
    expect(one.accepted.length).toBeGreaterThan(0);
    for (const pattern of one.accepted) expect(valueOf(first)).toMatch(pattern);
    // No pattern is in the question itself: repeating it is no answer.
    expect(one.accepted.every((pattern) => pattern.test(one.question))).toBe(false);
  });
});

describe('marks', () => {
  const gym = questions.find(({ kind }) => kind === 'changed');
  const none = questions.find(({ kind }) => kind === 'unanswerable');
  const orders = questions.find(({ kind }) => kind === 'orders');

  test.each([
    [gym, { kind: 'answered', text: 'It is 39 euro a month [1].' }, 'right'],
    [gym, { kind: 'answered', text: 'It is 34 euro a month [39].' }, 'made_up'],
    [gym, { kind: 'declined' }, 'wrong'],
    [gym, { kind: 'unsupported' }, 'wrong'],
    [gym, { kind: 'failed', why: 'too slow' }, 'wrong'],
    [orders, { kind: 'answered', text: '12 boxes.' }, 'right'],
    [orders, { kind: 'answered', text: 'It was cancelled; 12 boxes.' }, 'made_up'],
    [none, { kind: 'declined' }, 'declined_rightly'],
    [none, { kind: 'answered', text: 'Red.' }, 'made_up'],
    [none, { kind: 'unsupported' }, 'made_up'],
    [none, { kind: 'failed', why: 'too slow' }, 'wrong'],
  ] as const)('%o of %o', (question, said, mark) => {
    if (!question) throw new Error('the paper has no such question');
    expect(markOf(question, said)).toBe(mark);
  });

  const marks = (right: number, madeUp: number): ExaminationMark[] => [
    ...Array<ExaminationMark>(right).fill('right'),
    ...Array<ExaminationMark>(madeUp).fill('made_up'),
    ...Array<ExaminationMark>(8).fill('declined_rightly'),
    ...Array<ExaminationMark>(Math.max(0, 16 - right - madeUp)).fill('wrong'),
  ];
  const pairsOf = (right: number) => Array.from({ length: 6 }, (_, at) => at < right);

  test.each([
    { right: 12, madeUp: 2, pairs: 5, seconds: 10, fit: ['ask', 'dreams'] },
    { right: 16, madeUp: 0, pairs: 4, seconds: 1, fit: ['ask'] },
    { right: 16, madeUp: 0, pairs: 6, seconds: 11, fit: ['dreams'] },
    { right: 16, madeUp: 0, pairs: 6, seconds: 61, fit: [] },
    { right: 11, madeUp: 0, pairs: 6, seconds: 1, fit: ['dreams'] },
    { right: 11, madeUp: 0, pairs: 4, seconds: 1, fit: [] },
    { right: 13, madeUp: 3, pairs: 6, seconds: 1, fit: [] },
  ])('$right right, $madeUp made up, $pairs pairs, $seconds s: $fit', ({ fit, ...given }) => {
    const { fit_for, verdict } = judged({
      questions: marks(given.right, given.madeUp),
      pairs: pairsOf(given.pairs),
      secondsMedian: given.seconds,
    });
    expect(fit_for).toEqual(fit);
    expect(verdict?.endsWith('not for use')).toBe(fit.length === 0);
  });

  test.each([
    { found: 14, foundByTable: 11, msPerText: 20, fit: ['vectors'] },
    { found: 11, foundByTable: 11, msPerText: 20, fit: [] },
    { found: 16, foundByTable: 11, msPerText: 501, fit: [] },
  ])('vectors: $found of 16 beside $foundByTable, $msPerText ms: $fit', ({ fit, ...given }) => {
    expect(judgedVectors({ dimensions: 768, of: 16, ...given }).fit_for).toEqual(fit);
  });

  test('the median of an even number is the middle of two; there is none of nothing', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, null]);
  });
});
