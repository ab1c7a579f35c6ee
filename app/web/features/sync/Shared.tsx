import { type SyncStatus } from '@reverie/shared/contract/sync/sync';
import { joinNamespace, type Member } from '@reverie/shared/contract/sync/sharing';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { Banner } from '../../ui/Message.tsx';
import { Staying, SyncSwitch } from './Choice.tsx';
import { Invite } from './Invite.tsx';
import { Leave } from './Leave.tsx';
import { Members } from './Members.tsx';
import css from './SyncView.module.css';

/** The namespaces that are synced: with whom each is shared, in which role, and inviting, joining and leaving. */
export function Shared({ status, isOwner }: { status: SyncStatus; isOwner: boolean }) {
  const [inviting, setInviting] = useState<string>();
  const [leaving, setLeaving] = useState<{ namespace: string; role: Member['role'] }>();
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
                    {shared && <Button onClick={() => setLeaving({ namespace, role })}>Leave…</Button>}
                    <SyncSwitch status={status} namespace={namespace} />
                  </>
                )
              }
            >
              {shared && <Members namespace={namespace} canChange={isOwner && role === 'owner'} />}
            </Item>
          ))}
        </Items>
      )}
      <Staying status={status} isOwner={isOwner} />
      {inviting !== undefined && <Invite namespace={inviting} onClose={() => setInviting(undefined)} />}
      {leaving && <Leave {...leaving} onClose={() => setLeaving(undefined)} />}
      {joining && <Join lost={status.lost} onClose={() => setJoining(false)} />}
    </section>
  );
}

function Join({ lost, onClose }: { lost: SyncStatus['lost']; onClose: () => void }) {
  const queries = useQueryClient();
  const [invite, setInvite] = useState('');
  const [name, setName] = useState('');
  const join = useMutation({
    mutationFn: () => call(joinNamespace, { body: { invite, ...(name !== '' && { namespace: name }) } }),
    onSuccess: async ({ namespace }) => {
      await queries.invalidateQueries();
      const isApart = namespace !== name && lost.some((one) => one.namespace === name);
      const apart = isApart ? ` It is another one than ${name}, which stays here, apart from it.` : '';
      notify('good', `You joined ${namespace}; its memories come in now.${apart}`);
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
        <Field label="Name here" hint="Left empty, it is called “shared”.">
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
