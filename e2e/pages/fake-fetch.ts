import type { Page } from 'playwright-core';

/** What the page asked for, as the fake gets it. */
export interface PageRequest {
  url: string;
  method: string;
  /** Undefined where nothing was sent. */
  body: string | undefined;
}

/** Answers a request of the page; undefined where the daemon shall. */
export type FakeAnswer = (request: PageRequest) => Promise<Response | undefined>;

/** Runs in the page before its own code: what the fake answers never leaves it. */
const REPLACE = `(() => {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!new URL(request.url).pathname.startsWith('/v1/')) return fetch(input, init);
    const body = request.method === 'GET' ? undefined : await request.clone().text();
    const aborted = new Promise((_, reject) =>
      request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true }));
    const asked = { url: request.url, method: request.method, body: body === '' ? undefined : body };
    const answer = await Promise.race([window.answerFake(asked), aborted]);
    if (answer === null) return fetch(request);
    const { status, headers, text } = answer;
    return new Response([204, 205, 304].includes(status) ? null : text, { status, headers });
  };
})()`;

/**
 * Answers requests of a page from this process. Playwright's own `route` would turn off the browser's cache, so that each view
 * fetched and compiled all of the page's code again.
 */
export async function fakeFetch(page: Page, answer: FakeAnswer): Promise<void> {
  await page.exposeFunction('answerFake', async (request: PageRequest) => {
    const response = await answer(request);
    if (!response) return null;
    const { status, headers } = response;
    return { status, headers: Object.fromEntries(headers), text: await response.text() };
  });
  await page.addInitScript(REPLACE);
}
