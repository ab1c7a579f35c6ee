import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { Problem } from '@reverie/shared/contract/problems';
import { PAGE_POLICY, pageHeaders } from '@reverie/shared/http/page-policy';
import { answerUnknown } from '@reverie/shared/http/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DOCS_FOLDER, serveGuide } from './guide/guide.ts';
import { referencePage, START, STYLE } from './reference.ts';

/** What is written for agents and their people, as it stands in the repository. */
const WRITTEN = { '/llms.txt': 'llms.txt', '/docs/agents': 'agents.md' };

const PAGE = path.join(import.meta.dirname, '../../../../app/web/dist');

/** Swagger UI writes style attributes; it gets nothing else beyond the page's policy. */
const DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/** Serves the page at `/`, the reference at `/docs`, and answers what is not served anywhere. */
export async function servePage(
  app: FastifyInstance,
  served: (path: string) => string[],
  shown: { sandboxKey: string | undefined },
): Promise<void> {
  await app.register(fastifyStatic, { root: PAGE, serve: false, preCompressed: true });
  serveDocs(app, shown);
  serveGuide(app, styleOfThePage);
  answerUnknown(app, served, (request, reply) => {
    const url = request.url.split('?', 1)[0] ?? '/';
    if ((request.method !== 'GET' && request.method !== 'HEAD') || /^\/(v1|docs)(\/|$)/.test(url))
      throw new Problem('not_found', `Nothing is served at ${url}; /docs lists what is`);
    reply.headers(pageHeaders(url));
    if (url.startsWith('/assets/') || /\.\w+$/.test(url)) return sendPart(reply, url);
    if (!acceptsHtml(request))
      throw new Problem('not_found', `Nothing is served at ${url}; /docs lists what is`);
    return sendPart(reply, '/index.html');
  });
}

/** A file of the page. Assets carry a hash of their content in the name, so they never change. */
function sendPart(reply: FastifyReply, url: string): FastifyReply {
  const file = path.join(PAGE, url);
  const isPart = file.startsWith(PAGE + path.sep) && fs.statSync(file, { throwIfNoEntry: false })?.isFile();
  reply.header('Vary', 'Accept-Encoding');
  if (!isPart) throw new Problem('not_found', `Nothing is served at ${url}; /docs lists what is`);
  if (url.startsWith('/assets/')) reply.header('Cache-Control', 'public, max-age=31536000, immutable');
  return reply.sendFile(path.relative(PAGE, file), { cacheControl: false });
}

/** The address of the page's style sheet, which has the content's hash in its name. */
function styleOfThePage(): string {
  const index = fs.readFileSync(path.join(PAGE, 'index.html'), 'utf8');
  const style = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(index)?.[1];
  if (style === undefined) throw new Error(`${PAGE}/index.html names no style sheet`);
  return style;
}

function acceptsHtml(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*');
}

/** What is said anew of the document as it was written down. */
const OpenApi = z.looseObject({ info: z.looseObject({ description: z.string() }) });

function sandboxNote(key: string): string {
  return `\n\nTo try it without a key of your own, use the public one of the sandbox: \`${key}\` (100 requests in 24 hours from an address, no webhooks; everybody sees what is stored there, and every 24 hours it is emptied).`;
}

function serveDocs(app: FastifyInstance, { sandboxKey }: { sandboxKey: string | undefined }): void {
  for (const prefix of ['', '/v1'])
    app.get(`${prefix}/docs`, (_request, reply) =>
      reply
        .header('Content-Security-Policy', DOCS_POLICY)
        .type('text/html; charset=utf-8')
        .send(referencePage(styleOfThePage())),
    );
  for (const [url, file] of Object.entries(WRITTEN))
    app.get(url, async (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(await fs.promises.readFile(path.join(DOCS_FOLDER, file), 'utf8')),
    );
  app.get('/docs/reference.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
  app.get('/docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    app.get(`/docs/${name}`, (_request, reply) => {
      const folder = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
      return reply.sendFile(name, folder);
    });
  for (const url of ['/openapi.json', '/v1/openapi.json'])
    app.get(url, async (request, reply) => {
      // As it was written down: making it anew holds everybody up.
      const written = await fs.promises.readFile(path.join(DOCS_FOLDER, 'openapi.json'), 'utf8');
      const { info, ...document } = OpenApi.parse(JSON.parse(written));
      const description = `${info.description}${sandboxKey === undefined ? '' : sandboxNote(sandboxKey)}`;
      const servers = [{ url: `${request.protocol}://${request.host}/v1` }];
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ ...document, info: { ...info, description }, servers }));
    });
}
