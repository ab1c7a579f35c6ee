import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import { countOf } from '../../platform/format.ts';
import { useStore } from '../../platform/store.ts';
import { Button } from '../../ui/Button.tsx';
import { Row, Rows, RowsHeading } from '../../ui/lists/Rows.tsx';
import { Time } from '../../ui/Time.tsx';
import { acks } from './acks.ts';
import css from './InboxView.module.css';
import { excerptOf, kindWords } from './reading.ts';
import type { Thread } from './threads.ts';

interface ListProps {
  threads: readonly Thread[];
  openId: string | undefined;
  onOpen: (id: string) => void;
  /** Whether messages of several namespaces stand together, so that each says of which it is. */
  isOfAll: boolean;
  more: (() => void) | undefined;
}

/** What others left, unread messages first. */
export function MessageList({ threads, more, ...list }: ListProps) {
  const unread = threads.filter(({ message }) => message.acked_at === null);
  const read = threads.filter(({ message }) => message.acked_at !== null);
  return (
    <>
      {unread.length > 0 && <Part heading="Unread" threads={unread} {...list} />}
      {read.length > 0 && <Part heading="Read" threads={read} {...list} />}
      {more && (
        <div className={css['more']}>
          <Button onClick={more}>Show more</Button>
        </div>
      )}
    </>
  );
}

interface PartProps extends Omit<ListProps, 'more'> {
  heading: string;
}

function Part({ heading, threads, openId, onOpen, isOfAll }: PartProps) {
  const waiting = useStore(acks.waiting);
  return (
    <>
      <RowsHeading>{heading}</RowsHeading>
      <Rows label={heading}>
        {threads.map(({ message, replies }) => (
          <Row
            key={message.id}
            name={agentTitle(message.from)}
            isNew={message.acked_at === null && !waiting.some(({ item }) => item.id === message.id)}
            badge={<span className={css['kind']}>{kindWords(message.kind)}</span>}
            excerpt={excerptOf(message.payload)}
            isOpen={message.id === openId}
            onOpen={() => onOpen(message.id)}
            more={
              <>
                {isOfAll && <bdi>{message.namespace} · </bdi>}
                <Time at={message.created_at} />
                {replies.length > 0 && ` · ${countOf(replies.length, 'reply', 'replies')}`}
              </>
            }
          />
        ))}
      </Rows>
    </>
  );
}
