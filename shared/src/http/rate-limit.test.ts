import { describe, expect, test } from 'vitest';
import { addressGroup, createAddressBuckets, policyHeaders } from './rate-limit.ts';

describe('an address', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s is counted as %s', (address, group) => expect(addressGroup(address)).toBe(group));
});

describe('buckets by address', () => {
  const HOUR = 3_600_000;

  test('the tenth passes, the eleventh does not, and an hour after the first it is counted anew', () => {
    const buckets = createAddressBuckets({ limit: 10 });
    const counted = Array.from({ length: 11 }, () => buckets.count('10.0.0.1', 0));
    expect(counted.map(({ exceeded }) => exceeded)).toEqual([...Array<boolean>(10).fill(false), true]);
    expect(counted.at(-1)).toEqual({ limit: 10, remaining: 0, resetAt: 3600, exceeded: true });
    expect(buckets.count('10.0.0.2', 0).exceeded).toBe(false);
    expect(buckets.count('10.0.0.1', HOUR - 1).exceeded).toBe(true);
    expect(buckets.count('10.0.0.1', HOUR)).toMatchObject({ exceeded: false, remaining: 9 });
  });

  test('who has a whole /64 has one bucket', () => {
    const buckets = createAddressBuckets({ limit: 2 });
    expect([1, 2, 3].map((n) => buckets.count(`2001:db8:1:2::${n}`, 0).exceeded)).toEqual([
      false,
      false,
      true,
    ]);
    expect(buckets.count('2001:db8:1:3::1', 0).exceeded).toBe(false);
  });

  test('go on from what was saved, and say what was not', () => {
    const first = createAddressBuckets({ limit: 3 });
    first.count('10.0.0.1', 5);
    first.count('10.0.0.1', 6);
    const windows = first.unsaved();
    expect(windows).toEqual([{ address: '10.0.0.1', since: 5, used: 2 }]);
    first.saved(windows);
    expect(first.unsaved()).toEqual([]);
    const second = createAddressBuckets({ limit: 3, saved: windows });
    expect([second.count('10.0.0.1', 7), second.count('10.0.0.1', 8)]).toMatchObject([
      { remaining: 0, exceeded: false },
      { exceeded: true },
    ]);
    expect(second.unsaved()).toEqual([{ address: '10.0.0.1', since: 5, used: 4 }]);
    expect(second.count('10.0.0.1', 5 + HOUR)).toMatchObject({ remaining: 2 });
  });

  test('a clock that is set back keeps nobody out for longer than an hour', () => {
    const buckets = createAddressBuckets({ limit: 1 });
    const DAY = 24 * HOUR;
    buckets.count('a', DAY);
    expect(buckets.count('a', 0)).toMatchObject({ exceeded: true, resetAt: HOUR / 1000 });
    expect(buckets.count('a', HOUR - 1).exceeded).toBe(true);
    expect(buckets.count('a', HOUR).exceeded).toBe(false);
  });

  test('looking does not count', () => {
    const buckets = createAddressBuckets({ limit: 1 });
    expect([buckets.peek('a', 0), buckets.peek('a', 0)].map(({ remaining }) => remaining)).toEqual([1, 1]);
  });

  test('a flood of addresses pushes out the oldest, and no more are kept than that', () => {
    const buckets = createAddressBuckets({ limit: 1, maxAddresses: 3 });
    for (let i = 1; i <= 4; i += 1) buckets.count(`10.0.0.${i}`, i);
    expect([1, 2, 3, 4].map((i) => buckets.peek(`10.0.0.${i}`, 5).remaining)).toEqual([1, 0, 0, 0]);
  });

  test('the window may be a day', () => {
    const buckets = createAddressBuckets({ limit: 1, windowMs: 24 * HOUR });
    buckets.count('a', 0);
    expect([buckets.peek('a', 24 * HOUR - 1).remaining, buckets.peek('a', 24 * HOUR).remaining]).toEqual([
      0, 1,
    ]);
  });
});

test('policies are told as structured fields', () => {
  expect(policyHeaders([])).toEqual({});
  expect(
    policyHeaders([
      { name: 'recalls', quota: 1000, windowS: 2_678_400, remaining: 999, resetS: 60 },
      { name: 'stores', quota: 100, windowS: 2_678_400, remaining: 0, resetS: 60 },
    ]),
  ).toEqual({
    'RateLimit-Policy': '"recalls";q=1000;w=2678400, "stores";q=100;w=2678400',
    RateLimit: '"recalls";r=999;t=60, "stores";r=0;t=60',
  });
});
