import { expect, it } from 'vitest';

import { randomFrom } from '../latency/corpus.ts';
import { fitOrder, fitScale, type Listed } from './regression.ts';

const random = randomFrom(5);
/** Two inputs tell what answers, the second twice as much; the third says nothing. */
const questions = Array.from({ length: 300 }, (): Listed => {
  const values = Array.from({ length: 20 }, () => [random(), random(), random()]);
  const drawn = values.map(([a = 0, b = 0]) => 4 * a + 8 * b - Math.log(-Math.log(random() + 1e-12)));
  const best = drawn.indexOf(Math.max(...drawn));
  return { values, relevant: values.map((_, at) => at === best), weight: 1 };
});

it('finds the weights that a list was drawn by', () => {
  const [a = 0, b = 0, c = 0] = fitOrder(questions);
  expect(a).toBeGreaterThan(2.5);
  expect(a).toBeLessThan(5.5);
  expect(b).toBeGreaterThan(6);
  expect(b).toBeLessThan(10);
  expect(c).toBeLessThan(0.6);
});

it('gives no weight below zero', () => {
  const against = questions.map((question) => ({
    ...question,
    values: question.values.map(([a = 0, b = 0]) => [-a, b]),
  }));
  expect(fitOrder(against)[0]).toBe(0);
});

it('scales a sum to a probability', () => {
  const weights = [4, 8, 0];
  const { scale, bias } = fitScale(questions, weights);
  const p = (values: readonly number[]) =>
    1 / (1 + Math.exp(-(scale * values.reduce((sum, x, i) => sum + x * (weights[i] ?? 0), 0) + bias)));
  const mean = (wanted: boolean) => {
    const all = questions.flatMap(({ values, relevant }) =>
      values.filter((_, at) => relevant[at] === wanted).map(p),
    );
    return all.reduce((sum, x) => sum + x, 0) / all.length;
  };
  expect(scale).toBeGreaterThan(0);
  expect(mean(true)).toBeGreaterThan(0.6);
  expect(mean(false)).toBeLessThan(0.4);
});
