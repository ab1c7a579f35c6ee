import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { confirmEmail } from '@reverie/shared/contract/accounts/accounts';
import { Problem } from '@reverie/shared/contract/problems';
import * as contract from '@reverie/shared/contract/relay/relay';
import { mountConfirmation } from '@reverie/shared/http/confirmation';
import { type AddressBuckets, rateLimited } from '@reverie/shared/http/rate-limit';
import type { FastifyInstance } from 'fastify';
import { askForAnswer, claimCode, linkByEmail } from '../accounts/linking.service.ts';
import { confirmationMail, type MailOutbox, recoveredMail } from '../accounts/mail.ts';
import { askRecovery, recover } from '../accounts/recovery.service.ts';
import type { RefusedCallers } from '../audit/refused-callers.ts';
import type { Clock } from '@reverie/shared/time/clock';
import type { Records } from '../db/records.ts';
import { confirmationPages } from './confirm-page.ts';

export interface LinkingRouteDeps {
  records: Records;
  clock: Clock;
  store: AccountStore;
  outbox: MailOutbox;
  world: LinkingWorld;
}

export interface LinkingWorld {
  isOpen: boolean;
  /** Where people reach the relay. */
  publicUrl: () => string;
  refused: Pick<RefusedCallers, 'note'>;
  /** Links, tries of codes and confirmations by address. */
  tries: AddressBuckets;
  /** Who asks for codes of accounts whose devices are lost, by address. */
  recoveries: AddressBuckets;
  /** The rooms, members or devices of an account changed. */
  tell: (account: string) => void;
  /** A device was removed: its connections are closed. */
  revoke: (device: string) => void;
}

/** What is served without a key: linking, pairing and the confirmation of an e-mail address. */
export async function linkingRoutes(http: FastifyInstance, deps: LinkingRouteDeps): Promise<void> {
  const { records, clock, store, outbox, world } = deps;
  const confirmUrl = () => `${world.publicUrl()}/v1${confirmEmail.path}`;

  await http.register(async (scope) => {
    const mount = mountConfirmation(scope, { clock, store, pages: confirmationPages });
    const count = (address: string, buckets = world.tries) => {
      const bucket = buckets.count(address, clock.now());
      if (bucket.exceeded) throw rateLimited(bucket, clock.now());
    };

    mount(contract.linkByEmail, async ({ body, caller: address }) => {
      count(address);
      if (!world.isOpen) throw new Problem('signup_closed', 'Nobody can sign up on this relay');
      const { reply, asked } = await linkByEmail(
        {
          records,
          store,
          now: clock.now(),
          confirmUrl: confirmUrl(),
          mail: (mail) => outbox.add(confirmationMail(mail)),
        },
        body,
      );
      if (asked !== undefined) world.tell(asked);
      return reply;
    });
    mount(contract.awaitApproval, async ({ params, body }) => {
      const reply = await askForAnswer({ records, now: clock.now() }, { ...params, ...body });
      if (reply.status === 'linked') world.tell(reply.account);
      return reply;
    });
    mount(contract.claimPairingCode, async ({ body, caller: address }) => {
      count(address);
      const reply = await claimCode({ records, now: clock.now() }, body).catch((cause: unknown) => {
        if (cause instanceof Problem) world.refused.note('pairing.failed', address);
        throw cause;
      });
      world.tell(reply.account);
      return reply;
    });
    mount(contract.askRecovery, ({ body, caller: address }) => {
      count(address);
      count(address, world.recoveries);
      return askRecovery({ records, now: clock.now(), send: outbox.add }, body);
    });
    mount(contract.claimRecovery, async ({ body, caller: address }) => {
      count(address);
      const now = clock.now();
      const { linked, removed, fellows, name } = await recover({ records, now }, body);
      for (const device of removed) world.revoke(device);
      for (const account of [linked.account, ...fellows]) world.tell(account);
      // Its key is answered this once: a mail that cannot be kept must not take it away.
      await outbox
        .add(recoveredMail({ email: body.email, name, at: now }))
        .catch((err: unknown) => scope.log.error({ err }, 'the mail about a recovery could not be kept'));
      return linked;
    });
  });
}
