import { describe, expect, it } from 'vitest';

import type { Batch, Benchmark, Question, System } from './benchmark.ts';
import { reportOf } from './report.ts';
import { resultsOf } from './results.ts';
import { run } from './run.ts';

const question = (id: string, more: Partial<Question>): Question => ({
  id,
  text: id,
  kind: 'plain',
  half: 'tune',
  evidence: [],
  sessions: [],
  ...more,
});

/** Answers each question with the keys and scores that are given for it. */
function scripted(name: string, answers: Record<string, [string, number][]>) {
  const calls: string[] = [];
  const system: System = {
    name,
    async fill({ namespace }) {
      calls.push(`fill ${namespace}`);
    },
    async ask({ text, limit }) {
      calls.push(`ask ${text} ${limit}`);
      const hits = (answers[text] ?? []).map(([key, score]) => ({ key, score })).slice(0, limit);
      return { hits, clientMs: 4, serverMs: 2 };
    },
    async empty({ namespace }) {
      calls.push(`empty ${namespace}`);
    },
  };
  return { system, calls };
}

const item = (key: string, session: string) => ({ key, value: key, metadata: {}, session });
const first: Batch = {
  namespace: 'one',
  items: [item('a1', 'a'), item('a2', 'a'), item('b1', 'b'), item('c1', 'c')],
  questions: [
    question('q1', { evidence: ['a1'], sessions: ['a'] }),
    question('q2', { evidence: ['b1'], sessions: ['b'], kind: 'odd' }),
    question('q3', { unanswerable: true }),
    question('q4', { half: 'report', evidence: ['c1'], sessions: ['c'] }),
    question('q5', { half: 'report', unanswerable: true }),
  ],
};
const benchmark: Benchmark = {
  name: 'made up',
  batches: [first, { namespace: 'two', items: [], questions: [question('q6', { kind: 'unasked' })] }],
  views: ['memories', 'sessions'],
  apart: ['odd'],
  without: [],
};
const good = () =>
  scripted('good', {
    q1: [['a1', 0.9]],
    q2: [['c1', 0.8]],
    q3: [['c1', 0.2]],
    q4: [['c1', 0.6]],
  });
const bad = () => scripted('bad', { q1: [['b1', 1]], q4: [['c1', 0.5]], q5: [['a1', 0.7]] });

async function measured() {
  const [ours, theirs] = [good(), bad()];
  const asked = await run({
    benchmark,
    systems: [ours.system, theirs.system],
    isAsked: ({ kind }) => kind !== 'unasked',
    say: () => undefined,
  });
  const results = resultsOf({
    benchmark,
    asked,
    systems: ['good', 'bad'],
    baseline: 'bad',
    resamples: 100,
  });
  return { asked, results, calls: ours.calls };
}

describe('run', () => {
  it('fills, asks both pages and empties, and leaves a batch alone of which nothing is asked', async () => {
    const { calls } = await measured();
    expect(calls.slice(0, 3)).toEqual(['fill one', 'ask q1 10', 'ask q1 100']);
    expect(calls.at(-1)).toBe('empty one');
    expect(calls).not.toContain('fill two');
  });

  it('judges only what has evidence', async () => {
    const { asked } = await measured();
    expect(asked.map(({ question: { id }, judged }) => [id, judged.memories?.['good']?.first])).toEqual([
      ['q1', 1],
      ['q2', Infinity],
      ['q3', undefined],
      ['q4', 1],
      ['q5', undefined],
    ]);
  });
});

describe('resultsOf', () => {
  it('keeps halves and views apart, and leaves out of `all` what is of another sort', async () => {
    const { results } = await measured();
    expect(results.parts.map(({ half, view }) => `${half} ${view}`)).toEqual([
      'tune memories',
      'tune sessions',
      'report memories',
      'report sessions',
    ]);
    const rows = results.parts[0]?.rows.map(({ kind, systems }) => [kind, systems['good']?.any5]);
    expect(rows).toEqual([
      ['plain', 1],
      ['odd', 0],
      ['all', 1],
    ]);
    expect(results.parts[0]?.rows[0]?.differences).toEqual({ good: { mean: 1, low: 1, high: 1 } });
  });

  it('chooses the threshold on the tune half and applies it to the other', async () => {
    const { results } = await measured();
    const of = (half: string) => results.abstention.find((one) => one.system === 'good' && one.half === half);
    expect(of('tune')).toMatchObject({ auc: 1, balanced: { right: 1, wrong: 0 } });
    // q5 found nothing, so its score is 0.
    expect(of('report')).toMatchObject({
      counts: { answerable: 1, unanswerable: 1 },
      auc: 1,
      balanced: { threshold: of('tune')?.balanced?.threshold, right: 1, wrong: 0 },
      silent: { right: 1, wrong: 0 },
    });
  });

  it('chooses no threshold where the tune half was not asked', async () => {
    const { asked } = await measured();
    const report = asked.filter(({ question: { half } }) => half === 'report');
    const measure = { benchmark, asked: report, systems: ['good', 'bad'], baseline: 'bad', resamples: 100 };
    const { abstention } = resultsOf(measure);
    expect(abstention[0]).toMatchObject({ half: 'report', balanced: undefined, careful: undefined });
  });
});

describe('reportOf', () => {
  it('says which half is which, and prints latency and differences', async () => {
    const { results } = await measured();
    const text = reportOf(results);
    expect(text).toContain('TUNE half');
    expect(text).toContain('REPORT half');
    expect(text).toContain('+100.0 [+100.0, +100.0]');
    expect(text).toMatch(/^good +4\.00 +4\.00 +2\.00 +2\.00$/m);
  });
});
