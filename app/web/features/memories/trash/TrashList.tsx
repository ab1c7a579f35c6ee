import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countOf, formatDay } from '../../../platform/format.ts';
import { useGo, usePlace } from '../../../platform/place.ts';
import { Trouble } from '../../../platform/Trouble.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Message, Skeleton } from '../../../ui/Message.tsx';
import { Row, Rows } from '../../../ui/lists/Rows.tsx';
import { SplitBody } from '../../../ui/lists/Split.tsx';
import lists from '../list/Lists.module.css';
import { anatomyOf } from '../../../ui/reading/anatomy.ts';
import { MemoryWords } from '../../../ui/reading/MemoryWords.tsx';
import { ForGood } from './ForGood.tsx';
import { SHOWN, trashId, trashQuery } from './queries.ts';
import css from './TrashList.module.css';

interface TrashProps {
  namespace: string;
  canWrite: boolean;
}

/** What was moved to the trash of a namespace, or of all; it can be read, brought back, or deleted for good. */
export default function TrashList({ namespace, canWrite }: TrashProps) {
  const { data, error, isError, refetch } = useQuery(trashQuery(namespace));
  const { key } = usePlace();
  const go = useGo();
  const [isEmptying, setEmptying] = useState(false);
  if (isError) return <Trouble error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  const days = countOf(data.days, 'day', 'days');
  if (data.total === 0)
    return (
      <SplitBody>
        <Message icon="trash" title="The trash is empty">
          <p>What you delete stays here for {days}, and can be brought back.</p>
        </Message>
      </SplitBody>
    );
  return (
    <>
      <p className={css['head']}>
        In the trash for {days}, then deleted for good.
        {data.total > SHOWN && ` The last ${SHOWN} of them are shown.`}
      </p>
      <SplitBody>
        <Rows label={namespace === EVERY_NAMESPACE ? 'Trash' : `Trash of ${namespace}`}>
          {data.memories.map((memory) => (
            <Row
              key={trashId(memory)}
              words={<MemoryWords of={anatomyOf(memory)} lines={2} />}
              more={
                <>
                  {namespace === EVERY_NAMESPACE && (
                    <>
                      <bdi>{memory.namespace}</bdi> ·{' '}
                    </>
                  )}
                  until {formatDay(memory.ends_at)}
                </>
              }
              isOpen={key === trashId(memory)}
              onOpen={() => go({ key: trashId(memory) }, { replace: key !== undefined })}
            />
          ))}
        </Rows>
      </SplitBody>
      <div className={lists['foot']}>
        <span role="status">{countOf(data.total, 'memory', 'memories')}</span>
        {canWrite && (
          <Button look="quiet" className={css['empty']} onClick={() => setEmptying(true)}>
            Empty the trash…
          </Button>
        )}
      </div>
      {isEmptying && (
        <ForGood namespace={namespace} what="all" total={data.total} onClose={() => setEmptying(false)} />
      )}
    </>
  );
}
