import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import * as rooms from '@reverie/shared/contract/relay/relay-rooms';
import type { Store } from '../../db/open-store.ts';
import { wasRefusedWith } from '../relay/relay-client.ts';
import { readInvite } from '../people/sharing.service.ts';
import { type RecordRooms, recordRoomName } from './record-rooms.ts';
import { findRecordRoom } from './records.store.ts';

export interface RelayRoomsDeps {
  store: Store;
  /** A client of the relay with this device's key. Throws `not_linked`. */
  client: () => Promise<Client>;
  records: RecordRooms;
}

/** What stands behind the secret of a link to a room of records: what it is about. */
const ABOUT = '~';

/** Rooms of records as the relay's HTTP interface has them: opened, invited to, joined and left. */
export function createRelayRooms({ store, client, records }: RelayRoomsDeps) {
  const known = (room: string) => store.read((db) => findRecordRoom(db, room));
  /** A refusal in words that fit a session. */
  const told = (cause: unknown): unknown => {
    if (wasRefusedWith(cause, 'forbidden_scope'))
      return new Problem('forbidden_role', 'Only the owner of the session may do this', { cause });
    return cause;
  };
  const asked = async <T>(run: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await run(await client());
    } catch (cause) {
      throw told(cause);
    }
  };
  return {
    /** The room about something, made where there is none. */
    async open(account: AccountId, about: string): Promise<string> {
      const name = recordRoomName(about);
      const room = await asked((call) => call(rooms.openRoom, { body: { name } }));
      if (!room.own) throw new Error('The relay opened a room of somebody else');
      if (!known(room.id))
        store.write((db) => records.join(db, { room: room.id, account, about, role: room.role }));
      return room.id;
    },
    async invite(room: string, about: string, wanted: { role: 'viewer' | 'editor'; expires_in: number }) {
      const made = await asked((call) =>
        call(rooms.createInvite, {
          params: { id: room },
          body: { role: wanted.role, expires_in: wanted.expires_in, uses: 20 },
        }),
      );
      return { invite: `${made.invite}${ABOUT}${about}`, expires_at: made.expires_at };
    },
    async invites(room: string) {
      return (await asked((call) => call(rooms.listInvites, { params: { id: room } }))).invites;
    },
    async revoke(room: string, invite: string): Promise<void> {
      try {
        await asked((call) => call(rooms.revokeInvite, { params: { id: room, invite } }));
      } catch (cause) {
        throw wasRefusedWith(cause, 'not_found', 'invalid_request')
          ? new Problem('invite_invalid', 'There is no such link, or it is void already', { cause })
          : cause;
      }
    },
    async members(room: string) {
      return (await asked((call) => call(rooms.listMembers, { params: { id: room } }))).members;
    },
    /** Takes a member out; answers how many open links became void with it. */
    async remove(room: string, member: string): Promise<number> {
      try {
        return (await asked((call) => call(rooms.removeMember, { params: { id: room, member } })))
          .invites_ended;
      } catch (cause) {
        throw wasRefusedWith(cause, 'not_found', 'invalid_request')
          ? new Problem('member_not_found', `There is no participant ${JSON.stringify(member)}`, { cause })
          : cause;
      }
    },
    /** Leaves a room on the relay; its owner deletes it with its log. */
    async leave(room: string): Promise<void> {
      try {
        await asked((call) => call(rooms.leaveRoom, { params: { id: room }, query: {} }));
      } catch (cause) {
        if (!wasRefusedWith(cause, 'not_found')) throw cause;
      }
    },
    /** Joins the room of a link; answers what it is about. */
    async accept(
      account: AccountId,
      link: string,
    ): Promise<{ room: string; about: string; role: rooms.RoomRole }> {
      const { id, secret: whole } = readInvite(link);
      const [secret = '', about = ''] = whole.split(ABOUT);
      if (!/^cs_[0-9a-z]{26}$/.test(about))
        throw new Problem(
          'invite_invalid',
          'This is not the whole link of a session; one of a namespace is taken by `reverie join`',
        );
      try {
        const room = await (
          await client()
        )(rooms.acceptInvite, {
          params: { invite: id },
          body: { secret, name: recordRoomName(about) },
        });
        if (!known(room.id))
          store.write((db) => records.join(db, { room: room.id, account, about, role: room.role }));
        return { room: room.id, about, role: room.role };
      } catch (cause) {
        const before = wasRefusedWith(cause, 'conflict') ? records.about(account, about) : undefined;
        if (before) return before;
        if (wasRefusedWith(cause, 'gone', 'not_found', 'invalid_request'))
          throw new Problem('invite_invalid', 'The link is used up, withdrawn, or too old', { cause });
        throw cause;
      }
    },
  };
}

export type RelayRooms = ReturnType<typeof createRelayRooms>;
