import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';

test('what was asked for in one person’s name is neither given to the next nor kept', async () => {
  const answers: (() => void)[] = [];
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    const key = new Headers(init.headers).get('Authorization');
    asked.push(key);
    return new Promise((resolve) => {
      const body = { cursor: { since: 1, log_id: 'log' }, unread: [{ namespace: `of ${key}`, count: 1 }] };
      answers.push(() => resolve(Response.json(body)));
    });
  });
  // Files share their modules: another one's client may have been made with the real one.
  vi.resetModules();
  const { session } = await import('../daemon/session.ts');
  const { askToday, partOfToday } = await import('./today.ts');
  const signIn = (token: string) =>
    session.set({ kind: 'open', token, scope: 'owner', own: true, account: token });
  const of = { client: new QueryClient(), queryKey: ['inboxes', 'unread'] };

  signIn('ada');
  const hers = askToday(['unread']);
  const refused = expect(hers).rejects.toThrow('session ended');
  await expect.poll(() => asked).toEqual(['Bearer ada']);
  signIn('eve');
  const next = partOfToday('unread', of);
  await expect.poll(() => asked).toEqual(['Bearer ada', 'Bearer eve']);
  for (const answer of answers) answer();
  await refused;
  expect(await next).toEqual([{ namespace: 'of Bearer eve', count: 1 }]);
  vi.unstubAllGlobals();
});
