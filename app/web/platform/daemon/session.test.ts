import { expect, test } from 'vitest';
import { allows, closeSession, keptSession, openSession, session, ticketOf } from './session.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

test('a session is kept for reloads until it ends, and says why it did', () => {
  const tab = storage();
  const opened = { token: 'rv_x', scope: 'write', own: true, account: 'acc_a' } as const;
  openSession(tab, opened);
  expect(session.get()).toEqual({ kind: 'open', ...opened });
  expect(keptSession(tab)).toEqual(opened);
  closeSession(tab, 'It expired.');
  expect(session.get()).toEqual({ kind: 'closed', why: 'It expired.' });
  expect(keptSession(tab)).toBeUndefined();
});

test('what was kept by something else is no session', () => {
  const tab = storage();
  for (const kept of [
    'king own token',
    '"read"',
    '{"token":"x","scope":"king","own":true,"account":"a"}',
    '',
  ]) {
    tab.setItem('reverie.session', kept);
    expect(keptSession(tab)).toBeUndefined();
  }
});

test('a ticket is read from the fragment only', () => {
  expect(ticketOf('#ticket=a%2Bb')).toBe('a+b');
  expect(ticketOf('#ticket=')).toBeUndefined();
  expect(ticketOf('#other')).toBeUndefined();
  expect(ticketOf('')).toBeUndefined();
});

test('each scope includes the ones before it', () => {
  const open = { kind: 'open', token: 'x', scope: 'write', own: false, account: 'acc_a' } as const;
  expect([allows(open, 'read'), allows(open, 'write'), allows(open, 'owner')]).toEqual([true, true, false]);
  expect(allows({ kind: 'closed', why: undefined }, 'read')).toBe(false);
});
