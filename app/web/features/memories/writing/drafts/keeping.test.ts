import { expect, test } from 'vitest';
import { createStore } from '../../../../platform/store.ts';
import { draftId, emptyDraft, type MemoryDraft } from './draft.ts';
import { startKeeping } from './keeping.ts';

/** A browser: what it stores, and the locks that its tabs hold. */
function browser(room = Number.POSITIVE_INFINITY) {
  const stored = new Map<string, string>();
  const storage = {
    get length() {
      return stored.size;
    },
    key: (at: number) => [...stored.keys()][at] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    },
    removeItem: (key: string) => void stored.delete(key),
  };
  const ends = new Map<string, () => void>();
  const held = new Map<string, Promise<void>>();
  const openTab = (tab: string, account = 'ada') => {
    const drafts = createStore<ReadonlyMap<string, MemoryDraft>>(new Map());
    const found: MemoryDraft[] = [];
    let isFull = false;
    const request = async (name: string, options: LockOptions, then: LockGrantedCallback<unknown>) => {
      await held.get(name);
      if (name.endsWith(tab)) held.set(name, new Promise((ended) => ends.set(tab, ended)));
      return then({ name, mode: options.mode ?? 'exclusive' });
    };
    startKeeping({
      drafts,
      storage,
      // Only what is used of it.
      locks: { request: request as LockManager['request'] },
      account,
      tab,
      onFound: (draft) => found.push(draft),
      onFull: () => {
        isFull = true;
      },
    });
    return {
      found,
      isFull: () => isFull,
      keep: (draft: MemoryDraft) =>
        drafts.set(new Map(drafts.get()).set(draftId(draft.namespace, draft.base?.key), draft)),
      forget: () => drafts.set(new Map()),
      crash: () => ends.get(tab)?.(),
    };
  };
  return { openTab, stored, settled: () => new Promise((done) => setTimeout(done)) };
}

const draft = { ...emptyDraft('n'), value: 'begun' };

test('drafts of a tab that ended come to one that lives, once, and to nobody else', async () => {
  const { openTab, stored, settled } = browser();
  const first = openTab('one');
  first.keep(draft);
  expect(stored.size).toBe(1);
  await settled();
  const second = openTab('two');
  const stranger = openTab('three', 'eve');
  await settled();
  expect(second.found).toEqual([]);
  first.crash();
  await settled();
  expect(second.found).toEqual([{ ...draft, base: undefined }]);
  expect(stranger.found).toEqual([]);
  expect(stored.size).toBe(0);
});

test('what is saved is kept no longer, and a browser without room says so', () => {
  const { openTab, stored } = browser(100);
  const tab = openTab('one');
  tab.keep({ ...draft, value: '' });
  tab.forget();
  expect([stored.size, tab.isFull()]).toEqual([0, false]);
  tab.keep({ ...draft, value: 'x'.repeat(200) });
  expect([stored.size, tab.isFull()]).toEqual([0, true]);
});

test('words of a build that knew memories otherwise are found, as a new memory', async () => {
  const { openTab, stored, settled } = browser();
  const place = JSON.stringify(['reverie.draft', 'ada', 'old', draftId('n', 'k')]);
  stored.set(place, JSON.stringify({ ...draft, key: 'k', base: { key: 'k', text: 'before' } }));
  const { found } = openTab('one');
  await settled();
  expect(found).toEqual([{ ...draft, key: 'k', base: undefined }]);
  expect(stored.size).toBe(0);
});
