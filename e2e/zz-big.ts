import { openWorld } from './world.ts';
import { setMemory, storeBatch } from '@reverie/shared/contract/memories';
import { writeFileSync } from 'node:fs';
const world = await openWorld();
const SEL = process.env['SEL'] ?? '.cm-content';
const huge = `${'A line that is written, and goes on. '.repeat(28)}\n`.repeat(900);
try {
  for (let from = 0; from < Number(process.env['N'] ?? 0); from += 1000)
    await world.daemon.call(storeBatch, { body: { items: Array.from({ length: 1000 }, (_, at) => ({ namespace: 'work', key: `notes/${from + at}`, value: `# Note ${from + at}\n\nSome words of it, and more.`, metadata: { tags: ['t'] } })) } });
  for (const [key, value] of [['json', '{"a":  [1, 2]}'], ['endless', 'word '.repeat(60_000)], ['huge', huge], ['short', 'A short note.'], ['md', '# Title\n\n' + 'Some **bold** words of a paragraph that goes on for a while. '.repeat(6).concat('\n\n- a\n- b\n\n').repeat(240)]] as const)
    await world.daemon.call(setMemory, { body: { namespace: 'work', key, value } });
  const page = await world.visit({ viewport: { width: 1440, height: 900 } });
  await page.goto(await world.ticketAddress('/memories?namespace=work'));
  await page.waitForTimeout(2500);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await cdp.send('Performance.enable');
  const cpu = async () => { const { metrics } = await cdp.send('Performance.getMetrics'); const m = Object.fromEntries(metrics.map((x: any) => [x.name, x.value])); return [m.TaskDuration, m.ScriptDuration, m.LayoutDuration, m.RecalcStyleDuration].map((x: number) => x * 1000); };
  for (const key of (process.env['KEYS'] ?? 'short,md,json,endless,huge').split(',')) {
    await page.goto(`${world.daemon.origin}/memories?namespace=work&key=${key}&mode=edit`);
    await page.locator(SEL).waitFor();
    await page.locator(SEL).focus();
    await page.keyboard.press('Control+End');
    await page.waitForTimeout(1500);
    if (key === process.env['PROFILE']) { await cdp.send('Profiler.enable'); await cdp.send('Profiler.setSamplingInterval', { interval: 200 }); await cdp.send('Profiler.start'); }
    const c2 = await cpu();
    for (let i = 0; i < 40; i++) { await page.keyboard.type('abcdefg hijklmnop'[i % 17]!); await page.waitForTimeout(60); }
    const c3 = await cpu();
    if (key === process.env['PROFILE']) { const { profile } = await cdp.send('Profiler.stop'); writeFileSync('/tmp/writing/p.cpuprofile', JSON.stringify(profile)); }
    console.log(key, 'key cpu', c3.map((x: number, i: number) => ((x - c2[i]) / 40).toFixed(1)).join(' '));
  }
  console.log(world.complaints);
} finally { await world.close(); process.exit(0); }
