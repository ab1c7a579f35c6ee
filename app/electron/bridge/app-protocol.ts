import { isOwnPage, PAGES } from './address.ts';
import { forward } from './forward.ts';
import type { Lines } from './lines.ts';
import { bridgeNotes } from './notes.ts';
import { pageAnswer } from './pages.ts';
import { problemAnswer, unreachable } from './problem.ts';
import { socketAnswer } from './socket.ts';

export interface AppProtocolDeps {
  /** The folder of the bundled page. */
  folder: string;
  lines: Lines;
  /** A one-use ticket from the daemon, made with the owner key, which stays here. */
  ticket: () => Promise<string>;
}

/**
 * Answers every request of the app's windows. Pages come from the bundle; what is below `/v1` goes to the daemon over a line on
 * which it proved itself; a window trades a ticket of its own for a session and never sees the owner key.
 */
export function answerPages(deps: AppProtocolDeps): (request: Request) => Promise<Response> {
  const notes = bridgeNotes(deps.lines);
  return async (request) => {
    if (!isOwnPage(request.url)) return problemAnswer('not_found', 'Only app://reverie is served');
    const { pathname } = new URL(request.url);
    const isData = pathname === '/v1' || pathname.startsWith('/v1/') || pathname.startsWith('/desktop/');
    if (isData && isForeign(request))
      return problemAnswer('foreign_origin', 'Pages of other sites may not call Reverie');
    if (pathname === '/desktop/ticket') return ticketAnswer(deps, request);
    if (pathname === '/v1/stream') return socketAnswer(deps.lines, request, EVENTS);
    if (isData) return notes(request) ?? forward(deps.lines, request);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return problemAnswer('method_not_allowed', 'Pages are only read');
    return pageAnswer(deps.folder, pathname);
  };
}

/** The stream of events is JSON already. */
const EVENTS = { lineOf: (data: Buffer) => data.toString('utf8') };

/** No window shows another site's page; a request that says it comes from one is refused all the same. */
function isForeign({ headers }: Request): boolean {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  return (
    (origin !== null && origin !== PAGES) || (site !== null && site !== 'same-origin' && site !== 'none')
  );
}

async function ticketAnswer({ ticket }: AppProtocolDeps, request: Request): Promise<Response> {
  // A form or an image could cause a GET.
  if (request.method !== 'POST') return problemAnswer('method_not_allowed', 'Ask with POST');
  try {
    return Response.json({ ticket: await ticket() }, { headers: { 'Cache-Control': 'no-store' } });
  } catch (cause) {
    return unreachable(cause);
  }
}
