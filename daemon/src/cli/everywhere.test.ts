import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type Ended, type Given, has, run } from './fake-terminal.ts';

let daemon: TestDaemon;
let home: string;

beforeAll(async () => {
  daemon = await startTestDaemon();
  home = daemon.home.folder;
  const items = [
    {
      namespace: 'work',
      key: 'rollout',
      value: 'The billing rollout is on Tuesday.',
      metadata: { tags: ['adr'] },
    },
    { namespace: 'my notes', key: 'cat', value: 'The grey cat sleeps on the radiator.' },
    { namespace: 'default', key: 'bread', value: 'Knead the dough for ten minutes.' },
  ];
  await daemon.call(storeBatch, { body: { items } });
});
afterAll(() => daemon.stop());

const at = (given: Omit<Given, 'home'>, ...args: string[]): Promise<Ended> =>
  run({ home, ...given }, ...args);
const reverie = (...args: string[]): Promise<Ended> => at({}, ...args);
const firstLine = ({ out }: Ended) => out.split('\n')[0]?.split('\t').slice(0, 3);

describe('--everywhere', () => {
  test('looks into every namespace, and says where each memory is', async () => {
    expect(firstLine(await reverie('search', '-e', 'billing rollout'))?.slice(1)).toEqual([
      'work',
      'rollout',
    ]);
    expect((await reverie('list', '--everywhere')).out.match(/^[^\t]+/gm)).toHaveLength(3);
    expect(await reverie('ask', '-e', 'Where does the grey cat sleep?')).toMatchObject({
      code: 0,
      out: has('radiator'),
    });
  });

  test('names them on a terminal, too, weaker ones folded', async () => {
    const few = await at({ typed: '' }, 'search', '-e', 'billing rollout');
    expect(few.out).toMatch(/rollout {2}work\n/);
    expect(few.err).toMatch(/\d weaker ones?: --all/);
    const all = await at({ typed: '' }, 'search', '-e', '--all', 'billing rollout');
    expect(all.out).toMatch(/cat {2}my notes\n/);
  });

  test('goes before the variable, and not beside a namespace', async () => {
    const env = { REVERIE_NAMESPACE: 'elsewhere' };
    expect((await at({ env }, 'list', '-e')).out.trim().split('\n')).toHaveLength(3);
    expect(await reverie('search', '-e', '-n', 'work', 'billing')).toMatchObject({ code: 2, out: '' });
  });
});

describe('operators', () => {
  test('`in:` looks where it says, unless a namespace is given', async () => {
    expect(firstLine(await reverie('search', 'in:"my notes" cat'))?.slice(1)).toEqual(['my notes', 'cat']);
    expect((await reverie('search', '-n', 'work', 'in:home cat')).out).not.toContain('my notes');
    expect((await reverie('list', 'in:work', 'tag:adr')).out).toMatch(/^work\trollout\t/);
  });

  test('a list of words is refused with what it takes', async () => {
    expect(await reverie('list', 'billing')).toMatchObject({ code: 2, err: has('"billing" is no operator') });
  });
});

describe('the line below', () => {
  const typed = { typed: '' };

  test('says where another namespace answers, and how to look there', async () => {
    const { err } = await at(typed, 'search', 'when is the billing rollout');
    expect(err).toContain('More in work: reverie search … --namespace work');
    const asked = await reverie('ask', 'Where does the grey cat sleep?');
    expect([asked.code, asked.err]).toEqual([
      4,
      has("More in my notes: reverie ask … --namespace 'my notes'"),
    ]);
  });

  test('is not there where the answer is here', async () => {
    expect((await at(typed, 'search', 'knead the dough')).err).not.toContain('More in');
    expect((await at(typed, 'search', '-e', 'zzz zzz')).err).not.toContain('More in');
  });
});
