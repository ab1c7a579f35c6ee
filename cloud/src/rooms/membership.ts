import type { Role } from '@reverie/shared/protocol/messages';

/** Whether a role may add to the log, make snapshots, and begin an epoch. */
export function mayWrite(role: Role): boolean {
  return role !== 'viewer';
}

/** Whether a role may invite and remove members. */
export function mayManage(role: Role): boolean {
  return role === 'owner';
}

/** An invite as it stands. */
export interface Invite {
  room: string;
  role: Exclude<Role, 'owner'>;
  usesLeft: number;
  expiresAt: number;
}

/** What accepting an invite comes to for one who has a role in its room, or none. */
export type Accepted =
  { kind: 'joined'; role: Role } | { kind: 'member_already'; role: Role } | { kind: 'void' };

/** Makes somebody a member, or a viewer an editor. It never lowers a role, and an invite that changes nothing is not used up. */
export function acceptInvite(
  invite: Invite | undefined,
  { isRight, has, now }: { isRight: boolean; has: Role | undefined; now: number },
): Accepted {
  if (!invite || !isRight || invite.expiresAt <= now || invite.usesLeft < 1) return { kind: 'void' };
  const isMore = has === undefined || (has === 'viewer' && invite.role === 'editor');
  return isMore ? { kind: 'joined', role: invite.role } : { kind: 'member_already', role: has };
}
