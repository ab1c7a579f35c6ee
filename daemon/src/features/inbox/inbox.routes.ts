import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/events/inbox';
import type { Mount } from '@reverie/shared/http/mount';
import { authorOf } from '../../db/change.ts';
import { ackMessage, type InboxDeps, listMessages, sendMessage, unreadInboxes } from './inbox.service.ts';

export function inboxRoutes(mount: Mount<Caller>, deps: InboxDeps): void {
  mount(contract.sendMessage, ({ params, body, caller }) => {
    return { success: true as const, id: sendMessage(deps, authorOf(caller), { ...body, ...params }) };
  });
  mount(contract.listMessages, ({ params, query, caller }) => {
    const { account } = caller;
    const sought = { account, namespace: params.namespace, notFrom: query.not_from ?? null };
    const page = { onlyUnread: query.unread === 'true', cursor: query.cursor, limit: query.limit };
    const elsewhere = unreadInboxes(deps, caller, { here: params.namespace });
    return { namespace: params.namespace, ...listMessages(deps, sought, page), elsewhere };
  });
  mount(contract.ackMessage, ({ params, caller }) => {
    const place = { account: caller.account, namespace: params.namespace };
    const ackedAt = ackMessage(deps, place, params.id);
    return { success: true as const, id: params.id, acked_at: new Date(ackedAt).toISOString() };
  });
}
