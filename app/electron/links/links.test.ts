import { ApiError } from '@reverie/shared/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeDesktop } from '../testing/fake-desktop.ts';
import { followLink } from './following.ts';
import { linkIn, questionOf, readLink } from './links.ts';

const INVITE = 'https://relay.example/invite/abc#secret';
const join = `reverie://join?${new URLSearchParams({ invite: INVITE }).toString()}`;

describe('a link', () => {
  test('is one of three', () => {
    expect(readLink('reverie://memory?namespace=a%2Fb&key=tea')).toEqual({
      kind: 'memory',
      namespace: 'a/b',
      key: 'tea',
    });
    expect(readLink('reverie://memory/?key=tea')).toEqual({
      kind: 'memory',
      namespace: 'default',
      key: 'tea',
    });
    expect(readLink(join)).toEqual({ kind: 'join_namespace', invite: INVITE });
    expect(readLink(join.replace('join', 'session'))).toEqual({ kind: 'join_session', invite: INVITE });
  });

  test.each([
    'reverie://memory',
    'reverie://memory?key=',
    'reverie://memory?key=a%0Ab',
    'reverie://memory?key=%E2%80%AEevil',
    'reverie://memory/../join?key=a',
    `reverie://memory?key=${'k'.repeat(9000)}`,
    'reverie://join?invite=javascript:alert(1)',
    'reverie://join?invite=file:///etc/passwd',
    'reverie://join',
    'reverie://settings?x=1',
    'https://example.com/?key=a',
    'reverie:',
    'no address',
  ])('%s is none', (address) => expect(readLink(address)).toBeUndefined());

  test('is found among the arguments of a start', () => {
    expect(linkIn(['/opt/reverie', '--hidden', join])).toBe(join);
    expect(linkIn(['/opt/reverie', 'https://x'])).toBeUndefined();
  });

  test('is asked about in words that name what it is of', () => {
    expect(questionOf({ kind: 'join_namespace', invite: INVITE }).detail).toContain('relay.example');
    expect(questionOf({ kind: 'join_namespace', invite: INVITE }).detail).not.toContain('secret');
  });
});

describe('following one', () => {
  const opened: string[] = [];
  const called: unknown[] = [];
  beforeEach(() => {
    opened.length = 0;
    called.length = 0;
  });
  const follow = async (address: string, answers: number[], fails?: ApiError) => {
    const desktop = fakeDesktop();
    desktop.answers.push(...answers);
    await followLink(
      {
        desktop,
        client: (async (_route: unknown, sent: unknown) => {
          called.push(sent);
          if (fails) throw fails;
          return { namespace: 'shared', id: 'cs_one' };
        }) as never,
        open: (place) => opened.push(place),
      },
      address,
    );
    return desktop.questions;
  };

  test('does nothing before a person said yes', async () => {
    for (const address of ['reverie://memory?key=tea', join])
      expect(await follow(address, [1])).toHaveLength(1);
    expect([opened, called]).toEqual([[], []]);
    // Closing the question is no yes.
    await follow(join, []);
    expect(called).toEqual([]);
  });

  test('joins a namespace and shows it, or says why not', async () => {
    await follow(join, [0]);
    expect([called.pop(), opened.pop()]).toEqual([
      { body: { invite: INVITE } },
      '/memories?namespace=shared',
    ]);
    const asked = await follow(
      join,
      [0],
      new ApiError({ status: 410, code: 'invite_invalid', message: 'It ran out' }),
    );
    expect(asked[1]).toMatchObject({ kind: 'warning', detail: 'It ran out' });
    expect(opened).toEqual([]);
  });

  test('joins a session and shows it, or says why not', async () => {
    const session = join.replace('join', 'session');
    await follow(session, [0]);
    expect([called.pop(), opened.pop()]).toEqual([{ body: { invite: INVITE } }, '/sessions/cs_one']);
    const fails = new ApiError({ status: 410, code: 'invite_invalid', message: 'It ran out' });
    const asked = await follow(session, [0], fails);
    expect(asked[1]).toMatchObject({ title: 'The session was not joined', detail: 'It ran out' });
    expect(opened).toEqual([]);
  });

  test('is silent about what is no link of ours', async () => {
    expect(await follow('reverie://settings', [0])).toEqual([]);
  });
});
