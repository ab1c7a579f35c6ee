import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { halfOf, longMemEval, longMemEvalTime } from './longmemeval.ts';

const fixture = join(import.meta.dirname, '../fixtures/longmemeval.json');

describe('longMemEvalTime', () => {
  it('reads the times of the file and refuses anything else', () => {
    expect(longMemEvalTime('2023/05/25 (Thu) 20:21')).toBe('2023-05-25T20:21:00.000Z');
    expect(() => longMemEvalTime('25 May 2023')).toThrow('not 25 May 2023');
  });
});

describe('halfOf', () => {
  it('puts a question and its abstention twin into one half, and ids into both', () => {
    expect(halfOf('q1_abs')).toBe(halfOf('q1'));
    const halves = Array.from({ length: 200 }, (_, at) => halfOf(`question-${at}`));
    const tuned = halves.filter((half) => half === 'tune').length;
    expect(tuned).toBeGreaterThan(70);
    expect(tuned).toBeLessThan(130);
  });
});

describe('longMemEval', () => {
  it('makes every session a memory, whose key does not tell whether it answers', () => {
    const [first] = [...longMemEval(fixture, 'session').batches];
    expect(first?.items).toHaveLength(3);
    expect(first?.items[0]).toEqual({
      key: 'chat 1',
      value: 'user: I bought a fern today.\n\nassistant: Ferns like shade.',
      metadata: { timestamp: '2023-05-20T02:21:00.000Z' },
      created_at: '2023-05-20T02:21:00.000Z',
      session: 'answer_1',
    });
    expect(first?.questions).toMatchObject([
      { kind: 'multi-session', sessions: ['answer_1', 'answer_2'], evidence: ['chat 1', 'chat 3'] },
    ]);
    expect(first?.questions[0]).toMatchObject({ now: '2023-05-30T23:40:00.000Z' });
  });

  it('makes every turn a memory where asked, without empty ones', () => {
    const [first] = [...longMemEval(fixture, 'turn').batches];
    expect(first?.items.map(({ key, session }) => [key, session])).toEqual([
      ['chat 1, 1', 'answer_1'],
      ['chat 1, 2', 'answer_1'],
      ['chat 2, 1', 'noise_1'],
      ['chat 3, 1', 'answer_2'],
    ]);
    expect(first?.items[0]?.metadata).toEqual({ session: 'chat 1', timestamp: '2023-05-20T02:21:00.000Z' });
  });

  it('keeps abstention questions apart', () => {
    const benchmark = longMemEval(fixture, 'session');
    const [, second] = [...benchmark.batches];
    expect(second?.questions).toMatchObject([{ kind: 'abstention', unanswerable: true }]);
    expect(benchmark.apart).toEqual(['abstention']);
  });

  it('refuses lists that do not belong together', () => {
    const folder = fs.mkdtempSync(join(os.tmpdir(), 'longmemeval-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const file = join(folder, 'other.json');
    const text = fs.readFileSync(fixture, 'utf8').replace('"answer_1", "noise_1", "answer_2"', '"answer_1"');
    fs.writeFileSync(file, text);
    expect(() => longMemEval(file, 'session')).toThrow('differ in length');
  });
});
