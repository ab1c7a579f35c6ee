import { randomBytes } from 'node:crypto';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { type ConfirmationMail, confirmSignup, hashToken, signUp } from '@reverie/shared/accounts/signup';
import * as contract from '@reverie/shared/contract/accounts';
import { Problem, problems } from '@reverie/shared/contract/problems';
import { createMount } from '@reverie/shared/http/mount';
import { problemOf } from '@reverie/shared/http/problem-reply';
import { type AddressBuckets, rateLimited } from '@reverie/shared/http/rate-limit';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { newUlid } from '../../platform/ids.ts';
import { askPage, confirmPageHeaders, donePage, problemPage, tokenPage } from './confirm-page.ts';

export interface SignupDeps {
  clock: Clock;
  store: AccountStore;
  isOpen: boolean;
  /** Signups by address, 10 an hour. */
  signups: AddressBuckets;
  /** The address of this server for people, without `/v1`. */
  baseUrl: () => string;
  /** Writes the mail of a signup; it is sent afterwards. */
  mail: (mail: ConfirmationMail & { link: string }) => Promise<void>;
}

/** Signup and confirmation: the only routes that change something without a key. */
export async function signupRoutes(http: FastifyInstance, deps: SignupDeps): Promise<void> {
  const { clock, store } = deps;
  const confirmUrl = () => `${deps.baseUrl()}/v1${contract.confirmEmail.path}`;

  // In a scope of its own: only here a form is read, and only here a failure may be a page.
  await http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      ({ routeOptions }, body, done) =>
        routeOptions.config.route === contract.confirmEmailByButton
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

    mount(contract.botSignup, async ({ body, caller: address }) => {
      if (!deps.isOpen)
        throw new Problem(
          'signup_closed',
          'Nobody can sign up here: the owner turned it off (signup.enabled)',
        );
      const now = clock.now();
      const bucket = deps.signups.count(address, now);
      if (bucket.exceeded) throw rateLimited(bucket, now);
      const { reply, mail } = await signUp(
        { store, now, random: randomBytes, newId: newUlid },
        { email: body.email, confirmUrl: confirmUrl() },
      );
      await deps.mail({ ...mail, link: `${confirmUrl()}?token=${mail.token}` });
      return reply;
    });
    mount(contract.confirmEmail, ({ query }) => confirmSignup({ store, now: clock.now() }, query.token));
    mount(contract.confirmEmailByButton, ({ body }) =>
      confirmSignup({ store, now: clock.now() }, body.token),
    );
  });
}

/** Whether a person waits for the answer: programs ask for JSON, or for anything. */
function isForPerson(request: FastifyRequest): boolean {
  const { route } = request.routeOptions.config;
  const accepts = request.headers.accept ?? '';
  return route?.path === contract.confirmEmail.path && /\btext\/html\b/.test(accepts);
}

function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply.headers(confirmPageHeaders).send(text);
}

/** For browsers: a page with a button in place of confirming by GET, and pages in place of JSON. */
function showPages(scope: FastifyInstance, { store, clock }: SignupDeps): void {
  scope.addHook('preHandler', async (request, reply) => {
    // Nobody reads the answer of a HEAD, so nobody has meant to confirm by it.
    if (request.method === 'HEAD') return reply.send();
    if (request.method !== 'GET' || !isForPerson(request)) return;
    const { token } = request.query as { token?: unknown };
    if (typeof token !== 'string' || token === '') return sendPage(reply, tokenPage());
    const found = await store.findByToken(hashToken(token));
    // What cannot be confirmed any more is told at once; confirming again changes nothing.
    if (!found || found.confirmedAt !== null || found.expiresAt <= clock.now()) return;
    return sendPage(reply, askPage(token));
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (!isForPerson(request) || reply.statusCode !== 200 || !isJson) return payload;
    const text = donePage(JSON.parse(String(payload)) as contract.Confirmed);
    reply.headers({ ...confirmPageHeaders, 'Content-Length': Buffer.byteLength(text) });
    return text;
  });
  scope.setErrorHandler((error, request, reply) => {
    // Thrown on, it is answered as everywhere else.
    if (!isForPerson(request)) throw error;
    const { status, code, message, headers } = problemOf(error, request);
    return sendPage(reply.status(status).headers(headers), problemPage(problems[code].title, message));
  });
}
