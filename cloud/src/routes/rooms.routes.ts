import { Problem } from '@reverie/shared/contract/problems';
import * as rooms from '@reverie/shared/contract/relay-rooms';
import type { Mount } from '@reverie/shared/http/mount';
import { deleteInvite, listInviteRows, listMemberRows, listRoomRows } from '../rooms/rooms.store.ts';
import {
  changeMember,
  leaveRoom,
  makeInvite,
  managed,
  openRoom,
  roomOf,
  type SharingDeps,
  showRoom,
  useInvite,
} from '../sharing.service.ts';
import type { Caller } from './callers.ts';

export interface RoomRouteDeps extends SharingDeps {
  publicUrl: () => string;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Rooms, who is in them, and invites to them. */
export function roomRoutes(mount: Mount<Caller>, deps: RoomRouteDeps): void {
  const { records } = deps;
  const done = (id: string) => ({ success: true as const, id });

  mount(rooms.listRooms, async ({ caller }) => {
    const rows = await records.read(() => listRoomRows(caller.account));
    return { rooms: await Promise.all(rows.map((row) => showRoom(deps, row, caller.account))) };
  });
  mount(rooms.openRoom, ({ body, caller }) => openRoom(deps, caller.account, body.name));
  mount(rooms.leaveRoom, async ({ params: { id }, caller }) => ({
    ...done(id),
    deleted: await leaveRoom(deps, id, caller.account),
  }));
  mount(rooms.listMembers, async ({ params: { id }, caller }) => {
    const members = await records.read(function* () {
      yield* roomOf(id, caller.account);
      return yield* listMemberRows(id);
    });
    return {
      members: members.map(({ account, email, role, joined_at }) => ({
        id: account,
        email,
        role,
        joined_at: iso(joined_at),
        you: account === caller.account,
      })),
    };
  });
  mount(rooms.setMember, async ({ params: { id, member }, body, caller }) => {
    await changeMember(deps, { room: id, by: caller.account, member }, body.role);
    return done(member);
  });
  mount(rooms.removeMember, async ({ params: { id, member }, caller }) => {
    await changeMember(deps, { room: id, by: caller.account, member }, undefined);
    return done(member);
  });

  mount(rooms.createInvite, async ({ params, body, caller }) => {
    const { id, secret, expiresAt } = await makeInvite(deps, { room: params.id, by: caller.account }, body);
    const invite = `${deps.publicUrl()}/join/${id}#${secret}`;
    return { id, invite, role: body.role, expires_at: iso(expiresAt) };
  });
  mount(rooms.listInvites, async ({ params: { id }, caller }) => {
    const invites = await records.read(function* () {
      yield* managed(id, caller.account);
      return yield* listInviteRows(id, deps.now());
    });
    return {
      invites: invites.map((invite) => ({
        id: invite.id,
        role: invite.role,
        uses_left: invite.uses_left,
        created_at: iso(invite.created_at),
        expires_at: iso(invite.expires_at),
      })),
    };
  });
  mount(rooms.revokeInvite, async ({ params: { id, invite }, caller }) => {
    const isDeleted = await records.write(function* () {
      yield* managed(id, caller.account);
      return yield* deleteInvite(invite, id);
    });
    if (!isDeleted) throw new Problem('not_found', `There is no invite ${invite}`);
    return done(invite);
  });
  mount(rooms.acceptInvite, ({ params, body, caller }) =>
    useInvite(deps, caller.account, { ...params, ...body }),
  );
}
