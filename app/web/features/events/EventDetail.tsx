import { plainWords } from '@reverie/shared/contract/events/memory-words';
import { whoIs, type Names } from '@reverie/shared/contract/events/actor-words';
import { useQuery } from '@tanstack/react-query';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Message } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { rowOf } from './event-row.ts';
import { Changes, Raw } from './Changes.tsx';
import css from './EventDetail.module.css';
import { OpenMemory } from './OpenMemory.tsx';
import { eventQuery } from './queries.ts';
import { lineOf } from './sentence.ts';

interface DetailProps {
  seq: number;
  names: Names;
  onClose: () => void;
}

/** One event: what happened, when, who did it, and what it changed. */
export function EventDetail({ seq, names, onClose }: DetailProps) {
  const fetched = useQuery(eventQuery(seq));
  const { data: event } = fetched;
  if (event) {
    const title = plainWords(lineOf(rowOf(event), names));
    const who = whoIs(event.actor, names, event.author);
    // The sentence names who did it; of a message it names who left it, with whatever key.
    const by = event.type !== 'channel.message' && !title.startsWith(who) && who;
    return (
      <Frame title={title} onClose={onClose}>
        <div className={css['parts']}>
          <OpenMemory event={event} />
          <Changes event={event} />
          <Facts
            rows={[
              ['When', <Time at={event.created_at} full />],
              ['Namespace', <bdi>{event.namespace}</bdi>],
              ['By', by],
            ]}
          />
          <Raw event={event} />
        </div>
      </Frame>
    );
  }
  return (
    <Frame title="Event" onClose={onClose}>
      {event === null && !fetched.isError ? (
        <Message icon="search" title="This event is not kept here">
          <p>Events are kept for 30 days unless set otherwise, and begin anew after a backup is put back.</p>
          <Button onClick={onClose}>Back to the list</Button>
        </Message>
      ) : (
        <Unfetched of={fetched} lines={6} />
      )}
    </Frame>
  );
}
