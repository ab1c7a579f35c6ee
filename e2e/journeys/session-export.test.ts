import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportSession } from '@reverie/shared/contract/sessions/session-export';
import { addEntries, createSession } from '@reverie/shared/contract/sessions/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../daemon/src/testing.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth } from '../stage.ts';
import { theBrowser } from '../browser.ts';
import { hasBrowser } from '../chromium.ts';

const HOSTILE = [
  '<script>document.title = "owned"</script>',
  '</details></article><img src="https://evil.example/x.png" onerror="document.title = \'owned\'">',
  '![pixel](https://evil.example/pixel.png)',
  '<svg onload="document.title = \'owned\'"></svg><iframe src="https://evil.example/"></iframe>',
  '"><style>@import "https://evil.example/x.css"; * { display: none }</style>',
  `<meta http-equiv="refresh" content="0; url=https://evil.example/">`,
];

describe.skipIf(!hasBrowser)('a session as an HTML file, opened in a browser', () => {
  let daemon: TestDaemon;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reverie-export-'));
    daemon = await startTestDaemon();
  });
  afterAll(async () => {
    await daemon.stop();
    rmSync(folder, { recursive: true });
  });

  test('asks for nothing, runs nothing, and folds what tools did', async () => {
    const body = { agent: 'codex', title: `Rate limits ${HOSTILE[0]}`, project: 'acme/api' };
    const { id } = await daemon.call(createSession, { body });
    const at = (i: number) => new Date(daemon.clock.now() + i).toISOString();
    const kinds = ['prompt', 'answer', 'tool_call', 'tool_result'] as const;
    await daemon.call(addEntries, {
      params: { id },
      body: {
        entries: [
          { kind: 'prompt', text: 'Add rate limits to every route.', at: at(0) },
          { kind: 'tool_call', text: 'src/a.ts\n-old\n+new', tool: { name: 'Edit' }, at: at(1) },
          { kind: 'tool_result', text: 'x'.repeat(900_000), tool: { name: 'Bash', failed: true }, at: at(2) },
          { kind: 'answer', text: '**Done.**\n\n| a | b |\n|---|--:|\n| 1 | 2 |', at: at(3) },
          ...HOSTILE.flatMap((text, i) => kinds.map((kind) => ({ kind, text, at: at(10 + i) }))),
        ],
      },
    });
    const file = join(folder, 'session.html');
    writeFileSync(file, await daemon.call(exportSession, { params: { id }, query: { format: 'html' } }));

    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await (
        await theBrowser()
      ).newContext({ colorScheme, viewport: { width: 360, height: 800 } });
      const page = await context.newPage();
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => complaints.push(message.text()));
      const address = pathToFileURL(file).href;
      await page.goto(address);
      await page.waitForLoadState('networkidle');
      expect(asked).toEqual([address]);
      expect(complaints).toEqual([]);
      expect(await page.title()).toBe(`Rate limits ${HOSTILE[0]}`);
      expect(await page.locator('script, img, iframe, svg, object, embed, form').count()).toBe(0);
      expect(await page.locator('article').count()).toBe(4 + HOSTILE.length * kinds.length);
      expect(await page.locator('main > article').count()).toBe(4 + HOSTILE.length * kinds.length);
      expect(await pageWidth(page)).toBeLessThanOrEqual(360);
      const change = page.locator('details', { hasText: 'Edit' }).first();
      expect(await change.locator('pre').isVisible()).toBe(false);
      await change.locator('summary').click();
      expect(await change.locator('.added').textContent()).toBe('+new');
      const styleOf = (selector: string, name: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`);
      const colours = [
        await styleOf('.added', 'backgroundColor'),
        await styleOf('.removed', 'backgroundColor'),
      ];
      expect(colours[0]).toMatch(/^rgb/);
      expect(colours[0]).not.toBe(colours[1]);
      const size = async (selector: string) => Number.parseFloat(await styleOf(selector, 'fontSize'));
      expect(await size('.prompt .said')).toBeGreaterThan(await size('.answer .marked'));
      expect(await axeFindings(page)).toEqual([]);
      await context.close();
    }
  });
});
