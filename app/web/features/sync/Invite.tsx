import {
  type Invite as OpenInvite,
  revokeInvite,
  shareNamespace,
} from '@reverie/shared/contract/sync/sharing';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner, Snippet } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { invitesQuery } from './queries.ts';
import css from './SyncView.module.css';

/** Makes an invite to a namespace, and shows those that nobody has used yet. */
export function Invite({ namespace, onClose }: { namespace: string; onClose: () => void }) {
  const [role, setRole] = useState<'viewer' | 'editor'>('viewer');
  const [email, setEmail] = useState('');
  const [withHistory, setWithHistory] = useState(false);
  const invite = useMutation({
    mutationFn: () => {
      const address = email.trim();
      return call(shareNamespace, {
        body: {
          namespace,
          role,
          with_history: withHistory,
          ...(address !== '' && { email: address }),
        },
      });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <Dialog title={`Invite to ${namespace}`} onClose={onClose}>
      {invite.data ? (
        <>
          <p>
            {email.trim() === ''
              ? 'Give this link only to who is meant: whoever has it may join.'
              : `Only who has confirmed ${email.trim()} on the relay may join by this link.`}
          </p>
          <Snippet action={<CopyButton text={invite.data.invite} what="invite" />}>
            {invite.data.invite}
          </Snippet>
          <p className={css['soft']}>
            It ends <Time at={invite.data.expires_at} full />.
          </p>
          <DialogActions>
            <Button autoFocus onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <>
          <DialogForm onSubmit={submit}>
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
            <Field label="Only for this e-mail address" hint="Left empty, whoever has the link may join.">
              {(control) => (
                <input
                  {...control}
                  type="email"
                  autoComplete="off"
                  value={email}
                  onChange={(event) => setEmail(event.target.value)}
                />
              )}
            </Field>
            <label>
              <input
                type="checkbox"
                checked={withHistory}
                onChange={(event) => setWithHistory(event.target.checked)}
              />{' '}
              With its history
            </label>
            <p className={css['soft']}>
              {withHistory
                ? 'They also get what was overwritten, trashed or lost in a conflict before.'
                : 'They get what is in it now. What was overwritten, trashed or lost in a conflict before stays with you.'}
            </p>
            {invite.isError && <Banner tone="bad">No invite was made: {invite.error.message}</Banner>}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="strong" disabled={invite.isPending}>
                Make an invite
              </Button>
            </DialogActions>
          </DialogForm>
          <OpenInvites namespace={namespace} />
        </>
      )}
    </Dialog>
  );
}

/** The invites that still worked when the dialog was opened: one that is withdrawn stays in its place, so that nothing moves below a click. */
function OpenInvites({ namespace }: { namespace: string }) {
  const invites = useQuery(invitesQuery(namespace));
  if (invites.isLoadingError) return <p className={css['soft']}>Whether invites are open is not known.</p>;
  if (!invites.data) return <Unfetched of={invites} lines={1} />;
  if (invites.data.length === 0) return null;
  return (
    <section className={css['part']} aria-label="Open invites">
      <h3>Open invites</h3>
      <ul role="list" className={css['list']}>
        {invites.data.map((one) => (
          <OpenInviteRow key={one.id} invite={one} namespace={namespace} />
        ))}
      </ul>
    </section>
  );
}

function OpenInviteRow({ invite, namespace }: { invite: OpenInvite; namespace: string }) {
  const { id, email, role, uses_left, expires_at } = invite;
  const whom = email ?? 'Whoever has the link';
  const withdraw = useMutation({
    mutationFn: () => call(revokeInvite, { params: { id }, query: { namespace } }),
  });
  return (
    <>
      <li className={css['line']}>
        <bdi>{whom}</bdi>
        <Badge tone="plain">{role}</Badge>
        {uses_left > 1 && <Badge tone="plain">{`${uses_left} people`}</Badge>}
        <span className={css['soft']}>
          ends <Time at={expires_at} />
        </span>
        <Button
          disabled={withdraw.isPending || withdraw.isSuccess}
          onClick={() => withdraw.mutate()}
          aria-label={`Withdraw the invite for ${whom}`}
        >
          {withdraw.isSuccess ? 'Withdrawn' : 'Withdraw'}
        </Button>
      </li>
      {withdraw.isError && <Banner tone="bad">It was not withdrawn: {withdraw.error.message}</Banner>}
    </>
  );
}
