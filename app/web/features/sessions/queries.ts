import {
  getSession,
  handOver,
  listEntries,
  listSessions,
  searchSessions,
  type CodingSession,
} from '@reverie/shared/contract/sessions/sessions';
import { getShare, previewSession, sessionNotes } from '@reverie/shared/contract/sessions/session-sharing';
import { listFormats, listSources } from '@reverie/shared/contract/sessions/session-sources';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** What is looked at often while something moves, and seldom while nothing does, ms. */
const MOVING_MS = 1_000;
const CALM_MS = 10_000;
const A_PAGE = 100;
/** Places that are looked for at the most. */
export const MOST_HITS = 100;
const PROMPTS = 500;

/** Which sessions are listed. */
export interface SessionFilter {
  agent?: string | undefined;
  project?: string | undefined;
  status?: CodingSession['status'] | undefined;
}

export function sessionsQuery({ agent, project, status }: SessionFilter) {
  return infiniteQueryOptions({
    queryKey: ['sessions', 'list', agent, project, status],
    queryFn: ({ signal, pageParam }) =>
      call(
        listSessions,
        {
          query: {
            agent,
            project,
            status,
            subagents: 'true',
            limit: A_PAGE,
            ...(pageParam !== null && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: CALM_MS,
  });
}

export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: ['sessions', 'one', id],
    queryFn: ({ signal }) => call(getSession, { params: { id } }, { signal }),
    refetchInterval: CALM_MS,
  });
}

/** What is said in sessions, or in one of them; asked only for words. */
export function hitsQuery(q: string, within: { session?: string; agent?: string | undefined }) {
  return queryOptions({
    queryKey: ['sessions', 'hits', q, within.session, within.agent],
    queryFn: ({ signal }) =>
      call(searchSessions, { query: { q, ...within, limit: MOST_HITS } }, { signal }).then(
        ({ hits }) => hits,
      ),
    enabled: q.trim() !== '',
    placeholderData: (before) => before,
  });
}

/** All that was asked in a session, in order. */
export function promptsQuery(id: string) {
  return queryOptions({
    queryKey: ['sessions', 'prompts', id],
    queryFn: async ({ signal }) => {
      const found: { id: string; text: string; at: string }[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page = await call(
          listEntries,
          { params: { id }, query: { kinds: 'prompt', limit: PROMPTS, ...(after && { after }) } },
          { signal },
        );
        found.push(...page.entries.map((entry) => ({ id: entry.id, text: entry.text, at: entry.at })));
        after = page.after;
      }
      return found;
    },
  });
}

/** What failed in a session, in order. */
export function failuresQuery(id: string) {
  return queryOptions({
    queryKey: ['sessions', 'failures', id],
    queryFn: async ({ signal }) => {
      const found: { id: string; at: string }[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page = await call(
          listEntries,
          { params: { id }, query: { failed: 'true', limit: PROMPTS, ...(after && { after }) } },
          { signal },
        );
        found.push(...page.entries.map(({ id: entry, at }) => ({ id: entry, at })));
        after = page.after;
      }
      return found;
    },
  });
}

export const sourcesQuery = queryOptions({
  queryKey: ['sessions', 'sources'],
  queryFn: async ({ signal }) => (await call(listSources, {}, { signal })).sources,
  refetchInterval: ({ state }) =>
    state.data?.some((source) => source.state.kind === 'reading') ? MOVING_MS : CALM_MS,
});

export const formatsQuery = queryOptions({
  queryKey: ['sessions', 'formats'],
  queryFn: ({ signal }) => call(listFormats, {}, { signal }),
});

export function handOverQuery(id: string, tokens: number) {
  return queryOptions({
    queryKey: ['sessions', 'handover', id, tokens],
    queryFn: ({ signal }) => call(handOver, { params: { id }, query: { max_tokens: tokens } }, { signal }),
    placeholderData: (before) => before,
  });
}

/** How a session is shared; without a relay there is nothing to ask for. */
export function shareQuery(id: string) {
  return queryOptions({
    queryKey: ['sessions', 'share', id],
    queryFn: ({ signal }) => call(getShare, { params: { id } }, { signal }),
    retry: false,
    refetchInterval: CALM_MS,
  });
}

/** What sharing a session would send away. It is fetched anew at each look, so that what is agreed to is what was shown. */
export function previewQuery(id: string, from: 'start' | 'now', redacted: boolean) {
  return infiniteQueryOptions({
    queryKey: ['sessions', 'preview', id, from, redacted],
    queryFn: ({ signal, pageParam }) =>
      call(
        previewSession,
        {
          params: { id },
          query: {
            from,
            redacted: redacted ? 'true' : 'false',
            limit: 20,
            ...(pageParam !== null && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Where the shared notes of a session are. Asked once: the pass is for the door, and a provider keeps its connection. */
export function notesQuery(id: string) {
  return queryOptions({
    queryKey: ['session-notes', id],
    queryFn: ({ signal }) => call(sessionNotes, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
