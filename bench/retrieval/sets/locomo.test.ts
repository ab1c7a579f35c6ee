import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { evidenceIds, locomo, locomoTime } from './locomo.ts';

const fixture = join(import.meta.dirname, '../fixtures/locomo.json');

describe('locomoTime', () => {
  it('reads the times of the file, midnight and noon too', () => {
    expect(locomoTime('1:56 pm on 8 May, 2023')).toBe('2023-05-08T13:56:00.000Z');
    expect(locomoTime('12:05 am on 3 June, 2023')).toBe('2023-06-03T00:05:00.000Z');
    expect(locomoTime('12:00 pm on 29 February, 2024')).toBe('2024-02-29T12:00:00.000Z');
  });

  it('refuses anything else', () => {
    expect(() => locomoTime('8 May 2023')).toThrow('not 8 May 2023');
    expect(() => locomoTime('1:56 pm on 8 Mai, 2023')).toThrow('not 1:56 pm on 8 Mai, 2023');
  });
});

describe('evidenceIds', () => {
  it('reads ids as they should be, and the slips of the file', () => {
    expect(evidenceIds(['D1:3', 'D1:3', 'D12:4'])).toEqual(['D1:3', 'D12:4']);
    expect(evidenceIds(['D8:6; D9:17'])).toEqual(['D8:6', 'D9:17']);
    expect(evidenceIds(['D9:1 D4:4 D4:6'])).toEqual(['D9:1', 'D4:4', 'D4:6']);
    expect(evidenceIds(['D:11:26', 'D30:05', 'D'])).toEqual(['D11:26', 'D30:5']);
  });
});

describe('locomo', () => {
  const { batches, views } = locomo(fixture);
  const [first, second] = [...batches];

  it('makes every turn a memory, sessions in their order and not in that of the file', () => {
    expect(first?.items.map(({ key, session }) => [key, session])).toEqual([
      ['D1:1', 'D1'],
      ['D1:2', 'D1'],
      ['D2:1', 'D2'],
      ['D2:2', 'D2'],
    ]);
    expect(first?.items[1]).toEqual({
      key: 'D1:2',
      value: 'Jun: Look at this! [shared a photo: a photo of a blue bowl]',
      metadata: { session: 'D1', timestamp: '2023-05-08T13:57:00.000Z', speaker: 'Jun' },
      created_at: '2023-05-08T13:57:00.000Z',
      session: 'D1',
    });
  });

  it('asks what has evidence that exists, by category, and maps it to sessions', () => {
    expect(first?.questions.map(({ kind, evidence, sessions }) => [kind, evidence, sessions])).toEqual([
      ['single_hop', ['D1:1'], ['D1']],
      ['multi_hop', ['D2:1', 'D1:2'], ['D2', 'D1']],
      ['temporal', ['D2:1'], ['D2']],
      ['adversarial', ['D1:1'], ['D1']],
    ]);
    expect(views).toContain('sessions, best three');
  });

  it('halves by conversation', () => {
    expect(new Set(first?.questions.map(({ half }) => half))).toEqual(new Set(['tune']));
    expect(new Set(second?.questions.map(({ half }) => half))).toEqual(new Set(['report']));
    expect(first?.namespace).not.toBe(second?.namespace);
  });

  it('names the field of a file that is of another format', () => {
    const folder = fs.mkdtempSync(join(os.tmpdir(), 'locomo-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const file = join(folder, 'other.json');
    fs.writeFileSync(file, '[{"conversation":{},"qa":[{"question":"?","category":9}]}]');
    expect(() => locomo(file)).toThrow(/0\.qa\.0\.category/);
  });
});
