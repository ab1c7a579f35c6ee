import { describe, expect, test } from 'vitest';
import { type AddressPolicy, kindOfAddress, refusalOf } from './address-rules.ts';
import { isOwnAddress } from './own-address.ts';
import { checkedAddresses, sharing } from './target.ts';

describe('an address', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.0.9', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.9.9', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd12::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['2002:c0a8:101::', 'private'],
    ['169.254.169.254', 'never'],
    ['::ffff:169.254.169.254', 'never'],
    ['64:ff9b::a9fe:a9fe', 'never'],
    ['2002:a9fe:a9fe::', 'never'],
    ['fd00:ec2::254', 'never'],
    ['100.100.100.200', 'never'],
    ['168.63.129.16', 'never'],
    ['fe80::1', 'never'],
    ['fec0::1', 'never'],
    ['0.0.0.0', 'never'],
    ['::', 'never'],
    ['::7f00:1', 'never'],
    ['64:ff9b:1::a00:1', 'never'],
    ['2001::1', 'never'],
    ['224.0.0.1', 'never'],
    ['ff02::1', 'never'],
    ['255.255.255.255', 'never'],
    ['198.18.0.1', 'never'],
    ['240.0.0.1', 'never'],
    ['not an address', 'never'],
  ] as const)('%s is %s', (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind);
  });

  test('what is refused depends on the policy, but for what never is allowed', () => {
    const policies: AddressPolicy[] = [false, true].flatMap((loopback) =>
      [false, true].map((privateNetwork) => ({ loopback, privateNetwork })),
    );
    const refused = (address: string) => policies.map((policy) => refusalOf(address, policy) !== undefined);
    expect(refused('8.8.8.8')).toEqual([false, false, false, false]);
    expect(refused('127.0.0.1')).toEqual([true, true, false, false]);
    expect(refused('10.0.0.1')).toEqual([true, false, true, false]);
    expect(refused('169.254.169.254')).toEqual([true, true, true, true]);
  });
});

describe('a target', () => {
  const strict = { loopback: false, privateNetwork: false };
  const rules = (addresses: Record<string, string[]>) => ({
    resolve: async (host: string) =>
      (addresses[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    isOwn: () => false,
  });
  const check = (url: string, addresses: Record<string, string[]> = {}) =>
    checkedAddresses(rules(addresses), new URL(url), strict);

  test('a name is what it resolves to, and one refused address is enough', async () => {
    await expect(
      check('https://ok.test/', { 'ok.test': ['8.8.8.8', '2606:4700::1111'] }),
    ).resolves.toHaveLength(2);
    await expect(check('https://in.test/', { 'in.test': ['10.0.0.7'] })).rejects.toThrow(
      'in.test resolves to',
    );
    await expect(check('https://two.test/', { 'two.test': ['8.8.8.8', '127.0.0.1'] })).rejects.toThrow(
      'loopback',
    );
  });

  test.each([
    'http://127.1/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://0177.0.0.1/',
  ])('%s is a loopback address, however it is written', async (url) => {
    await expect(check(url)).rejects.toThrow('loopback');
  });

  test('the listener of the daemon is its own by address and port', () => {
    const hosts = ['127.0.0.1:7337', 'localhost:7337', '[::1]:7337'];
    const isOwn = (address: string, port: number) => isOwnAddress(hosts, { address, port });
    expect(isOwn('127.0.0.1', 7337)).toBe(true);
    expect(isOwn('127.9.9.9', 7337)).toBe(true);
    expect(isOwn('::1', 7337)).toBe(true);
    expect(isOwn('127.0.0.1', 7338)).toBe(false);
    expect(isOwn('8.8.8.8', 7337)).toBe(false);
  });

  test('look-ups of one name at one time are one look-up', async () => {
    let asked = 0;
    const resolve = sharing(async () => {
      asked += 1;
      return [{ address: '8.8.8.8', family: 4 }];
    });
    await Promise.all([resolve('a'), resolve('a'), resolve('b')]);
    expect(asked).toBe(2);
    await resolve('a');
    expect(asked).toBe(3);
  });
});
