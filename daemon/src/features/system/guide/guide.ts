import fs from 'node:fs';
import path from 'node:path';
import { Problem } from '@reverie/shared/contract/problems';
import { PAGE_POLICY } from '@reverie/shared/http/page-policy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Listed, Rendered } from './markdown.ts';
import { STYLE } from './style.ts';

/** Where the documentation lies, in the repository and beside a bundle. */
export const DOCS_FOLDER = path.join(import.meta.dirname, '../../../../../docs');

/** Addresses and the folders whose Markdown is served below them. */
const FOLDERS = { '/docs/guide': 'guide', '/docs/decisions': 'decisions' };
/** Pages that stand beside those folders. */
const ALONE = ['relay', 'reliability'];

const MISSING = `# There is no page here

The address may be mistyped, or of another version of Reverie. [The guide](/docs/guide) lists the pages that there are.
`;

/** Serves the guide at `/docs/guide`, and what it links to: the decisions, the operator's pages, and pictures. `appStyle` is the address of the page's style sheet. */
export function serveGuide(app: FastifyInstance, appStyle: () => string): void {
  const send = async (
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    file: string,
    at: string,
  ): Promise<FastifyReply> => {
    const found = await read(file);
    // Whoever followed a link wants to read what there is instead; a program is told as everywhere else.
    if (found === undefined && !request.headers.accept?.includes('text/html'))
      throw new Problem(
        'not_found',
        `There is no page at ${at.replace(/\/$/, '')}; /docs/guide lists those there are`,
      );
    const text = found ?? MISSING;
    // Loaded when it is asked for: a start has no use for it.
    const { escaped, listedPages, renderPage } = await import('./markdown.ts');
    const pages = listedPages((await read('guide/README.md')) ?? '', '/docs/guide/');
    const html = documentOf({ page: renderPage(text, at), pages, at, style: appStyle(), escaped });
    return reply
      .status(found === undefined ? 404 : 200)
      .header('Content-Security-Policy', PAGE_POLICY)
      .header('Referrer-Policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(html);
  };
  for (const [address, folder] of Object.entries(FOLDERS)) {
    app.get(address, (request, reply) => send({ request, reply }, `${folder}/README.md`, `${address}/`));
    app.get<{ Params: { page: string } }>(`${address}/:page`, (request, reply) => {
      const { page } = request.params;
      return send(
        { request, reply },
        /^[\w-]+$/.test(page) ? `${folder}/${page}.md` : '',
        `${address}/${page}`,
      );
    });
  }
  for (const page of ALONE)
    app.get(`/docs/${page}`, (request, reply) => send({ request, reply }, `${page}.md`, `/docs/${page}`));
  app.get('/docs/guide.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
  app.get<{ Params: { name: string } }>('/docs/pictures/:name', ({ params: { name } }, reply) => {
    const folder = path.join(DOCS_FOLDER, 'pictures');
    if (!/^[\w-]+\.png$/.test(name) || !fs.existsSync(path.join(folder, name)))
      throw new Problem('not_found', `There is no picture ${name}`);
    return reply.sendFile(name, folder);
  });
}

/** A file below `docs`; nothing where there is none. */
async function read(file: string): Promise<string | undefined> {
  if (file === '') return undefined;
  try {
    return await fs.promises.readFile(path.join(DOCS_FOLDER, file), 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

interface Drawn {
  page: Rendered;
  pages: readonly Listed[];
  at: string;
  style: string;
  escaped: (text: string) => string;
}

function documentOf({ page, pages, at, style, escaped }: Drawn): string {
  const here = at.replace(/\/$/, '');
  const index = pages.findIndex(({ href }) => href === here);
  const link = ({ href, title }: Listed, attributes = '') =>
    `<a href="${escaped(href)}"${attributes}>${escaped(title)}</a>`;
  // The index has no page before it, and a page of another list has no neighbours here.
  const isOfGuide = index >= 0 || here === '/docs/guide';
  const [before, after] = isOfGuide ? [pages[index - 1], pages[index + 1]] : [undefined, undefined];
  const ways = `${before ? link(before, ' rel="prev"') : ''} ${after ? link(after, ' rel="next"') : ''}`;
  const entries = pages.map(
    (entry) => `<li>${link(entry, entry.href === here ? ' aria-current="page"' : '')}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escaped(page.summary)}">
<title>${escaped(page.title)} · Reverie</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${escaped(style)}">
<link rel="stylesheet" href="/docs/guide.css">
</head>
<body class="written">
<header><strong><a href="/docs/guide">Reverie guide</a></strong> <a class="to-pages" href="#pages">All pages</a> <a href="/">Your memories</a> <a href="/docs">API reference</a></header>
<nav id="pages" aria-label="Pages"><ul>
${entries.join('\n')}
</ul></nav>
<main>
<article>
${page.body}</article>
${ways === ' ' ? '' : `<footer>${ways}</footer>`}
</main>
</body>
</html>
`;
}
