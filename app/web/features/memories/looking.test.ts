import { expect, test } from 'vitest';
import { lookingAt, placeInList, placeOfMemory } from './looking.ts';

const oak = { namespace: 'garden', key: 'oak' };

test('a namespace is browsed, by operators too, until words are looked for', () => {
  expect(lookingAt({}, 'work')).toMatchObject({ namespace: 'work', isBrowsing: true, isDetail: false });
  const tagged = lookingAt({ q: 'tag:adr' }, 'work');
  expect(tagged).toMatchObject({ isBrowsing: true, view: { operators: 'tag:adr' } });
  expect(lookingAt({ q: 'boiler' }, 'work')).toMatchObject({ isBrowsing: false, view: { operators: '' } });
});

test('a query that names another namespace looks through every one', () => {
  expect(lookingAt({ q: 'in:garden oak' }, 'work').namespace).toBe('*');
  expect(lookingAt({ q: 'in:work oak' }, 'work').namespace).toBe('work');
});

test('what is open stands in the namespace that is looked at, or in the one that the address names', () => {
  expect(lookingAt({ key: 'oak' }, 'garden')).toMatchObject({ open: oak, isDetail: true });
  expect(lookingAt({ key: 'oak', in: 'garden' }, '*').open).toEqual(oak);
  expect(lookingAt({ key: 'oak' }, '*').open).toBeUndefined();
});

test('one of the trash and a new one are open, and are no memory of the list', () => {
  expect(lookingAt({ mode: 'trash' }, 'work')).toMatchObject({ isTrash: true, isDetail: false });
  const trashed = lookingAt({ mode: 'trash', key: 'a1' }, 'work');
  expect([trashed.open, trashed.isDetail]).toEqual([undefined, true]);
  expect(lookingAt({ day: 'today' }, 'work')).toMatchObject({ isDetail: true, open: undefined });
  const begun = lookingAt({ mode: 'new' }, 'work');
  expect([begun.open, begun.isDetail]).toEqual([undefined, true]);
});

test('the address of a memory keeps the list, or leads to where it was moved', () => {
  expect(placeInList('*', oak)).toEqual({ namespace: '*', in: 'garden', key: 'oak' });
  expect(placeInList('work', oak)).toEqual({ namespace: 'work', in: undefined, key: 'oak' });
  expect(placeOfMemory('*', oak)).toEqual({ namespace: '*', in: 'garden', key: 'oak' });
  expect(placeOfMemory('work', oak)).toEqual({ namespace: 'garden', in: undefined, key: 'oak' });
});
