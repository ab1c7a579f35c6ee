import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/accounts/keys';
import { Problem } from '@reverie/shared/contract/problems';
import type { Mount } from '@reverie/shared/http/mount';
import { createNamedKey, currentKey, type KeysDeps, listKeys, revokeKey, rotateKey } from './keys.service.ts';
import { endPageSession, openPageSession, type Tickets } from './page-sessions.service.ts';

const DAY = 86_400_000;

export function keyRoutes(mount: Mount<Caller>, deps: KeysDeps, tickets: Tickets): void {
  mount(contract.createKey, ({ body, caller }) =>
    createNamedKey(deps, caller.account, {
      name: body.name,
      scope: body.scope,
      namespaces: body.namespaces,
      can: body.can,
      purpose: 'made',
      expires_at: body.expires_in_days === undefined ? null : deps.clock.now() + body.expires_in_days * DAY,
    }),
  );
  mount(contract.listKeys, ({ caller }) => ({ keys: listKeys(deps, caller.account) }));
  mount(contract.currentKey, ({ caller }) => ({ ...currentKey(deps, caller), account: caller.publicId }));
  mount(contract.revokeKey, ({ params, caller }) => {
    revokeKey(deps, caller.account, params.id);
    return { success: true as const, id: params.id };
  });
  mount(contract.rotateKey, ({ params, body, caller }) =>
    rotateKey(deps, caller.account, { id: params.id, immediate: body.immediate }),
  );
  mount(contract.createTicket, ({ caller }) => {
    const { ticket, expires_at } = tickets.issue(caller.account);
    return { ticket, expires_at: new Date(expires_at).toISOString() };
  });
  mount(contract.redeemTicket, ({ body }) => {
    const account = tickets.redeem(body.ticket);
    if (account === undefined)
      throw new Problem('gone', 'The ticket is used or older than 60 seconds: run `reverie open` again');
    return openPageSession(deps, account);
  });
  mount(contract.endSession, ({ caller }) => {
    endPageSession(deps, caller);
    return { success: true as const };
  });
}
