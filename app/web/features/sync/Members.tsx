import {
  changeMember,
  handOverNamespace,
  type Member,
  removeMember,
} from '@reverie/shared/contract/sync/sharing';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { membersQuery } from './queries.ts';
import css from './SyncView.module.css';

/** Who is in a namespace; its owner says what each may do, and takes people out. */
export function Members({ namespace, canChange }: { namespace: string; canChange: boolean }) {
  const members = useQuery(membersQuery(namespace));
  const [changing, setChanging] = useState<Member>();
  const [removing, setRemoving] = useState<Member>();
  if (members.isLoadingError)
    return <p className={css['soft']}>Who is in it is not known: {members.error.message}.</p>;
  if (!members.data) return <Unfetched of={members} lines={2} />;
  return (
    <>
      <ul role="list" aria-label={`Members of ${namespace}`} className={css['list']}>
        {members.data.map((member) => (
          <li key={member.id} className={css['line']}>
            <bdi>{nameOf(member)}</bdi>
            <Badge tone="plain">{member.role}</Badge>
            {member.self && <Badge tone="accent">you</Badge>}
            <span className={css['actions']}>
              {canChange && !member.self && (
                <>
                  <Button onClick={() => setChanging(member)} aria-label={`Role of ${nameOf(member)}`}>
                    Role…
                  </Button>
                  <Button onClick={() => setRemoving(member)} aria-label={`Remove ${nameOf(member)}`}>
                    Remove…
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {changing && (
        <ChangeMember member={changing} namespace={namespace} onClose={() => setChanging(undefined)} />
      )}
      {removing && (
        <RemoveMember member={removing} namespace={namespace} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

/** What a member is called: their e-mail address. */
export const nameOf = ({ email, id }: Member): string => email ?? id;

/** What became of open invites, as the end of a notice. */
export const voided = (ended: number): string =>
  ended === 0 ? '' : ` ${countOf(ended, 'open invite', 'open invites')} stopped working.`;

interface MemberProps {
  member: Member;
  namespace: string;
  onClose: () => void;
}

/** Gives a member another role, also that of the owner. */
function ChangeMember({ member, namespace, onClose }: MemberProps) {
  const queries = useQueryClient();
  const [role, setRole] = useState(member.role);
  const change = useMutation({
    mutationFn: () =>
      role === 'owner'
        ? call(handOverNamespace, { body: { namespace, member: member.id } })
        : call(changeMember, { params: { id: member.id }, body: { namespace, role } }),
    onSuccess: async ({ invites_ended }) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify('good', `${nameOf(member)} is ${role} of ${namespace} now.${voided(invites_ended)}`);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Dialog title={`Role of ${nameOf(member)}`} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field label={`In ${namespace} they`} hint={hintOf(member.role, role)}>
          {(control) => (
            <select
              {...control}
              data-first
              value={role}
              onChange={({ target }) =>
                setRole(target.value === 'owner' || target.value === 'editor' ? target.value : 'viewer')
              }
            >
              <option value="viewer">read (viewer)</option>
              <option value="editor">read and write (editor)</option>
              <option value="owner">own it, in your place (owner)</option>
            </select>
          )}
        </Field>
        {change.isError && <Banner tone="bad">The role was not changed: {change.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={role === member.role || change.isPending}>
            {role === 'owner' ? 'Make owner' : 'Change'}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

/** What another role comes to. */
function hintOf(before: Member['role'], role: Member['role']): string {
  if (role === 'owner')
    return 'They decide who is in, and only they can give it back; you stay as an editor. It takes their space on the relay, and open invites stop working.';
  if (before === 'editor' && role === 'viewer')
    return 'At once, on all their devices. What they have not sent yet is kept there, and open invites for editors stop working.';
  return 'At once, on all their devices.';
}

/** Asks before a member is removed, for what nobody has used of the invites goes with them. */
function RemoveMember({ member, namespace, onClose }: MemberProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(removeMember, { params: { id: member.id }, query: { namespace } }),
    onSuccess: async ({ invites_ended }) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify('good', `${nameOf(member)} was removed from ${namespace}.${voided(invites_ended)}`);
      onClose();
    },
  });
  return (
    <Confirm
      title="Remove this member?"
      act="Remove member"
      keep="Keep them"
      doing={remove}
      failed="The member was not removed"
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{nameOf(member)}</strong> gets nothing more of <bdi>{namespace}</bdi> and changes
        nothing more in it; what they have already stays with them. Invites to it that are still open stop
        working, whoever they were for.
      </p>
    </Confirm>
  );
}
