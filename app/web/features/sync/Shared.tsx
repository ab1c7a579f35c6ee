import { type SyncStatus } from '@reverie/shared/contract/sync';
import { joinNamespace, removeMember, shareNamespace, type Member } from '@reverie/shared/contract/sharing';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/api.ts';
import { Unfetched } from '../../platform/Fetched.tsx';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Item, Items } from '../../ui/Items.tsx';
import { Banner, Snippet } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { Staying, SyncSwitch } from './Choice.tsx';
import { membersQuery } from './queries.ts';
import css from './SyncView.module.css';

/** The namespaces that are synced: with whom each is shared, in which role, and inviting and joining. */
export function Shared({ status, isOwner }: { status: SyncStatus; isOwner: boolean }) {
  const [inviting, setInviting] = useState<string>();
  const [joining, setJoining] = useState(false);
  return (
    <section aria-label="Namespaces" className={css['part']}>
      <div className={css['line']}>
        <h2>Namespaces</h2>
        {isOwner && <Button onClick={() => setJoining(true)}>Join one…</Button>}
      </div>
      {status.namespaces.length === 0 ? (
        <p className={css['soft']}>None is synced yet.</p>
      ) : (
        <Items label="Synced namespaces">
          {status.namespaces.map(({ namespace, role, shared }) => (
            <Item
              key={namespace}
              name={namespace}
              badges={
                <>
                  <Badge tone={role === 'owner' ? 'accent' : 'plain'}>{role}</Badge>
                  {shared && <Badge tone="violet">shared</Badge>}
                </>
              }
              actions={
                isOwner && (
                  <>
                    {role === 'owner' && <Button onClick={() => setInviting(namespace)}>Invite…</Button>}
                    <SyncSwitch status={status} namespace={namespace} />
                  </>
                )
              }
            >
              {shared && <Members namespace={namespace} canRemove={isOwner && role === 'owner'} />}
            </Item>
          ))}
        </Items>
      )}
      <Staying status={status} isOwner={isOwner} />
      {inviting !== undefined && <Invite namespace={inviting} onClose={() => setInviting(undefined)} />}
      {joining && <Join onClose={() => setJoining(false)} />}
    </section>
  );
}

function Members({ namespace, canRemove }: { namespace: string; canRemove: boolean }) {
  const members = useQuery(membersQuery(namespace));
  const [removing, setRemoving] = useState<Member>();
  if (!members.data) return <Unfetched of={members} lines={2} />;
  return (
    <>
      <ul role="list" aria-label={`Members of ${namespace}`}>
        {members.data.map((member) => (
          <li key={member.id} className={css['line']}>
            <bdi>{member.email ?? member.id}</bdi>
            <Badge tone="plain">{member.role}</Badge>
            {member.self && <Badge tone="accent">you</Badge>}
            <span>
              {canRemove && !member.self && <Button onClick={() => setRemoving(member)}>Remove…</Button>}
            </span>
          </li>
        ))}
      </ul>
      {removing && (
        <RemoveMember member={removing} namespace={namespace} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

interface RemoveProps {
  member: Member;
  namespace: string;
  onClose: () => void;
}

/** Asks before a member is removed, for what nobody has used of the invites goes with them. */
function RemoveMember({ member, namespace, onClose }: RemoveProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(removeMember, { params: { id: member.id }, query: { namespace } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      onClose();
    },
  });
  return (
    <Confirm
      title="Remove this member?"
      act="Remove member"
      doing={remove}
      failed="The member was not removed"
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{member.email ?? member.id}</strong> gets nothing more of <bdi>{namespace}</bdi>{' '}
        and changes nothing more in it; what they have already stays with them. Invites to it that are still
        open stop working, whoever they were for.
      </p>
    </Confirm>
  );
}

function Invite({ namespace, onClose }: { namespace: string; onClose: () => void }) {
  const [role, setRole] = useState<'viewer' | 'editor'>('viewer');
  const invite = useMutation({ mutationFn: () => call(shareNamespace, { body: { namespace, role } }) });
  return (
    <Dialog title={`Invite to ${namespace}`} onClose={onClose}>
      {invite.data ? (
        <>
          <p>Give this link only to who is meant: whoever has it may join.</p>
          <Snippet action={<CopyButton text={invite.data.invite} what="invite" />}>
            {invite.data.invite}
          </Snippet>
          <p className={css['soft']}>
            It ends <Time at={invite.data.expires_at} full />.
          </p>
        </>
      ) : (
        <>
          <Field label="They may">
            {(control) => (
              <select
                {...control}
                data-first
                value={role}
                onChange={(event) => setRole(event.target.value === 'editor' ? 'editor' : 'viewer')}
              >
                <option value="viewer">read</option>
                <option value="editor">read and write</option>
              </select>
            )}
          </Field>
          {invite.isError && <Banner tone="bad">No invite was made: {invite.error.message}</Banner>}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="strong" disabled={invite.isPending} onClick={() => invite.mutate()}>
              Make an invite
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

function Join({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [invite, setInvite] = useState('');
  const [name, setName] = useState('');
  const join = useMutation({
    mutationFn: () => call(joinNamespace, { body: { invite, ...(name !== '' && { namespace: name }) } }),
    onSuccess: async ({ namespace }) => {
      await queries.invalidateQueries();
      notify('good', `You are a member of ${namespace}; its memories come in now.`);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    join.mutate();
  };
  return (
    <Dialog title="Join a namespace" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field label="Invite">
          {(control) => (
            <input
              {...control}
              data-first
              required
              autoComplete="off"
              spellCheck={false}
              value={invite}
              onChange={(event) => setInvite(event.target.value)}
            />
          )}
        </Field>
        <Field label="Name here" hint="Left empty, it keeps its name.">
          {(control) => (
            <input
              {...control}
              dir="auto"
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {join.isError && <Banner tone="bad">You did not join: {join.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={invite.trim() === '' || join.isPending}>
            Join
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
