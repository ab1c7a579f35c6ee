import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { DOCS_FOLDER } from './guide.ts';
import { listedPages, renderPage } from './markdown.ts';

describe('a page', () => {
  const rendered = (text: string, at = '/docs/guide/start') => renderPage(text, at).body;

  test('links to files of the repository lead to the pages that are made of them', () => {
    expect(rendered('[a](dreams.md) [b](dreams.md#undo) [c](../relay.md) [d](README.md) [e](#here)')).toBe(
      '<p><a href="/docs/guide/dreams">a</a> <a href="/docs/guide/dreams#undo">b</a> <a href="/docs/relay">c</a> ' +
        '<a href="/docs/guide">d</a> <a href="#here">e</a></p>\n',
    );
    expect(rendered('[a](start.md)', '/docs/guide/')).toContain('href="/docs/guide/start"');
    expect(rendered('[a](../decisions/README.md)')).toContain('href="/docs/decisions"');
    expect(rendered('![a](../pictures/a.png)')).toContain('src="/docs/pictures/a.png"');
    expect(rendered('[a](https://example.org/x.md)')).toContain(
      'href="https://example.org/x.md" rel="noreferrer noopener"',
    );
  });

  test('headings are named as on GitHub, each once', () => {
    const ids = [
      ...rendered('# A `b`, c!\n\n## Über uns\n\n## A b c\n\n## x_y - z').matchAll(/id="([^"]*)"/g),
    ];
    expect(ids.map(([, id]) => id)).toEqual(['a-b-c', 'über-uns', 'a-b-c-1', 'x_y---z']);
  });

  test('HTML in it is text, and nothing in it needs a style of its own', () => {
    expect(rendered('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n');
    expect(rendered('[a](javascript:alert(1))')).not.toContain('<a');
    expect(rendered('| a |\n| -: |\n| 1 |')).not.toContain('style');
  });

  test('what is wide scrolls by itself, by the keyboard, too', () => {
    expect(rendered('```sh\nreverie\n```')).toContain('<pre tabindex="0">');
    expect(rendered('| a |\n| - |\n| 1 |')).toMatch(/^<div class="table"[^>]* tabindex="0"><table>/);
  });

  test('has its first heading as title, and its first paragraph as what it is about', () => {
    expect(renderPage('# Dreams\n\n_How does\nit tidy up?_\n\nSo.', '/docs/guide/dreams')).toMatchObject({
      title: 'Dreams',
      summary: 'How does it tidy up?',
    });
  });

  test('an index lists what its lists link to', () => {
    expect(listedPages('[x](x.md)\n\n- [A](a.md): b\n- [C](c.md)\n', '/docs/guide/')).toEqual([
      { href: '/docs/guide/a', title: 'A' },
      { href: '/docs/guide/c', title: 'C' },
    ]);
  });
});

describe('the guide', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon();
  });
  afterAll(() => daemon.stop());

  const get = (at: string) => daemon.ask({ path: at, key: null });
  const files = (folder: string) =>
    fs.readdirSync(path.join(DOCS_FOLDER, folder)).filter((name) => name.endsWith('.md'));
  /** Every address that is made of a file. */
  const addresses = () => [
    ...['guide', 'decisions'].flatMap((folder) =>
      files(folder).map((name) => `/docs/${folder}/${name}`.replace(/(\/README)?\.md$/, '')),
    ),
    '/docs/relay',
    '/docs/reliability',
  ];

  test('is served without a key, under the policy and the headers of the page', async () => {
    const { status, headers, text } = await get('/docs/guide');
    const page = await daemon.ask({ path: '/', key: null, headers: { accept: 'text/html' } });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const name of [
      'content-security-policy',
      'referrer-policy',
      'x-frame-options',
      'x-content-type-options',
    ])
      expect([name, headers[name]]).toEqual([name, page.headers[name]]);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(text).toContain('<h1 id="reverie-guide">Reverie guide</h1>');
    expect(text).not.toMatch(/<script|<style|style=/);
  });

  test('names the page that is open, the one before and the one after', async () => {
    const { text } = await get('/docs/guide/find-and-ask');
    expect(text).toContain('<a href="/docs/guide/find-and-ask" aria-current="page">Find and ask</a>');
    expect(text).toContain('<a href="/docs/guide/start" rel="prev">Start</a>');
    expect(text).toContain('<a href="/docs/guide/dreams" rel="next">Dreams</a>');
    expect((await get('/docs/guide')).text).toContain('<a href="/docs/guide/start" rel="next">Start</a>');
  });

  test('lists each of its pages', async () => {
    const index = fs.readFileSync(path.join(DOCS_FOLDER, 'guide/README.md'), 'utf8');
    const listed = listedPages(index, '/docs/guide/').map(({ href }) => href);
    const there = files('guide')
      .filter((name) => name !== 'README.md')
      .map((name) => `/docs/guide/${name.replace('.md', '')}`);
    expect(listed.toSorted()).toEqual(there.toSorted());
  });

  test('every link, picture and style of every page leads somewhere, also to the heading that it names', async () => {
    const pages = new Map<string, string>();
    const open = async (at: string) => {
      const known = pages.get(at);
      if (known !== undefined) return known;
      const { status, text } = await daemon.ask({ path: at, key: null, headers: { accept: 'text/html' } });
      expect([at, status]).toEqual([at, 200]);
      pages.set(at, text);
      return text;
    };
    const all = addresses();
    expect(all.length).toBeGreaterThan(50);
    const broken: string[] = [];
    let followed = 0;
    for (const from of all)
      for (const [, link = ''] of (await open(from)).matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^(https?|mailto):/.test(link)) continue;
        const [at = '', fragment] = link.split('#', 2);
        const text = await open(at === '' ? from : at);
        if (fragment && !text.includes(`id="${fragment}"`)) broken.push(`${link} of ${from}`);
        followed += 1;
      }
    expect(broken).toEqual([]);
    expect(followed).toBeGreaterThan(500);
  });

  test('answers 404 for what is not there, and opens nothing beside its folders', async () => {
    for (const at of [
      '/docs/guide/nothing',
      '/docs/guide/..%2F..%2Fpackage',
      '/docs/guide/..%2Frelay',
      '/docs/guide/start.md',
      '/docs/pictures/nothing.png',
      '/docs/pictures/..%2Fagents.md',
      '/docs/release',
    ])
      expect([at, (await get(at)).json.code]).toEqual([at, 'not_found']);
  });

  test('tells a browser in words that a page is not there, and where the pages are', async () => {
    const { status, headers, text } = await daemon.ask({
      path: '/docs/guide/nothing',
      key: null,
      headers: { accept: 'text/html,*/*' },
    });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('There is no page here');
    expect(text).toContain('<a href="/docs/guide">The guide</a>');
    expect(text).not.toContain('<footer>');
  });
});
