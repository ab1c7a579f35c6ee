import { leaveNamespace, type Member } from '@reverie/shared/contract/sync/sharing';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { nameOf } from './Members.tsx';
import { membersQuery } from './queries.ts';

/** What an owner chose: it ends for all. No id of a member. */
const END = 'end';

interface LeaveProps {
  namespace: string;
  role: Member['role'];
  onClose: () => void;
}

/** Leaves a namespace; its owner says first what becomes of it. */
export function Leave({ namespace, role, onClose }: LeaveProps) {
  const queries = useQueryClient();
  const isOwner = role === 'owner';
  const [then, setThen] = useState('');
  const leave = useMutation({
    mutationFn: () => {
      const more = !isOwner ? {} : then === END ? { end: true as const } : { owner: then };
      return call(leaveNamespace, { body: { namespace, ...more } });
    },
    onSuccess: async ({ became }) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify(
        'good',
        became === 'ended'
          ? `${namespace} ended for all; its memories stay here.`
          : `You left ${namespace}; its memories stay here.`,
      );
      onClose();
    },
  });
  return (
    <Dialog title={`Leave ${namespace}?`} onClose={onClose}>
      <p>
        {then === END
          ? 'It ends for all members, and the relay deletes what it has. What everybody has stays with them.'
          : 'All your devices get nothing more of it, and change nothing more in it. Its memories stay here; only an invite brings you back.'}
      </p>
      {isOwner && <Successor namespace={namespace} then={then} onChange={setThen} />}
      {leave.isError && (
        <Banner tone="bad">
          {isOwner ? 'Nothing changed' : 'You are still in it'}: {leave.error.message}
        </Banner>
      )}
      <DialogActions>
        <Button data-first onClick={onClose}>
          Stay
        </Button>
        <Button
          look="danger"
          disabled={leave.isPending || (isOwner && then === '')}
          onClick={() => leave.mutate()}
        >
          {then === END ? 'End it for all' : 'Leave'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface SuccessorProps {
  namespace: string;
  /** The id of a member, `END`, or empty where nothing was chosen yet. */
  then: string;
  onChange: (then: string) => void;
}

/** Who owns a namespace after its owner left, or that it ends. */
function Successor({ namespace, then, onChange }: SuccessorProps) {
  const members = useQuery(membersQuery(namespace));
  if (!members.data) return <Unfetched of={members} lines={1} />;
  return (
    <Field label="You own it" hint={hintOf(then)}>
      {(control) => (
        <select {...control} value={then} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose what becomes of it</option>
          {members.data
            .filter(({ self }) => !self)
            .map((member) => (
              <option key={member.id} value={member.id}>{`Hand it to ${nameOf(member)}`}</option>
            ))}
          <option value={END}>End it for all</option>
        </select>
      )}
    </Field>
  );
}

function hintOf(then: string): string | undefined {
  if (then === '' || then === END) return undefined;
  return 'They decide who is in then, it takes their space on the relay, and open invites stop working.';
}
