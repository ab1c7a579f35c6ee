import { seconds } from '@reverie/shared/testing/patience';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { CHROMIUM, hasBrowser } from '../chromium.ts';
import { pageWidth, setStage } from '../stage.ts';

const FLOWCHART = `graph TD
  A[Note] -->|links to| B(Other)
  B --> C{Known?}
  C -->|yes| D[Open]
  style D fill:#fff`;
const SEQUENCE = `sequenceDiagram
  Agent->>Daemon: memory_search
  Note over Daemon: looks in one namespace
  Daemon-->>Agent: three passages`;
const WIDE = `graph LR\n  ${Array.from({ length: 14 }, (_, at) => `N${at}[Step number ${at}]`).join(' --> ')}`;

const mermaid = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;

/** What would run in the page, were a source to get there. */
const RUN = 'top.caught=1;parent.caught=1;window.caught=1';
const ELSEWHERE = 'https://elsewhere.example';

describe.skipIf(!hasBrowser)('a note with diagrams', () => {
  const stage = setStage();
  const open = (key: string, ...options: Parameters<typeof stage.visit>) =>
    stage.signedInAt(`/memories?namespace=vault&key=${key}`, ...options);
  const value = (page: Page) => page.getByTestId('value');
  const pictures = (page: Page) => value(page).getByRole('group', { name: 'Diagram' }).getByRole('img');

  /** How the pictures are shown: their own width, that on the page, and how they are turned over. */
  const looks = (page: Page) =>
    page.evaluate<{ alt: string; own: number; wide: number; filter: string }[]>(
      `[...document.querySelectorAll('[data-testid=value] [aria-label=Diagram] > img')].map((image) => (
        { alt: image.alt, own: image.naturalWidth, wide: image.clientWidth, filter: getComputedStyle(image).filter }))`,
    );

  test('shows them as pictures, in both themes and in a narrow window, with their source one click away', async () => {
    await stage.store('vault', { drawn: [FLOWCHART, SEQUENCE, WIDE].map(mermaid).join('\n\n') });
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      const page = await open('drawn', { viewport: { width, height: 2000 }, colorScheme });
      await pictures(page).nth(2).waitFor();
      const shown = await looks(page);
      expect(shown.map(({ alt }) => alt)).toEqual([FLOWCHART, SEQUENCE, WIDE]);
      for (const { own, wide, filter } of shown) {
        expect(own).toBeGreaterThan(100);
        expect(wide).toBeGreaterThan(own * 0.59);
        expect(filter === 'none').toBe(colorScheme === 'light');
      }
      expect(await pageWidth(page)).toBe(width);
      // What drew them is gone.
      expect(await page.locator('iframe').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await value(page).getByRole('button', { name: 'Show source' }).first().click();
      await value(page).getByRole('group', { name: 'Code, mermaid' }).getByText('links to').waitFor();
      await value(page).getByRole('button', { name: 'Hide source' }).click();
      expect(await value(page).getByRole('group', { name: 'Code, mermaid' }).count()).toBe(0);
      await page.emulateMedia({ media: 'print' });
      // Paper is white, and does not scroll.
      await expect
        .poll(async () => (await looks(page)).every(({ wide, filter }) => filter === 'none' && wide <= width))
        .toBe(true);
    }
  });

  test('what is none is shown as it is written, and says why', async () => {
    const refused = {
      'it cannot be read as a diagram': 'no diagram at all',
      'its line 3 cannot be read': 'graph TD\n  A --> B\n  B --> ]',
      'it has more than 300 connections': `graph TD\n${'A-->B\n'.repeat(400)}`,
      'it is longer than 20,000 characters': `graph TD\n${'A-->B\n'.repeat(9_000)}`,
    };
    await stage.store('vault', { refused: Object.values(refused).map(mermaid).join('\n\n') });
    const page = await open('refused');
    await value(page).getByText('Not drawn').nth(3).waitFor();
    expect(await value(page).getByText('Not drawn').allInnerTexts()).toEqual(
      Object.keys(refused).map((why) => `Not drawn: ${why}.`),
    );
    expect(await value(page).getByRole('group', { name: 'Code, mermaid' }).count()).toBe(4);
    expect(await page.locator('iframe, [id*=mermaid], svg[aria-roledescription]').count()).toBe(0);
  });

  test('nothing of a hostile one runs, leads away or is fetched', async () => {
    const hostile = [
      `graph TD\n  A["<img src=x onerror=${RUN}>"] --> B["<script>${RUN}</script>"]\n  click A "javascript:${RUN}"\n  click B call alert(1)`,
      `%%{init: {"securityLevel": "loose", "htmlLabels": true, "maxTextSize": 9999999, "themeCSS": "@import url(${ELSEWHERE}/x.css); * { background: url(${ELSEWHERE}/x.png) }"}}%%\ngraph TD\n  A["<a href='javascript:${RUN}'>x</a>"]`,
      `---\nconfig:\n  securityLevel: loose\n  secure: []\n  htmlLabels: true\n---\ngraph TD\n  A["<iframe src='javascript:${RUN}'>"] --> B@{ img: "${ELSEWHERE}/x.png", label: "x" }`,
      `sequenceDiagram\n  participant A\n  link A: Board @ javascript:${RUN}\n  A->>A: <svg onload=${RUN}>`,
    ];
    await stage.store('vault', { hostile: `${hostile.map(mermaid).join('\n\n')}\n\nThe end.` });
    const page = await stage.visit();
    const loaded: string[] = [];
    page.on('response', (response) => loaded.push(new URL(response.url()).origin));
    await page.goto(await stage.world.ticketAddress('/memories?namespace=vault&key=hostile'));
    await value(page).getByText('The end.').waitFor();
    await pictures(page).first().waitFor();
    await expect.poll(() => value(page).locator('[aria-busy=true]').count()).toBe(0);
    for (const picture of await pictures(page).all()) await picture.click();
    expect(await page.evaluate('window.caught')).toBe(undefined);
    expect(await value(page).locator('a, script, iframe, [onerror], [onload]').count()).toBe(0);
    expect(new Set(loaded.filter((origin) => origin !== 'null'))).toEqual(
      new Set([stage.world.daemon.origin]),
    );
    expect(page.url()).toContain('key=hostile');
  });

  test('one that is drawn for ever holds up nobody, and is given up', async () => {
    await stage.store('vault', { knot: `${mermaid(FLOWCHART)}\n\nThe end.` });
    // As browsers with a window do: those without one spare themselves the processes.
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--site-per-process'],
    });
    try {
      const page = await browser.newPage();
      // The half minute of a frame, and no others.
      await page.addInitScript(
        "const later = window.setTimeout; window.setTimeout = (run, ms, ...args) => later(run, ms === 30_000 && document.querySelector('iframe') ? 1_000 : ms, ...args);",
      );
      await page.route('**/diagram.html', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<script>onmessage = () => { for (;;); }</script>',
        }),
      );
      await page.goto(await stage.world.ticketAddress('/memories?namespace=vault&key=knot'));
      await value(page).getByText('Not drawn: it takes too long to draw.').waitFor();
      await value(page).getByText('The end.').waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
    } finally {
      await browser.close();
    }
  });

  test('what draws them is loaded by such notes alone, and nobody else may frame it', async () => {
    await stage.store('vault', { plain: '# Plain\n\n```ts\nconst a = 1;\n```', drawn: mermaid(FLOWCHART) });
    const page = await stage.visit();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(await stage.world.ticketAddress('/memories?namespace=vault&key=plain'));
    await value(page).locator('.hljs-keyword').waitFor();
    expect(asked.filter((path) => /diagram|mermaid/u.test(path))).toEqual([]);
    const answered = page.waitForResponse('**/diagram.html');
    await page.evaluate("history.pushState(null, '', '/memories?namespace=vault&key=drawn')");
    const headers = (await answered).headers();
    expect(headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts; default-src 'none'; .*frame-ancestors 'self'$/u,
    );
    await pictures(page).waitFor({ timeout: seconds(5) });
  });
});
