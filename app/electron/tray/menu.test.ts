import type { DreamJob } from '@reverie/shared/contract/dreams/dreams';
import { describe, expect, test } from 'vitest';
import type { DaemonState } from '../daemon/state.ts';
import type { MenuItem } from '../desktop.ts';
import { DesktopSettings } from '../settings/settings.ts';
import type { Facts } from './facts.ts';
import { type Actions, menuOf, type MenuFacts } from './menu.ts';
import { trayStateOf } from './state.ts';

const running: DaemonState = { kind: 'running', nonce: 'a', since: 0, failures: 0 };
const facts: Facts = {
  namespaces: [
    { namespace: 'work', count: 1200 },
    { namespace: 'R&D', count: 1 },
  ],
  dream: undefined,
  proposals: 0,
  events: ['An agent wrote tea in work.'],
  sync: { state: 'dormant', pending: 0, paused: false, error: undefined },
  waiting: [],
  deadLetter: undefined,
  isDiskFull: false,
};
const live = { ...facts.sync, state: 'live' as const };
const dream = {
  id: 'dream_1',
  namespace: 'work',
  status: 'running',
  stages: 2,
  insights: 3,
  strategies: [{ state: 'complete' }, { state: 'running', done: 1, total: 4 }, { state: 'waiting' }],
} as DreamJob;

const did: unknown[][] = [];
const act = new Proxy({} as Actions, {
  get:
    (_target, name) =>
    (...args: unknown[]) =>
      did.push([name, ...args]),
});
const known = (change: Partial<MenuFacts> = {}): MenuFacts => ({
  daemon: running,
  facts,
  keys: [{ name: 'For any agent', file: '/home/api-key' }],
  settings: DesktopSettings.parse({}),
  heldDreams: undefined,
  update: undefined,
  ...change,
});
const withFacts = (change: Partial<Facts>) => known({ facts: { ...facts, ...change } });

/** A menu as a person reads it. */
function read(items: readonly MenuItem[], depth = 0): string[] {
  return items.flatMap((item) => {
    const before = '  '.repeat(depth);
    if (item.kind === 'line') return [`${before}--`];
    if (item.kind === 'menu') return [`${before}${item.label} >`, ...read(item.items, depth + 1)];
    if (item.kind === 'switch') return [`${before}[${item.isOn ? 'x' : ' '}] ${item.label}`];
    return [`${before}${item.kind === 'action' && item.isEnabled !== false ? '' : '# '}${item.label}`];
  });
}
const menu = (of: MenuFacts) => read(menuOf(of, act));
function choose(of: MenuFacts, label: string): unknown[] | undefined {
  const all = (items: readonly MenuItem[]): MenuItem[] =>
    items.flatMap((item) => (item.kind === 'menu' ? [item, ...all(item.items)] : [item]));
  const item = all(menuOf(of, act)).find((one) => one.kind !== 'line' && one.label === label);
  if (!item || !('run' in item)) throw new Error(`There is no ${label}`);
  item.run();
  return did.at(-1);
}

describe('the icon', () => {
  test.each([
    [{ daemon: { kind: 'starting', failures: 0 } as const }, 'dormant', 'Reverie is starting'],
    [
      { daemon: { kind: 'waiting', failures: 1, ms: 1 } as const },
      'error',
      'Reverie ended and is started again',
    ],
    [{ daemon: { kind: 'refused', why: '', failures: 1 } as const }, 'error', 'Reverie does not start'],
    [{ daemon: { kind: 'stopped' } as const }, 'dormant', 'Reverie is stopping'],
    [{}, 'dormant', 'All saved'],
    [{ facts: { ...facts, isDiskFull: true } }, 'error', 'The disk is full: nothing new can be kept'],
    [
      { facts: { ...facts, sync: { ...live, state: 'error', error: 'No relay' } as const } },
      'error',
      'No relay',
    ],
    [{ facts: { ...facts, dream, proposals: 3 } }, 'dreaming', 'Dreaming of work'],
    [{ facts: { ...facts, sync: { ...live, pending: 2 }, proposals: 1 } }, 'syncing', 'Sending 2 changes'],
    [
      { facts: { ...facts, sync: { ...live, pending: 2, paused: true } } },
      'dormant',
      'All saved here; sync is paused',
    ],
    [{ facts: { ...facts, proposals: 1 } }, 'needs-you', '1 proposal to decide'],
    [{ facts: { ...facts, waiting: [{ id: 'd', name: 'x' }] } }, 'needs-you', '1 device asked to be let in'],
  ] as const)('%o', (change, state, words) => {
    expect(trayStateOf(known(change))).toEqual({ state, words });
  });
});

describe('the menu', () => {
  test('of a daemon that runs, whole', () => expect(menu(known())).toMatchSnapshot());

  test('of one that is starting offers what needs no daemon', () =>
    expect(menu(known({ daemon: { kind: 'looking', failures: 0 } }))).toMatchSnapshot());

  test('of one that does not start leads to the reason', () => {
    const of = known({ daemon: { kind: 'refused', why: 'full', failures: 1 } });
    expect(menu(of)[0]).toBe('Reverie does not start …');
    expect(choose(of, 'Reverie does not start …')).toEqual(['showTrouble']);
  });

  test('shows the dream that runs, its progress, and ends it', () => {
    const of = withFacts({ dream });
    expect(menu(of)).toContain('Dreaming of work: 2 of 3 (25 %), 3 found');
    expect(choose(of, 'Cancel this dream')).toEqual(['cancelDream', 'dream_1']);
  });

  test('says why a dream waits', () => {
    const queued = { ...dream, status: 'queued' as const };
    expect(menu({ ...withFacts({ dream: queued }), heldDreams: 'on battery, 31 %' })).toContain(
      'A dream of work waits: on battery, 31 %',
    );
    expect(menu(known({ heldDreams: 'on battery, 31 %' }))).toContain('Dream now (on battery, 31 %) >');
  });

  test('offers what waits for a person', () => {
    const of = withFacts({ proposals: 3, waiting: [{ id: 'd', name: 'laptop' }] });
    expect(choose(of, '3 proposals to decide')).toEqual(['open', '/dreams']);
    expect(choose(of, '“laptop” asks to be let in')).toEqual(['open', '/sync']);
  });

  test('pauses sync where there is one, and goes on', () => {
    expect(menu(known())).not.toContain('[ ] Pause sync');
    expect(choose(withFacts({ sync: live }), 'Pause sync')).toEqual(['pauseSync', true]);
    expect(choose(withFacts({ sync: { ...live, paused: true } }), 'Pause sync')).toEqual([
      'pauseSync',
      false,
    ]);
  });

  test('names namespaces as they are, and no more than fit', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ namespace: `n${at}`, count: at }));
    const shown = menu(withFacts({ namespaces: many })).filter((line) => /^ {2}n\d+ · /.test(line));
    expect(shown).toHaveLength(15);
    expect(choose(known(), 'R&&D · 1 memory')).toEqual(['open', '/memories?namespace=R%26D']);
    expect(menu(withFacts({ namespaces: [] }))).toEqual(
      expect.arrayContaining(['  # No memories yet', '# Dream now']),
    );
  });

  test('changes settings one at a time', () => {
    expect(choose(known(), 'Proposals of dreams')).toEqual([
      'change',
      { notify: { proposals: false, deliveries: true, invites: true, downtime: true } },
    ]);
    expect(choose(known(), 'None')).toEqual(['change', { quick_shortcut: null }]);
    expect(choose(known(), 'Start at login')).toEqual(['change', { start_at_login: true }]);
    expect(choose(known(), 'No dreams on battery below 40 %')).toEqual(['change', { dream_battery: 0 }]);
    expect(choose(known(), 'For any agent')).toEqual(['copyKey', '/home/api-key']);
  });

  test('says that an update is there', () =>
    expect(choose(known({ update: 'Restart for version 2' }), 'Restart for version 2')).toEqual([
      'checkForUpdate',
    ]));
});
