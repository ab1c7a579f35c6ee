import { randomBytes } from 'node:crypto';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { type ConfirmationMail, signUp } from '@reverie/shared/accounts/signup';
import * as contract from '@reverie/shared/contract/accounts/accounts';
import { Problem } from '@reverie/shared/contract/problems';
import { mountConfirmation } from '@reverie/shared/http/confirmation';
import { type AddressBuckets, rateLimited } from '@reverie/shared/http/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { newUlid } from '../../../platform/ids.ts';
import { confirmationPages } from './confirm-page.ts';

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

  await http.register(async (scope) => {
    const mount = mountConfirmation(scope, { clock, store, pages: confirmationPages });

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
  });
}
