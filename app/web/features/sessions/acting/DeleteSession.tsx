import { deleteSession } from '@reverie/shared/contract/sessions/sessions';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../platform/daemon/api.ts';
import { countOf } from '../../../platform/format.ts';
import { notify } from '../../../platform/notices.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import type { ActingProps } from './acting.ts';

/** Asks before our copy of a session is deleted, and says what of that is for good. */
export function DeleteSession({ session, onClose }: ActingProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call(deleteSession, { params: { id: session.id } }),
    onSuccess: async ({ entries }) => {
      onClose();
      await navigate({ to: '/sessions', search: {} });
      queries.removeQueries({ queryKey: ['sessions', 'one', session.id] });
      await queries.invalidateQueries({ queryKey: ['sessions', 'list'] });
      notify('good', `The session and its ${countOf(entries, 'entry', 'entries')} are deleted.`);
    },
  });
  return (
    <Confirm
      title="Delete this session for good?"
      act="Delete for good"
      doing={remove}
      failed="It was not deleted"
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{session.title}</strong> with {countOf(session.entries, 'entry', 'entries')} and
        all notes in it is deleted from Reverie. This cannot be undone.
      </p>
      <p>
        The agent’s own files stay, and are not read again.
        {session.shared &&
          ' Those with whom it is shared keep what they have read; stop sharing it first to end that.'}
      </p>
    </Confirm>
  );
}
