/**
 * What a visit of the page costs, in a headless Chromium over a home with 20,000 memories, proposals and messages:
 *
 *   npm run bench:visit -- [--size 20000] [--runs 5] [--output FILE]
 *
 * Printed for Today and Memories, cold and after a reload: requests until the view is usable and until nothing more comes, bytes by kind,
 * calls of the interface, milliseconds from the navigation to a usable view, layout shift; then milliseconds of the page's thread for
 * a step by `j` and for a typed letter, at both places where one types. Thread time does not count what else the machine does.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { type Finding, proposeInsights } from '@reverie/shared/contract/dreams/dreams';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import type { CDPSession, Page } from 'playwright-core';
import { openWorld, type World } from '../../e2e/world.ts';
import { quantile } from '../latency/statistics.ts';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '20000' },
    runs: { type: 'string', default: '5' },
    output: { type: 'string' },
  },
});
const RUNS = Number(options.runs);
const STEPS = 30;
const BATCH = 1_000;
const TYPED = 'boiler budget release backup w';
const NAMESPACE = 'large';
const WORDS =
  'garden river boiler lease meeting budget release server backup ticket invoice window kitchen train summer letter'.split(
    ' ',
  );

const some = (from: number, many: number) =>
  Array.from({ length: many }, (_, at) => WORDS[(from * 7 + at * 5 + ((from * at) % 11)) % WORDS.length]);

/** Stores the large namespace, and a few small ones with what Today shows. */
async function furnish({ daemon }: World, size: number): Promise<void> {
  for (let from = 0; from < size; from += BATCH)
    await daemon.call(storeBatch, {
      body: {
        items: Array.from({ length: Math.min(BATCH, size - from) }, (_, at) => ({
          namespace: NAMESPACE,
          key: `notes/${from + at}`,
          value: `# ${some(from + at, 4).join(' ')}\n\n${some(from + at + 1, 30).join(' ')}.`,
          metadata: { tags: some(from + at, 1) },
        })),
      },
    });
  for (const namespace of ['home', 'work', 'trips', 'health', 'garden']) {
    const items = Array.from({ length: 12 }, (_, at) => ({
      namespace,
      key: `note-${at}`,
      value: `The ${some(at, 1)[0] ?? ''} of ${namespace} number ${at} is due on 2027-01-${String(at + 10)}.`,
    }));
    await daemon.call(storeBatch, { body: { items } });
    const evidence = ({ key, value: quote }: (typeof items)[number]) => ({ key, quote });
    await daemon.call(proposeInsights, {
      body: {
        namespace,
        findings: items.slice(0, 6).map((item, at): Finding => {
          const other = items[at + 6] ?? item;
          return at < 3
            ? {
                kind: 'due',
                title: item.value,
                why: '',
                due_on: `2027-01-${at + 10}`,
                evidence: [evidence(item)],
              }
            : {
                kind: 'disagree',
                title: item.value,
                why: 'Two.',
                evidence: [evidence(item), evidence(other)],
              };
        }),
      },
    });
    await daemon.call(sendMessage, {
      params: { namespace },
      body: { from: 'Grace', kind: 'note', payload: { text: 'Halden asked again.' } },
    });
  }
}

interface Visit {
  requests: number;
  /** With what came until nothing more came. */
  requestsInAll: number;
  api: string[];
  /** Bytes on their way, by kind, until the view was usable. */
  bytes: Record<string, number>;
  usable: number;
  scriptMs: number;
  shift: number;
}

const SHIFT = `(() => {
  window.shift = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; })
    .observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    if (window.usable === undefined && document.querySelector(window.name === 'memories' ? '[role=option][aria-busy=false]' : 'section[aria-label="Since yesterday"]'))
      window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** Milliseconds of the page's thread so far. */
async function threadMs(session: CDPSession, name = 'TaskDuration'): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string) => (metrics.find((one) => one.name === wanted)?.value ?? 0) * 1_000;
  // What the driver of this browser asks is no work of the page.
  return of(name) - (name === 'TaskDuration' ? of('DevToolsCommandDuration') : 0);
}

async function watched(page: Page, session: CDPSession, go: () => Promise<unknown>): Promise<Visit> {
  const seen: { path: string; type: string; id: string; bytes: number; at: number }[] = [];
  const byId = new Map<string, (typeof seen)[number]>();
  const onSent = ({
    requestId,
    request,
    type = 'Other',
  }: {
    requestId: string;
    request: { url: string };
    type?: string;
  }) => {
    if (!/^https?:/.test(request.url)) return;
    const one = {
      path: new URL(request.url).pathname + new URL(request.url).search,
      type,
      id: requestId,
      bytes: 0,
      at: Date.now(),
    };
    seen.push(one);
    byId.set(requestId, one);
  };
  const onDone = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
    const one = byId.get(requestId);
    if (one) one.bytes = encodedDataLength;
  };
  session.on('Network.requestWillBeSent', onSent);
  session.on('Network.loadingFinished', onDone);
  const before = await threadMs(session, 'ScriptDuration');
  await go();
  let usable: number | undefined;
  while (usable === undefined) {
    usable = await page.evaluate<number | undefined>('window.usable').catch(() => undefined);
    await page.waitForTimeout(10);
  }
  await page.waitForTimeout(400);
  const until = [...seen];
  await page.waitForTimeout(4_000);
  const kindOf = ({ path, type }: (typeof seen)[number]) =>
    path.startsWith('/v1/') ? 'api' : path.endsWith('.woff2') ? 'fonts' : type === 'Script' ? 'code' : 'rest';
  const bytes: Record<string, number> = {};
  for (const one of until) bytes[kindOf(one)] = (bytes[kindOf(one)] ?? 0) + one.bytes;
  const visit = {
    requests: until.length,
    requestsInAll: seen.length,
    api: until
      .filter(({ path }) => path.startsWith('/v1/'))
      .map(({ path, bytes: size }) => `${path} ${size}`),
    bytes,
    usable,
    scriptMs: (await threadMs(session, 'ScriptDuration')) - before,
    shift: await page.evaluate<number>('window.shift'),
  };
  session.off('Network.requestWillBeSent', onSent);
  session.off('Network.loadingFinished', onDone);
  return visit;
}

async function visits(world: World, name: 'today' | 'memories'): Promise<{ cold: Visit; reloads: Visit[] }> {
  const page = await world.visit({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Network.enable');
  await page.addInitScript(`window.name = '${name}'; ${SHIFT}`);
  const path = name === 'today' ? '/' : `/memories?namespace=${NAMESPACE}`;
  const address = await world.ticketAddress(path);
  const cold = await watched(page, session, () => page.goto(address));
  const reloads: Visit[] = [];
  for (let run = 0; run < RUNS; run += 1) reloads.push(await watched(page, session, () => page.reload()));
  await page.context().close();
  return { cold, reloads };
}

/** Thread time of steps by `j` and of typed letters, each with what it brings about in 150 ms. */
async function steps(world: World): Promise<Record<string, number>> {
  const page = await world.visit({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(await world.ticketAddress(`/memories?namespace=${NAMESPACE}`));
  await page.locator('[role=option][aria-busy=false]').first().waitFor();
  await page.waitForTimeout(5_000);
  const cost = async (times: number, act: (at: number) => Promise<unknown>, rest: number) => {
    const idle = await threadMs(session);
    await page.waitForTimeout(times * rest);
    const from = await threadMs(session);
    for (let at = 0; at < times; at += 1) {
      await act(at);
      await page.waitForTimeout(rest);
    }
    const now = await threadMs(session);
    await page.waitForTimeout(500);
    return (now - from - (from - idle)) / times;
  };
  const j = () => page.keyboard.press('j');
  await cost(STEPS, j, 30);
  const result: Record<string, number> = {
    'j held (30 ms)': await cost(STEPS, j, 30),
    'j step by step (210 ms)': await cost(STEPS, j, 210),
    'j read (600 ms)': await cost(STEPS, j, 600),
  };
  await page.keyboard.press('/');
  await page.waitForTimeout(500);
  result['letter in the list’s search'] = await cost(
    TYPED.length,
    (at) => page.keyboard.type(TYPED[at] ?? ''),
    60,
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.waitForTimeout(1_000);
  result['letter in the field'] = await cost(TYPED.length, (at) => page.keyboard.type(TYPED[at] ?? ''), 60);
  await page.context().close();
  return result;
}

const round = (value: number) => Math.round(value * 10) / 10;

function told(name: string, { requests, requestsInAll, api, bytes, usable, scriptMs, shift }: Visit): string {
  const kinds = Object.entries(bytes).map(([kind, size]) => `${kind} ${Math.round(size / 1024)} KiB`);
  return `${name}: usable ${round(usable)} ms, ${requests} requests (${requestsInAll} in the end), ${api.length} calls; ${kinds.join(', ')}; script ${round(scriptMs)} ms; shift ${shift.toFixed(4)}\n  ${api.join('\n  ')}`;
}

const world = await openWorld();
try {
  await furnish(world, Number(options.size));
  const result: Record<string, unknown> = {};
  for (const name of ['today', 'memories'] as const) {
    const { cold, reloads } = await visits(world, name);
    const median = quantile(
      reloads.map(({ usable }) => usable),
      0.5,
    );
    const [reload] = reloads.toSorted((a, b) => Math.abs(a.usable - median) - Math.abs(b.usable - median));
    result[name] = { cold, reloads };
    process.stdout.write(`${told(`${name}, cold`, cold)}\n`);
    if (reload) process.stdout.write(`${told(`${name}, reload (median of ${RUNS})`, reload)}\n`);
  }
  const cpu = await steps(world);
  result['steps'] = cpu;
  for (const [name, ms] of Object.entries(cpu))
    process.stdout.write(`${name}: ${round(ms)} ms of the thread\n`);
  if (options.output !== undefined) fs.writeFileSync(options.output, JSON.stringify(result, undefined, 2));
} finally {
  await world.close();
}
