// Says, where a test ran into its limit, what it was waiting for: the requests and programs that were under way. A setup file of every test.
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { beforeEach, onTestFailed } from 'vitest';

/** What is under way, by what stands for it: in words, and since when. */
const underWay: Map<object, { what: string; since: number }> = ((
  globalThis as { reverieUnderWay?: Map<object, { what: string; since: number }> }
).reverieUnderWay ??= watch());

function watch(): Map<object, { what: string; since: number }> {
  const all = new Map<object, { what: string; since: number }>();
  const begin = (about: object, what: string) => all.set(about, { what, since: performance.now() });
  // By fetch, and by node:http.
  type Undici = { request: { method: string; origin: string; path: string } };
  subscribe('undici:request:create', (message) => {
    const { request } = message as Undici;
    begin(request, `${request.method} ${request.origin}${request.path}`);
  });
  for (const end of ['undici:request:trailers', 'undici:request:error'])
    subscribe(end, (message) => all.delete((message as Undici).request));
  type Http = { request: ClientRequest };
  subscribe('http.client.request.start', (message) => {
    const { request } = message as Http;
    begin(request, `${request.method} http://${request.host}${request.path}`);
    request.once('close', () => all.delete(request));
  });
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    begin(child, 'a program');
    child.once('spawn', () =>
      all.set(child, {
        what: `the program ${child.spawnargs.slice(0, 4).join(' ')} (${child.pid})`,
        since: performance.now(),
      }),
    );
    child.once('exit', () => all.delete(child));
  });
  return all;
}

/** Returns what has been under way for longer than a second, the longest first, one line each. */
function waits(): string[] {
  const now = performance.now();
  return [...underWay.values()]
    .map(({ what, since }) => ({ what, seconds: Math.round((now - since) / 1000) }))
    .filter(({ seconds }) => seconds > 0)
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ what, seconds }) => `  ${what}, for ${seconds} s`);
}

beforeEach(() => {
  onTestFailed(({ task }) => {
    if (!task.result?.errors?.some(({ message }) => /timed out/i.test(message))) return;
    const lines = waits();
    console.error(
      `“${task.name}” ran into its limit while these were under way:\n${lines.join('\n') || '  nothing that is known of: no request and no program'}`,
    );
  });
});
