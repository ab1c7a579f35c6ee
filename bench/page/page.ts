/**
 * How the page does with a large namespace, in a headless Chromium, beside a small one in the same run:
 *
 *   npm run bench:page -- [--size 100000] [--runs 7] [--output FILE]
 *
 * Targets for the large one: the first rows 300 ms after the daemon's answer, no place of the list without a row while it is scrolled,
 * no task above 50 ms while somebody types. "Waiting" are rows that are drawn while their memory is still fetched. A plain
 * page of the browser is measured by the same probe, for what the machine does by itself.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { openWorld, type World } from '../../e2e/world.ts';
import { randomFrom } from '../latency/corpus.ts';
import { quantile } from '../latency/statistics.ts';
import { firstRows, PROBE, type Strain, takeStrain } from './probe.ts';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '7' },
    output: { type: 'string' },
  },
});
const SIZES = { small: 1_000, large: Number(options.size) };
const RUNS = Number(options.runs);
const BATCH = 1_000;
const WORDS =
  `garden river boiler lease meeting budget release server backup ticket invoice window kitchen train summer letter report
  question answer decision version customer holiday doctor bicycle recipe bread harvest winter school office Marta Jonas Ines Pavel
  Berlin Lisbon Oslo Kyoto Tuesday March quarter engine battery sensor pump valve contract was is has had for with before after`.split(
    /\s+/,
  );
/** What is typed: thirty letters. */
const TYPED = 'boiler budget release backup w';

async function furnish({ daemon }: World, namespace: string, size: number): Promise<void> {
  const random = randomFrom(size);
  const words = (many: number) =>
    Array.from({ length: many }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  for (let from = 0; from < size; from += BATCH)
    await daemon.call(storeBatch, {
      body: {
        items: Array.from({ length: Math.min(BATCH, size - from) }, (_, at) => ({
          namespace,
          key: `notes/${from + at}`,
          value: `# ${words(4)}\n\n${words(30)}.\n\n${words(20)}.`,
          metadata: { tags: [words(1)] },
        })),
      },
    });
}

const rest = (page: Page, ms: number) => page.waitForTimeout(ms);

/** From the daemon's first page of the list to the first rows, in a page that is opened anew. */
async function opening(page: Page, address: string): Promise<number[]> {
  const took: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await page.goto('about:blank');
    await page.goto(address);
    const { answered, drawn } = await firstRows(page);
    took.push(drawn - answered);
  }
  return took;
}

/** The list is scrolled in each way that a hand has: the wheel, held keys, the ends, and the bar. */
async function scrolling(page: Page): Promise<Strain> {
  const list = page.getByRole('listbox').first();
  await list.hover();
  await rest(page, 500);
  await takeStrain(page);
  for (let turn = 0; turn < 150; turn += 1) {
    await page.mouse.wheel(0, 400);
    await rest(page, 16);
  }
  await list.focus();
  for (let press = 0; press < 60; press += 1) await page.keyboard.press('PageDown');
  for (const key of ['End', 'Home', 'End', 'PageUp', 'PageUp']) {
    await page.keyboard.press(key);
    await rest(page, 250);
  }
  for (const share of [0.1, 0.5, 0.9, 0.3, 0.7]) {
    await list.evaluate(`(one) => { one.scrollTop = one.scrollHeight * ${share}; }`);
    await rest(page, 250);
  }
  return takeStrain(page);
}

async function typing(page: Page, where: 'field' | 'list'): Promise<Strain> {
  await page.keyboard.press('Escape');
  if (where === 'field') await page.keyboard.press('Control+k');
  else await page.getByRole('searchbox').first().click();
  await rest(page, 500);
  await takeStrain(page);
  const random = randomFrom(7);
  for (const letter of TYPED) {
    await page.keyboard.type(letter);
    await rest(page, 30 + random() * 50);
  }
  await rest(page, 1_500);
  const strain = await takeStrain(page);
  await page.keyboard.press('Escape');
  return strain;
}

/** A probe that sees nothing would tell of a page without fault: here are faults for it to see. */
async function proveProbe(page: Page): Promise<void> {
  await takeStrain(page);
  await page.evaluate(`(() => {
    const rows = document.querySelectorAll('[role=presentation] > [role=presentation]');
    for (const row of rows) row.style.display = 'none';
    setTimeout(() => { for (const row of rows) row.style.display = ''; }, 200);
    setTimeout(() => {
      const until = performance.now() + 120;
      while (performance.now() < until);
    }, 300);
  })()`);
  await rest(page, 800);
  const { blankFrames, longTasks } = await takeStrain(page);
  if (blankFrames === 0 || longTasks === 0)
    throw new Error(
      `The probe saw ${blankFrames} blank frames and ${longTasks} long tasks where both were made`,
    );
}

interface Figures {
  opening: { p50: number; max: number };
  scrolling: Strain;
  field: Strain;
  search: Strain;
}

async function measured(world: World, namespace: string): Promise<Figures> {
  const page = await world.visit({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(PROBE);
  const path = `/memories?namespace=${namespace}`;
  await page.goto(await world.ticketAddress(path));
  await firstRows(page);
  await proveProbe(page);
  const took = await opening(page, `${world.daemon.origin}${path}`);
  const figures = {
    opening: { p50: quantile(took, 0.5), max: quantile(took, 1) },
    scrolling: await scrolling(page),
    field: await typing(page, 'field'),
    search: await typing(page, 'list'),
  };
  await page.context().close();
  return figures;
}

/** What the probe sees of a page that does nothing: the machine's own share. */
async function idle(world: World): Promise<Strain> {
  const page = await world.visit();
  await page.addInitScript(PROBE);
  await page.goto(`${world.daemon.origin}/healthz`);
  await rest(page, 3_000);
  return takeStrain(page);
}

const ms = (value: number) => value.toFixed(0).padStart(6);

function told(name: string, { opening: first, ...parts }: Figures): string {
  const lines = [`${name}: first rows ${ms(first.p50)} ms (median), ${ms(first.max)} ms (worst)`];
  for (const [part, strain] of Object.entries(parts)) lines.push(toldStrain(`  ${part}`, strain));
  return lines.join('\n');
}

/** While the field lies over the list, nothing of the list can be seen. */
function toldStrain(name: string, strain: Strain): string {
  const { longTasks, longestTask, slowestKey, frames, blankFrames, waitingFrames, longestFrame } = strain;
  return `${name.padEnd(13)} tasks > 50 ms: ${longTasks} (longest ${ms(longestTask)} ms), slowest key ${ms(slowestKey)} ms, ${frames} frames (longest ${ms(longestFrame)} ms)${name.trim() === 'field' ? '' : `, blank ${blankFrames}, waiting ${waitingFrames}`}`;
}

const world = await openWorld();
try {
  const result: Record<string, unknown> = { sizes: SIZES, runs: RUNS, idle: await idle(world) };
  for (const [name, size] of Object.entries(SIZES)) {
    const from = performance.now();
    await furnish(world, name, size);
    process.stderr.write(`${size} memories stored in ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
  }
  process.stdout.write(`${toldStrain('idle', await idle(world))}\n`);
  for (const name of Object.keys(SIZES)) {
    const figures = await measured(world, name);
    result[name] = figures;
    process.stdout.write(`${told(name, figures)}\n`);
  }
  for (const complaint of world.complaints) process.stderr.write(`${complaint}\n`);
  if (options.output !== undefined) fs.writeFileSync(options.output, JSON.stringify(result, undefined, 2));
} finally {
  await world.close();
}
