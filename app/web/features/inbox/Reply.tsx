import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import { sendMessage, type InboxMessage } from '@reverie/shared/contract/events/inbox';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { queryClient } from '../../platform/queries/query-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import css from './InboxView.module.css';
import { PERSON } from './threads.ts';

interface ReplyProps {
  to: InboxMessage;
  onClose: () => void;
  /** It is sent; who answers has read the message. */
  onSent: () => void;
}

/** An answer to a message: it is left in the same inbox, where its sender finds it. */
export function Reply({ to, onClose, onSent }: ReplyProps) {
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () =>
      call(sendMessage, {
        params: { namespace: to.namespace },
        body: { from: PERSON, kind: 'reply', payload: { text: text.trim() }, in_reply_to: to.id },
      }),
    onSuccess: async () => {
      onSent();
      await queryClient.invalidateQueries({ queryKey: ['inbox', to.namespace] });
    },
    onError: (error) => notify('bad', `The reply was not sent: ${error.message}`),
  });
  const isReady = text.trim() !== '' && !send.isPending;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) send.mutate();
  };
  return (
    <form className={css['reply']} onSubmit={submit}>
      <Field label={`Reply to ${agentTitle(to.from)}`}>
        {(control) => (
          <textarea
            {...control}
            autoFocus
            dir="auto"
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') onClose();
              else if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isReady) return;
              else send.mutate();
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        )}
      </Field>
      <div className={css['actions']}>
        <Button type="submit" look="strong" icon="send" disabled={!isReady}>
          Send <kbd>Ctrl Enter</kbd>
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
