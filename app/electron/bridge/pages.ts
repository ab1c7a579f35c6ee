import fs from 'node:fs/promises';
import path from 'node:path';
import { pageHeaders } from '@reverie/shared/http/page-policy';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** A file of the bundled page, with the headers that the daemon serves it with; every path without an extension is a view of the page. */
export async function pageAnswer(folder: string, pathname: string): Promise<Response> {
  const file = fileOf(folder, pathname);
  const type = file === undefined ? undefined : TYPES[path.extname(file)];
  const content = file === undefined || type === undefined ? undefined : await contentOf(file);
  if (content === undefined || type === undefined)
    return new Response(`Nothing is at ${pathname}\n`, { status: 404, headers: headersOf(pathname) });
  return new Response(content, { headers: { ...headersOf(pathname), 'Content-Type': type } });
}

const headersOf = (pathname: string): Record<string, string> => ({
  ...pageHeaders(pathname),
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

/** Undefined for what would lie outside of the folder, or is not written as a path. */
function fileOf(folder: string, pathname: string): string | undefined {
  let plain: string;
  try {
    plain = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (plain.includes('\0') || plain.includes('\\')) return undefined;
  if (path.extname(plain) === '') return path.join(folder, 'index.html');
  const file = path.join(folder, plain);
  return file.startsWith(folder + path.sep) ? file : undefined;
}

async function contentOf(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await fs.readFile(file));
  } catch (cause) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String((cause as NodeJS.ErrnoException).code)))
      return undefined;
    throw cause;
  }
}
