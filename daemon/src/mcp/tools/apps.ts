import { randomUUID } from 'node:crypto';
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';

const ShowsApps = z.object({
  extensions: z.object({
    [EXTENSION_ID]: z.object({
      mimeTypes: z.array(z.string()).refine((types) => types.includes(RESOURCE_MIME_TYPE)),
    }),
  }),
});
const SaysIt = z.object({
  params: z.union([
    // Revision 2026-07-28 says it with each request, 2025 once, at `initialize`.
    z.object({ _meta: z.object({ [CLIENT_CAPABILITIES_META_KEY]: ShowsApps }) }),
    z.object({ capabilities: ShowsApps }),
  ]),
});

/** Whether a message of a client says that it shows apps in the conversation. */
export function saysItShowsApps(message: unknown): boolean {
  return SaysIt.safeParse(message).success;
}

/** The header in which a client of 2025 sends back what it was given at `initialize`. */
export const SESSION_HEADER = 'mcp-session-id';
const SHOWS_APPS = 'shows-apps-';

/**
 * A new session id for a client of 2025 that shows apps. The id says all that there is to know of the session: nothing is kept, so that a
 * restart of the daemon is not noticed.
 */
export function newSessionThatShowsApps(): string {
  return `${SHOWS_APPS}${randomUUID()}`;
}

/** Whether a request says that it belongs to a session made by `newSessionThatShowsApps`. */
export function isSessionThatShowsApps(session: string | string[] | undefined): boolean {
  return typeof session === 'string' && session.startsWith(SHOWS_APPS);
}
