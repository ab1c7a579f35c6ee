import type { Page, Route } from 'playwright-core';
import { fakeDaemon, type FakeHome } from '../../app/web/features/sessions/testing/fake-daemon.ts';

/** Answers the routes of sessions in a page's browser from a made home; all else still goes to the daemon. */
export async function fakeSessions(page: Page, given: Partial<FakeHome> = {}): Promise<FakeHome> {
  const { home, fetch } = fakeDaemon(given);
  const answer = async (route: Route) => {
    const request = route.request();
    const method = request.method();
    const body = request.postData();
    const response = await fetch(request.url(), { method, ...(body !== null && { body }) });
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    });
  };
  await page.route('**/v1/coding-sessions**', answer);
  // Files that agents read are followed from the page of their logs.
  await page.route('**/v1/folders', (route) =>
    route.request().method() === 'POST' ? answer(route) : route.fallback(),
  );
  return home;
}
