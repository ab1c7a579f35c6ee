import { addFolder } from '@reverie/shared/contract/memories/folders';
import * as sessions from '@reverie/shared/contract/sessions/sessions';
import * as sharing from '@reverie/shared/contract/sessions/session-sharing';
import * as sources from '@reverie/shared/contract/sessions/session-sources';
import { problems, type ProblemCode } from '@reverie/shared/contract/problems';
import type { Parsed, Reply, Route } from '@reverie/shared/contract/route';
import type { CodingSession, SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import type { SessionInvite, SharePreview } from '@reverie/shared/contract/sessions/session-sharing';
import type { SessionSource } from '@reverie/shared/contract/sessions/session-sources';
import type { z } from 'zod';
import { BEGAN } from './made-session.ts';

/** What the fake has; tests change it as a daemon would change its tables. */
export interface FakeHome {
  sessions: CodingSession[];
  entries: Map<string, SessionEntry[]>;
  sources: SessionSource[];
  formats: Reply<typeof sources.listFormats>;
  /** Sessions that are shared, with what of them waits. */
  shares: Map<string, { from: 'start' | 'now'; invites: z.output<typeof SessionInvite>[]; waiting: number }>;
  preview: Omit<SharePreview, 'token' | 'next'>;
  isLinked: boolean;
  /** Where shared notes are; undefined where they cannot be reached. */
  notes: Reply<typeof sharing.sessionNotes> | undefined;
  /** Every call, as `METHOD /path`, for tests to look at. */
  calls: string[];
}

class Refusal extends Error {
  readonly code: ProblemCode;
  constructor(code: ProblemCode, message: string = problems[code].title) {
    super(message);
    this.code = code;
  }
}

type Answer = (sent: { params: Record<string, string>; query: unknown; body: unknown }) => unknown;

/** Ties a route to what answers it: what is sent is parsed as the daemon parses it, and the answer held to the contract. */
function on<R extends Route>(
  route: R,
  answer: (sent: Parsed<R>) => Reply<R>,
): { route: Route; answer: Answer } {
  return {
    route,
    answer: ({ params, query, body }) =>
      answer({
        ...(route.params && { params: route.params.parse(params) }),
        ...(route.query && { query: route.query.parse(query) }),
        ...(route.body && { body: route.body.parse(body ?? {}) }),
      } as Parsed<R>),
  };
}

/** Answers the routes of sessions from what it has, as the contract says; anything else is not found. */
export function fakeDaemon(given: Partial<FakeHome> = {}): { home: FakeHome; fetch: typeof fetch } {
  const home: FakeHome = {
    sessions: [],
    entries: new Map(),
    sources: [],
    formats: { formats: [], malformed: [] },
    shares: new Map(),
    preview: {
      entries: 0,
      bytes: 0,
      redactions: 0,
      by_rule: [],
      withheld: 0,
      approved: false,
      sample: [],
      session: { title: '', project: null, branch: null, agent: 'codex', models: [] },
    },
    isLinked: true,
    notes: undefined,
    calls: [],
    ...given,
  };
  const served = [...readingOf(home), ...sharingOf(home), ...sourcesOf(home)];
  return {
    home,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const path = url.pathname.replace(/^\/v1/, '');
      home.calls.push(`${request.method} ${path}`);
      // What names a path in full goes before what names a part of it.
      const fitting = served
        .map((one) => ({ one, params: paramsOf(one.route.path, path) }))
        .filter(({ one, params }) => params && one.route.method === request.method)
        .toSorted((a, b) => Object.keys(a.params ?? {}).length - Object.keys(b.params ?? {}).length)[0];
      if (!fitting) return refused('not_found', `The fake does not serve ${request.method} ${path}`);
      const text = await request.text();
      try {
        const answer = fitting.one.answer({
          params: fitting.params ?? {},
          query: Object.fromEntries(url.searchParams),
          body: text === '' ? undefined : JSON.parse(text),
        });
        return Response.json(fitting.one.route.response.parse(answer), { status: fitting.one.route.status });
      } catch (error) {
        if (error instanceof Refusal) return refused(error.code, error.message);
        throw error;
      }
    },
  };
}

function refused(code: ProblemCode, detail: string): Response {
  const { status, title } = problems[code];
  return Response.json({ status, code, title, detail }, { status });
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const parts = pattern.split('/');
  const given = path.split('/');
  if (parts.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const value = decodeURIComponent(given[at] ?? '');
    if (part.startsWith('{')) params[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

const TEXT = 4_000;

function readingOf(home: FakeHome) {
  const find = (id: string) => {
    const session = home.sessions.find((one) => one.id === id);
    if (!session) throw new Refusal('session_not_found', `No session ${id}`);
    return session;
  };
  const all = (id: string) => home.entries.get(id) ?? [];
  const told = (session: CodingSession): CodingSession => ({
    ...session,
    entries: home.entries.get(session.id)?.length ?? session.entries,
    shared: home.shares.has(session.id) || session.shared,
  });
  const change = (id: string, to: Partial<CodingSession>) => {
    Object.assign(find(id), to);
    return told(find(id));
  };
  return [
    on(sessions.listSessions, ({ query }) => {
      const from = Number(query.cursor ?? 0);
      const fitting = home.sessions
        .filter(
          (one) =>
            (query.agent === undefined || one.agent === query.agent) &&
            (query.project === undefined || one.project === query.project) &&
            (query.status === undefined || one.status === query.status) &&
            (query.subagents === 'true' || one.parent?.kind !== 'subagent'),
        )
        .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
      const to = from + query.limit;
      return {
        sessions: fitting.slice(from, to).map(told),
        next: to < fitting.length ? String(to) : null,
      };
    }),
    on(sessions.getSession, ({ params }) => told(find(params.id))),
    on(sessions.changeSession, ({ params, body }) =>
      change(params.id, {
        ...(body.title !== undefined && { title: body.title }),
        ...(body.namespace !== undefined && { namespace: body.namespace }),
      }),
    ),
    on(sessions.endSession, ({ params }) => change(params.id, { status: 'ended' })),
    on(sessions.deleteSession, ({ params }) => {
      const entries = all(find(params.id).id).length;
      home.sessions = home.sessions.filter(({ id }) => id !== params.id);
      return { success: true as const, id: params.id, entries };
    }),
    on(sessions.listEntries, ({ params, query }) => {
      find(params.id);
      const seq = Math.max(0, ...all(params.id).map((one) => one.seq));
      const fitting = all(params.id).filter(
        (one) =>
          (!query.kinds || query.kinds.includes(one.kind)) && (!query.failed || one.tool?.failed === true),
      );
      const cut = (some: SessionEntry[]) =>
        query.text === 'whole' ? some : some.map((one) => ({ ...one, text: one.text.slice(0, TEXT) }));
      const { since, around, limit } = query;
      if (since !== undefined) {
        const came = fitting.filter((one) => one.seq > since).toSorted((a, b) => a.seq - b.seq);
        return { entries: cut(came.slice(0, limit)), total: fitting.length, before: null, after: null, seq };
      }
      let from = 0;
      if (query.after !== undefined) from = Number(query.after);
      else if (query.before !== undefined) from = Math.max(0, Number(query.before) - limit);
      else if (around !== undefined) {
        const at = fitting.findIndex(({ id }) => id === around);
        if (at === -1) throw new Refusal('entry_not_found', `No entry ${around} in this session`);
        from = Math.max(0, at - Math.min(20, Math.floor(limit / 2)));
      }
      const to = query.before === undefined ? from + limit : Number(query.before);
      return {
        entries: cut(fitting.slice(from, to)),
        total: fitting.length,
        before: from > 0 ? String(from) : null,
        after: to < fitting.length ? String(to) : null,
        seq,
      };
    }),
    on(sessions.addEntries, ({ params, body }) => {
      const list = all(find(params.id).id);
      const ids = body.entries.map((entry) => {
        const seq = Math.max(0, ...list.map((one) => one.seq)) + 1;
        const about = list.find(({ id }) => id === entry.reply_to);
        list.push({
          id: `e_${seq}`,
          seq,
          at: about?.at ?? new Date(BEGAN + seq * 1_000).toISOString(),
          order: about ? `${about.order}.${seq}` : String(seq).padStart(12, '0'),
          author: { id: 'p_me', name: 'Ada', agent: entry.agent ?? null },
          kind: entry.kind,
          text: entry.text,
          bytes: entry.text.length,
          tool: entry.tool
            ? { name: entry.tool.name, call: entry.tool.call ?? null, failed: entry.tool.failed ?? null }
            : null,
          files: entry.files ?? [],
          reply_to: entry.reply_to ?? null,
          child: null,
          redactions: 0,
          source: { format: 'api', item: `api-${seq}` },
        });
        return `e_${seq}`;
      });
      home.entries.set(params.id, list);
      return { success: true as const, ids, seq: Math.max(0, ...list.map((one) => one.seq)) };
    }),
    on(sessions.handOver, ({ params, query }) => {
      const session = find(params.id);
      const asked = all(params.id).filter(({ kind }) => kind === 'prompt');
      const lines = asked.map((one) => `- ${one.text.split('\n')[0]} [${one.id}]`);
      const markdown = `# ${session.title}\n\n## Asked\n\n${lines.join('\n')}`.slice(0, query.max_tokens * 4);
      return {
        id: session.id,
        title: session.title,
        markdown,
        tokens: Math.ceil(markdown.length / 4),
        left_out: all(params.id).length - asked.length,
        redactions: 0,
      };
    }),
    on(sessions.searchSessions, ({ query }) => {
      const hits = home.sessions
        .filter((one) => query.session === undefined || one.id === query.session)
        .filter((one) => query.agent === undefined || one.agent === query.agent)
        .flatMap((session) =>
          all(session.id).flatMap((entry) => {
            const at = entry.text.toLowerCase().indexOf(query.q.toLowerCase());
            if (at === -1) return [];
            const start = Math.max(0, at - 40);
            const text = entry.text.slice(start, start + 200);
            return [
              {
                session: {
                  id: session.id,
                  title: session.title,
                  agent: session.agent,
                  project: session.project,
                  namespace: session.namespace,
                },
                entry: entry.id,
                seq: entry.seq,
                at: entry.at,
                kind: entry.kind,
                passage: {
                  text,
                  start,
                  end: start + text.length,
                  marks: [[at, at + query.q.length] as [number, number]],
                },
                score: 0.9,
              },
            ];
          }),
        )
        .slice(0, query.limit);
      return { hits, count: hits.length };
    }),
  ];
}

function sharingOf(home: FakeHome) {
  const linked = () => {
    if (!home.isLinked) throw new Refusal('not_linked', 'This machine is not linked to a relay');
  };
  const preview = (): SharePreview => ({
    ...home.preview,
    token: `shown-${home.preview.entries}`,
    next: null,
  });
  const share = (id: string) => home.shares.get(id) ?? { from: 'start' as const, invites: [], waiting: 0 };
  return [
    on(sharing.previewSession, ({ query }) => ({
      ...preview(),
      sample: preview().sample.filter((one) => query.redacted === 'false' || one.redactions > 0),
    })),
    on(sharing.shareSession, ({ params, body }) => {
      linked();
      if (body.token !== preview().token) throw new Refusal('conflict', 'Something else was shown');
      const number = share(params.id).invites.length + 1;
      const invite = {
        id: `inv_${number}`,
        role: body.role,
        created_at: new Date(BEGAN).toISOString(),
        expires_at: new Date(BEGAN + body.expires_in * 1_000).toISOString(),
      };
      home.preview.approved = true;
      home.shares.set(params.id, {
        from: body.from,
        invites: [...share(params.id).invites, invite],
        waiting: 0,
      });
      return {
        invite: `https://relay.example/s/${params.id}#secret-${number}`,
        role: body.role,
        expires_at: invite.expires_at,
        preview: preview(),
      };
    }),
    on(sharing.getShare, ({ params }) => {
      linked();
      const { from, invites, waiting } = share(params.id);
      const isShared = home.shares.has(params.id);
      return { shared: isShared, ended: null, from: isShared ? from : null, invites, pending: 0, waiting };
    }),
    on(sharing.approveShare, ({ params, body }) => {
      linked();
      if (body.token !== preview().token) throw new Refusal('conflict', 'Something else was shown');
      home.preview.approved = true;
      home.shares.set(params.id, { ...share(params.id), waiting: 0 });
      return { success: true as const, id: params.id };
    }),
    on(sharing.unshareSession, ({ params }) => {
      home.shares.delete(params.id);
      return { success: true as const, id: params.id };
    }),
    on(sharing.revokeSessionInvite, ({ params }) => {
      const now = share(params.id);
      home.shares.set(params.id, { ...now, invites: now.invites.filter(({ id }) => id !== params.invite) });
      return { success: true as const, id: params.invite };
    }),
    on(sharing.removeParticipant, ({ params }) => {
      const session = home.sessions.find(({ id }) => id === params.id);
      if (!session) throw new Refusal('session_not_found');
      session.participants = session.participants.filter(({ id }) => id !== params.participant);
      return { success: true as const, id: params.participant, invites_ended: 0 };
    }),
    on(sharing.joinSession, ({ body }) => {
      linked();
      const session = home.sessions.find(({ id }) => body.invite.includes(id));
      if (!session) throw new Refusal('invite_invalid', 'The link is not valid, or it has expired');
      return session;
    }),
    on(sharing.sessionNotes, () => {
      linked();
      if (!home.notes) throw new Refusal('relay_unreachable', 'The relay does not answer');
      return home.notes;
    }),
  ];
}

function sourcesOf(home: FakeHome) {
  return [
    on(sources.listSources, () => ({ sources: home.sources })),
    on(sources.listFormats, () => home.formats),
    on(sources.setSource, ({ params, body }) => {
      const source = home.sources.find(({ agent }) => agent === params.agent);
      if (!source) throw new Refusal('conflict');
      source.enabled = body.enabled;
      source.enabled_at = body.enabled ? new Date(BEGAN).toISOString() : null;
      if (body.root !== undefined) source.root = body.root;
      source.state = body.enabled
        ? { kind: 'reading', done: Math.floor(source.bytes / 3), of: source.bytes }
        : { kind: 'off' };
      return source;
    }),
    on(addFolder, ({ body: { path, namespace, format = 'markdown', prune, sync } }) => {
      for (const place of home.sources.flatMap(({ memory }) => memory))
        if (place.follow?.path === path) place.followed = true;
      return {
        id: 'fld_1',
        path,
        namespace,
        format,
        prune,
        sync,
        memories: 0,
        issues: [],
        issues_total: 0,
        created_at: new Date(BEGAN).toISOString(),
        last_change_at: null,
        state: { kind: 'catching_up' as const, done: 0, of: 1 },
      };
    }),
  ];
}
