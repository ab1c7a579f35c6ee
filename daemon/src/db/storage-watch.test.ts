import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { loadMigrations } from './migrations.ts';
import { openStore, type Store } from './open-store.ts';
import { startStorageWatch } from './storage-watch.ts';

/** The disk of this file is full when it is told so, on every machine; `full-disk.deep.test.ts` has real ones. */
let store: Store;
let clock: FakeClock;
let hasRoom: boolean;
let looked: number;
let stop: () => void;

beforeEach(() => {
  clock = createFakeClock();
  store = openStore({ file: ':memory:', migrations: loadMigrations(), now: clock.now });
  hasRoom = false;
  looked = 0;
  stop = startStorageWatch({
    store,
    clock,
    log: createLog('silent'),
    hasRoom() {
      looked += 1;
      return hasRoom;
    },
  });
});
afterEach(() => {
  stop();
  store.close();
});

function failWith(code: string): void {
  store.write(() => {
    throw Object.assign(new Error('refused'), { code });
  });
}

describe('a disk that refused a write', () => {
  test.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])(
    'for %s is full until somebody looks and finds room',
    (code) => {
      expect(store.room()).toEqual({ kind: 'enough' });
      clock.advance(60_000);
      expect(looked).toBe(0);
      expect(() => failWith(code)).toThrow(expect.objectContaining({ code: 'disk_full', status: 507 }));
      const since = clock.now();
      clock.advance(60_000);
      expect(() => failWith(code)).toThrow('disk is full');
      expect(store.room()).toEqual({ kind: 'full', since });
      expect(looked).toBe(12);
      hasRoom = true;
      clock.advance(5000);
      expect(store.room()).toEqual({ kind: 'enough' });
      clock.advance(60_000);
      expect(looked).toBe(13);
    },
  );

  test('for another reason is not full', () => {
    expect(() => failWith('SQLITE_IOERR_WRITE')).toThrow(expect.objectContaining({ code: 'storage_failed' }));
    expect(store.room()).toEqual({ kind: 'enough' });
  });

  test('a look that fails, or a store that cannot go on yet, is tried again', () => {
    let tries = 0;
    stop();
    const full = { kind: 'full', since: 0 } as const;
    let room: ReturnType<Store['room']> = full;
    stop = startStorageWatch({
      store: {
        emptying: store.emptying,
        room: () => room,
        foundRoom() {
          tries += 1;
          if (tries < 3) throw new Error('database or disk is full');
          room = { kind: 'enough' };
        },
      },
      clock,
      log: createLog('silent'),
      hasRoom: () => true,
    });
    clock.advance(10_000);
    expect(room).toBe(full);
    clock.advance(5000);
    expect(room).toEqual({ kind: 'enough' });
    expect(tries).toBe(3);
  });
});
