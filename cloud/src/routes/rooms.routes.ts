import * as rooms from '@reverie/shared/contract/relay/relay-rooms';
import type { Mount } from '@reverie/shared/http/mount';
import {
  changeMember,
  handedOverTo,
  handOver,
  hashOfEntry,
  invitesOf,
  leaveRoom,
  makeInvite,
  membersOf,
  openRoom,
  peopleOf,
  recoveredBeside,
  revokeInvite,
  roomsOf,
  type SharingDeps,
  useInvite,
} from '../sharing.service.ts';
import type { Caller } from './callers.ts';

export interface RoomRouteDeps extends SharingDeps {
  publicUrl: () => string;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Rooms, who is in them, and invites to them. */
export function roomRoutes(mount: Mount<Caller>, deps: RoomRouteDeps): void {
  const done = (id: string) => ({ success: true as const, id });

  mount(rooms.listRooms, async ({ caller }) => ({
    rooms: await roomsOf(deps, caller.account),
    recovered: await recoveredBeside(deps, caller.account),
    handed_over: await handedOverTo(deps, caller.account),
    people: await peopleOf(deps, caller.account),
  }));
  mount(rooms.openRoom, ({ body, caller }) => openRoom(deps, caller.account, body.name));
  mount(rooms.entryHash, ({ params, caller }) => hashOfEntry(deps, params, caller.account));
  mount(rooms.leaveRoom, async ({ params: { id }, query, caller }) => ({
    ...done(id),
    deleted: await leaveRoom(deps, { id, asMember: query.as === 'member' }, caller),
  }));
  mount(rooms.listMembers, async ({ params: { id }, caller }) => ({
    members: await membersOf(deps, id, caller.account),
  }));
  mount(rooms.setMember, async ({ params: { id, member }, body, caller }) => {
    const { invitesEnded } = await changeMember(
      deps,
      { room: id, by: caller.account, device: caller.device, member },
      body.role,
    );
    return { ...done(member), invites_ended: invitesEnded };
  });
  mount(rooms.removeMember, async ({ params: { id, member }, caller }) => {
    const { invitesEnded } = await changeMember(
      deps,
      { room: id, by: caller.account, device: caller.device, member },
      undefined,
    );
    return { ...done(member), invites_ended: invitesEnded };
  });
  mount(rooms.handOverRoom, async ({ params: { id }, body: { member, then }, caller }) => {
    const { invitesEnded } = await handOver(
      deps,
      { room: id, by: caller.account, device: caller.device, to: member },
      then,
    );
    return { ...done(member), invites_ended: invitesEnded };
  });

  mount(rooms.createInvite, async ({ params, body, caller }) => {
    const { id, secret, expiresAt } = await makeInvite(
      deps,
      { room: params.id, by: caller.account, device: caller.device },
      body,
    );
    const invite = `${deps.publicUrl()}/join/${id}#${secret}`;
    return { id, invite, role: body.role, expires_at: iso(expiresAt) };
  });
  mount(rooms.listInvites, async ({ params: { id }, caller }) => ({
    invites: await invitesOf(deps, id, caller.account),
  }));
  mount(rooms.revokeInvite, async ({ params: { id, invite }, caller }) => {
    await revokeInvite(deps, { room: id, by: caller.account, device: caller.device }, invite);
    return done(invite);
  });
  mount(rooms.acceptInvite, ({ params, body, caller }) => useInvite(deps, caller, { ...params, ...body }));
}
