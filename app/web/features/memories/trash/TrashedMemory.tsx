import { restoreTrash } from '@reverie/shared/contract/memories/trash';
import { ApiError } from '@reverie/shared/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { formatDay } from '../../../platform/format.ts';
import { notify } from '../../../platform/notices.ts';
import { useGo } from '../../../platform/place.ts';
import { Button } from '../../../ui/Button.tsx';
import { Frame } from '../../../ui/Frame.tsx';
import { Message, Skeleton } from '../../../ui/Message.tsx';
import { nameOf } from '../address.ts';
import { refresh } from '../queries.ts';
import { Crumb } from '../reading/Crumb.tsx';
import heading from '../reading/Heading.module.css';
import detail from '../reading/MemoryDetail.module.css';
import { ValueText } from '../reading/ValueText.tsx';
import { ForGood } from './ForGood.tsx';
import { READ, trashId, trashQuery } from './queries.ts';
import css from './TrashList.module.css';

interface TrashedProps {
  namespace: string;
  known: readonly string[];
  id: string;
  canWrite: boolean;
  onClose: () => void;
}

/** What one of the trash said, and the two ways from here: back, or away for good. */
export default function TrashedMemory({ namespace, known, id, canWrite, onClose }: TrashedProps) {
  const { data } = useQuery(trashQuery(namespace));
  const queries = useQueryClient();
  const go = useGo();
  const [isLeaving, setLeaving] = useState(false);
  const memory = data?.memories.find((one) => trashId(one) === id);
  const restore = useMutation({
    mutationFn: async () => {
      if (!memory) return;
      const { key, trashed_at } = memory;
      await call(restoreTrash, { body: { items: [{ namespace: memory.namespace, key, trashed_at }] } });
    },
    onSuccess: () => {
      if (memory) notify('good', `“${nameOf(memory)}” is back, as it was.`);
      go({ key: undefined }, { replace: true });
    },
    onError: (error) => notify('bad', whyNot(error)),
    onSettled: () => refresh(queries, memory ? [memory.namespace, namespace] : []),
  });
  if (!data) return <Skeleton lines={8} />;
  if (!memory)
    return (
      <Message icon="trash" title="This is no longer in the trash">
        <Button onClick={onClose}>Back to the trash</Button>
      </Message>
    );
  return (
    <Frame title={nameOf(memory)} crumb={<Crumb at={memory} />} onClose={onClose}>
      <div className={detail['measure']}>
        <h2 className={heading['title']} dir="auto">
          {memory.title === '' ? memory.key : memory.title}
        </h2>
        <div className={css['bar']}>
          <p>In the trash until {formatDay(memory.ends_at)}, then deleted for good.</p>
          {canWrite && (
            <span className={css['choice']}>
              <Button disabled={restore.isPending} onClick={() => restore.mutate()}>
                Bring back
              </Button>
              <Button look="quiet" className={css['empty']} onClick={() => setLeaving(true)}>
                Delete for good…
              </Button>
            </span>
          )}
        </div>
        <section aria-label="Text" className={detail['text']}>
          <ValueText memory={memory} known={known} />
        </section>
        {memory.truncated && (
          <p className={css['more']}>These are the first {READ} characters; all of it comes back.</p>
        )}
      </div>
      {isLeaving && (
        <ForGood namespace={namespace} what={memory} total={1} onClose={() => setLeaving(false)} />
      )}
    </Frame>
  );
}

function whyNot(error: Error): string {
  if (error instanceof ApiError && error.code === 'conflict')
    return 'It was not brought back: another memory has its key by now. Rename that one first.';
  return `It was not brought back: ${error.message}.`;
}
