import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AccountStore } from '../accounts/account-store.ts';
import { confirmSignup, hashToken } from '../accounts/signup.ts';
import { confirmEmail, confirmEmailByButton, type Confirmed } from '../contract/accounts/accounts.ts';
import { problems } from '../contract/problems.ts';
import type { Clock } from '../time/clock.ts';
import { createMount } from './mount.ts';
import { problemOf } from './problem-reply.ts';

/** What a person sees who opens the link of a mail, each a page of HTML. */
export interface ConfirmationPages {
  headers: Readonly<Record<string, string>>;
  /** Asks for one press of a button: programs that scan mail open links, and must not confirm anything. */
  ask: (token: string) => string;
  /** Asks for the token, where the address was opened without one; without this the problem is told. */
  askToken?: () => string;
  done: (confirmed: Confirmed) => string;
  /** In the words of the problem. */
  problem: (title: string, detail: string) => string;
}

/**
 * Headers of these pages: no script, no foreign content but the style named, the form to this server only. `same-origin`, for with
 * `no-referrer` a browser sends the form with `Origin: null`, which is refused as a stranger's.
 */
export function confirmationHeaders(style: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${style}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'same-origin',
  };
}

interface ConfirmationDeps {
  clock: Clock;
  store: AccountStore;
  pages: ConfirmationPages;
}

/** Mounts the confirmation of an e-mail address: for programs as JSON, for browsers as pages; `scope` is one of its own. */
export function mountConfirmation(scope: FastifyInstance, deps: ConfirmationDeps) {
  // Only here a form is read, and only here a failure may be a page.
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    ({ routeOptions }, body, done) =>
      routeOptions.config.route === confirmEmailByButton
        ? done(null, Object.fromEntries(new URLSearchParams(String(body))))
        : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
  );
  showPages(scope, deps);
  const mount = createMount(scope, {
    callerOf: ({ ip }: FastifyRequest) => ip,
    once: () => {
      throw new Error('Nothing here is idempotent');
    },
  });
  const confirm = (token: string) => confirmSignup({ store: deps.store, now: deps.clock.now() }, token);
  mount(confirmEmail, ({ query }) => confirm(query.token));
  mount(confirmEmailByButton, ({ body }) => confirm(body.token));
  return mount;
}

/** Whether a person waits for the answer: programs ask for JSON, or for anything. */
function isForPerson(request: FastifyRequest): boolean {
  const { route } = request.routeOptions.config;
  return route?.path === confirmEmail.path && /\btext\/html\b/.test(request.headers.accept ?? '');
}

/** For browsers: a page with a button in place of confirming by GET, and pages in place of JSON. */
function showPages(scope: FastifyInstance, { store, clock, pages }: ConfirmationDeps): void {
  const send = (reply: FastifyReply, text: string) => reply.headers(pages.headers).send(text);
  scope.addHook('preHandler', async (request, reply) => {
    // Nobody reads the answer of a HEAD, so nobody has meant to confirm by it.
    if (request.method === 'HEAD') return reply.send();
    if (request.method !== 'GET' || !isForPerson(request)) return;
    const { token } = request.query as { token?: unknown };
    if (typeof token !== 'string' || token === '') return pages.askToken && send(reply, pages.askToken());
    const found = await store.findByToken(hashToken(token));
    // What cannot be confirmed any more is told at once; confirming again changes nothing.
    if (!found || found.confirmedAt !== null || found.expiresAt <= clock.now()) return;
    return send(reply, pages.ask(token));
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (!isForPerson(request) || reply.statusCode !== 200 || !isJson) return payload;
    const text = pages.done(JSON.parse(String(payload)) as Confirmed);
    reply.headers({ ...pages.headers, 'Content-Length': Buffer.byteLength(text) });
    return text;
  });
  scope.setErrorHandler((error, request, reply) => {
    // Thrown on, it is answered as everywhere else.
    if (!isForPerson(request)) throw error;
    const { status, code, message, headers } = problemOf(error, request);
    return send(reply.status(status).headers(headers), pages.problem(problems[code].title, message));
  });
}
