import { describe } from 'vitest';
import { createMemoryAccountStore } from './memory-account-store.ts';
import { accountStoreBehaves, type StoreUnderTest } from './testing/account-store-behaves.ts';

const stores: readonly (readonly [string, () => StoreUnderTest])[] = [
  ['in memory', () => ({ store: createMemoryAccountStore(), close: () => undefined })],
];

describe.each(stores)('the account store %s', (_, open) => accountStoreBehaves(open));
