import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeClock } from '../../testing/fake-clock.ts';
import type { TabChannel } from './session-tabs.ts';
import type { OpenedSession } from './session.ts';

const mine: OpenedSession = { token: 'rv_mine', scope: 'owner', own: true, account: 'acc_a' };
const theirs: OpenedSession = { token: 'rv_theirs', scope: 'read', own: false, account: 'acc_b' };

/** A browser whose tabs each have modules of their own, as pages have. */
function browser() {
  const listeners: { tab: number; hear: (message: unknown) => void }[] = [];
  const said: unknown[] = [];
  let tabs = 0;
  const open = async () => {
    vi.resetModules();
    const { joinTabs } = await import('./session-tabs.ts');
    const { session, openSession, closeSession } = await import('./session.ts');
    const tab = (tabs += 1);
    const line: TabChannel = {
      say: (message) => {
        said.push(message);
        for (const one of [...listeners]) if (one.tab !== tab) one.hear(structuredClone(message));
      },
      hear: (listener) => void listeners.push({ tab, hear: listener }),
    };
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    const clock = fakeClock();
    const left: string[] = [];
    const joined = joinTabs({ line, storage, clock, onSignedOut: (token) => void left.push(token) });
    return {
      ...joined,
      clock,
      kept,
      left,
      session,
      open: (opened: OpenedSession) => openSession(storage, opened),
      close: (why?: string) => closeSession(storage, why),
    };
  };
  const shout = (message: unknown) => {
    for (const one of listeners) one.hear(message);
  };
  return { open, said, shout };
}

let tabs: ReturnType<typeof browser>;
beforeEach(() => {
  tabs = browser();
});

describe('a tab without a session', () => {
  test('gets that of the first tab that answers, and keeps it for its reloads', async () => {
    const first = await tabs.open();
    first.open(mine);
    const other = await tabs.open();
    other.open(theirs);
    const asking = await tabs.open();
    expect(await asking.ask()).toBe(true);
    expect(asking.session.get()).toEqual({ kind: 'open', ...mine });
    expect(asking.kept.size).toBe(1);
  });

  test('waits for 300 ms where nobody has one', async () => {
    await tabs.open();
    const asking = await tabs.open();
    let answer: boolean | undefined;
    void asking.ask().then((is) => (answer = is));
    asking.clock.pass(299);
    await Promise.resolve();
    expect(answer).toBeUndefined();
    asking.clock.pass(1);
    await Promise.resolve();
    expect(answer).toBe(false);
  });

  test('takes none while it trades a ticket, and the next one that is opened once it asks for a key', async () => {
    const waiting = await tabs.open();
    const first = await tabs.open();
    first.open(mine);
    expect(waiting.session.get()).toEqual({ kind: 'opening' });
    waiting.close('This link was used already.');
    first.close();
    first.open(mine);
    expect(waiting.session.get()).toEqual({ kind: 'open', ...mine });
  });

  test('tells what it got from another to nobody again', async () => {
    const first = await tabs.open();
    first.open(mine);
    const asking = await tabs.open();
    await asking.ask();
    expect(tabs.said.filter((one) => JSON.stringify(one).includes('offers'))).toHaveLength(2);
  });
});

describe('a tab with a session', () => {
  test('keeps it, whatever others open', async () => {
    const first = await tabs.open();
    first.open(mine);
    const second = await tabs.open();
    second.open(theirs);
    expect(first.session.get()).toMatchObject(mine);
    second.close('It was revoked.');
    expect(first.session.get()).toMatchObject(mine);
  });

  test('loses it with all that have the same token, and says why', async () => {
    const [first, second, third] = [await tabs.open(), await tabs.open(), await tabs.open()];
    first.open(mine);
    await second.ask();
    third.close();
    third.open({ ...mine, token: 'rv_another' });
    first.close('It was revoked.');
    expect(second.session.get()).toEqual({ kind: 'closed', why: 'It was revoked.' });
    expect(third.session.get()).toMatchObject({ kind: 'open', token: 'rv_another' });
  });

  test('is told of a sign-out of its account, and of no other', async () => {
    const [first, same, another, other] = [
      await tabs.open(),
      await tabs.open(),
      await tabs.open(),
      await tabs.open(),
    ];
    first.open(mine);
    same.open(mine);
    another.open({ ...mine, token: 'rv_another' });
    other.open(theirs);
    first.signOut(mine);
    expect([same.left, another.left, other.left, first.left]).toEqual([['rv_mine'], ['rv_mine'], [], []]);
  });
});

test.each([
  null,
  'asks',
  { kind: 'offers' },
  { kind: 'offers', opened: { ...mine, scope: 'king' } },
  { kind: 'offers', opened: { ...mine, token: '' } },
  { kind: 'ended', token: 'rv_mine' },
  { kind: 'signed_out', account: 'acc_a' },
  { kind: 'reloads' },
])('what is not understood changes nothing: %j', async (message) => {
  const [open, closed] = [await tabs.open(), await tabs.open()];
  open.open(mine);
  closed.close();
  tabs.shout(message);
  expect(open.session.get()).toMatchObject(mine);
  expect(closed.session.get()).toMatchObject({ kind: 'closed' });
  expect(open.left).toEqual([]);
});
