import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import * as contract from '@reverie/shared/contract/sessions/session-sharing';
import type { Mount } from '@reverie/shared/http/mount';
import {
  approve,
  join,
  preview,
  removeParticipant,
  revokeInvite,
  share,
  type SharingDeps,
  shareState,
  unshare,
} from './sharing.service.ts';

export function sessionSharingRoutes(mount: Mount<Caller>, deps: SharingDeps): void {
  const own = (caller: Caller): Caller => {
    if (!deps.world.isMachine(caller.account))
      throw new Problem(
        'forbidden_scope',
        "Only the sessions of this machine's own account are shared, for its link to the relay is",
      );
    return caller;
  };
  const done = { success: true as const };
  mount(contract.previewSession, ({ params, query, caller }) =>
    preview(deps, own(caller), { ...params, ...query }),
  );
  mount(contract.shareSession, ({ params, body, caller }) =>
    share(deps, own(caller), { ...params, ...body }),
  );
  mount(contract.getShare, ({ params, caller }) => shareState(deps, own(caller), params.id));
  mount(contract.approveShare, async ({ params, body, caller }) => {
    await approve(deps, own(caller), { ...params, ...body });
    return { ...done, id: params.id };
  });
  mount(contract.unshareSession, async ({ params, caller }) => {
    await unshare(deps, own(caller), params.id);
    return { ...done, id: params.id };
  });
  mount(contract.revokeSessionInvite, async ({ params, caller }) => {
    await revokeInvite(deps, own(caller), params);
    return { ...done, id: params.invite };
  });
  mount(contract.removeParticipant, async ({ params, caller }) => {
    const invites_ended = await removeParticipant(deps, own(caller), params);
    return { ...done, id: params.participant, invites_ended };
  });
  mount(contract.joinSession, ({ body, caller }) => join(deps, own(caller), body));
}
