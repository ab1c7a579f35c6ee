import type { Page } from 'playwright-core';
import { fakeDaemon, type FakeHome } from '../../app/web/features/sessions/testing/fake-daemon.ts';
import { fakeFetch } from './fake-fetch.ts';

/** Answers the routes of sessions in a page's browser from a made home; all else still goes to the daemon. */
export async function fakeSessions(page: Page, given: Partial<FakeHome> = {}): Promise<FakeHome> {
  const { home, fetch } = fakeDaemon(given);
  await fakeFetch(page, async ({ url, method, body }) => {
    const { pathname } = new URL(url);
    // Files that agents read are followed from the page of their logs.
    const isFollowing = pathname === '/v1/folders' && method === 'POST';
    if (!isFollowing && !pathname.startsWith('/v1/coding-sessions')) return undefined;
    return fetch(url, { method, ...(body !== undefined && { body }) });
  });
  return home;
}
