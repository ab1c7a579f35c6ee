import { getMemory } from '@reverie/shared/contract/memories';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../platform/api.ts';
import { notify } from '../../platform/notices.ts';
import { queryClient } from '../../platform/query-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { refresh } from '../memories/queries.ts';
import { trashing } from '../memories/trash/trash.ts';
import { keepThought, type Kept } from './adding.ts';
import css from './QuickAdd.module.css';

/** A field to write at once: Enter keeps it in the namespace, and what was kept can be taken back or opened. */
export function QuickAdd({ namespace }: { namespace: string }) {
  const [text, setText] = useState('');
  const [kept, setKept] = useState<Kept>();
  const keep = useMutation({
    mutationFn: (value: string) => keepThought(call, { namespace, value }),
    onSuccess: (stored) => {
      setText('');
      setKept(stored);
      void refresh(queryClient, [stored.namespace]);
    },
    onError: (error) => notify('bad', `It was not kept: ${error.message}`),
  });
  const send = () => {
    if (text.trim() !== '' && !keep.isPending) keep.mutate(text.trim());
  };
  const takeBack = (stored: Kept) => {
    setKept(undefined);
    call(getMemory, { body: stored })
      .then((memory) => trashing.move([memory]))
      .catch((error: unknown) =>
        notify('bad', `It was not taken back: ${error instanceof Error ? error.message : String(error)}`),
      );
  };
  return (
    <form
      className={css['add']}
      aria-label="Write down a thought"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={css['line']}>
        <Icon name="plus" />
        <textarea
          className={css['text']}
          aria-label="A thought"
          dir="auto"
          rows={1}
          placeholder="Write down a thought …"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setKept(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <span className={css['where']}>{namespace}</span>
        <Button type="submit" look={text.trim() === '' ? 'quiet' : 'strong'} disabled={keep.isPending}>
          Keep
        </Button>
      </div>
      <p className={css['kept']} role="status">
        {kept && (
          <>
            Kept in {kept.namespace} as{' '}
            <Link to="/memories" search={{ namespace: kept.namespace, key: kept.key }}>
              {kept.key}
            </Link>
            <Button look="quiet" onClick={() => takeBack(kept)}>
              Take back
            </Button>
          </>
        )}
      </p>
    </form>
  );
}
