import type { Names } from '@reverie/shared/contract/events/actor-words';
import { useRef, type Ref } from 'react';
import { useGo } from '../../platform/place.ts';
import { useStore } from '../../platform/store.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { Button } from '../../ui/Button.tsx';
import { LIST_ROW } from '../../ui/lists/ListRow.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import { SplitBody } from '../../ui/lists/Split.tsx';
import { VirtualList, type ListHandle } from '../../ui/lists/VirtualList.tsx';
import type { EventLog } from './event-log.ts';
import css from './EventsView.module.css';
import type { EventGroup } from './grouping.ts';
import { GroupRow } from './GroupRow.tsx';
import type { Grouped } from './use-groups.ts';

/** Rows before the end of the list at which older ones are fetched. */
const AHEAD = 20;
/** Pages that are fetched without anybody scrolling: a whole import may be one row, and a long log all of one kind. */
const UNASKED = 40;

interface ListProps {
  log: EventLog;
  grouped: Grouped;
  /** Undefined while they are on their way. */
  names: Names | undefined;
  handle: Ref<ListHandle<EventGroup>>;
  /** Where the open group stands; -1 where it is not here. */
  current: number;
  isFiltered: boolean;
  onOpen: (group: EventGroup) => void;
  onMove: (group: EventGroup) => void;
  /** Where nothing ever happened: the way to write something. */
  onWrite: () => void;
}

/** The log, a row for each act. */
export function EventList({ log, grouped, names, handle, current, isFiltered, ...on }: ListProps) {
  const { onOpen, onMove, onWrite } = on;
  const { rows, phase, error, complete } = useStore(log.state);
  const { groups, keyAt, dayAt } = grouped;
  const fetched = useRef({ last: -1, pages: 0 });
  if (rows.length === 0 || !names) {
    if (error) return <Trouble error={error} retry={() => void log.reload()} />;
    if (phase === 'loading' || !names) return <Skeleton lines={9} />;
    return (
      <SplitBody>{complete ? <Empty isFiltered={isFiltered} onWrite={onWrite} /> : <NoneYet />}</SplitBody>
    );
  }
  const fetchAhead = (last: number) => {
    if (fetched.current.last !== last) fetched.current = { last, pages: 0 };
    if (phase !== 'idle' || complete || last + AHEAD < groups.length) return;
    if (fetched.current.pages >= UNASKED) return;
    fetched.current.pages += 1;
    void log.older();
  };
  return (
    <VirtualList
      handle={handle}
      label="Events, newest first"
      count={groups.length}
      at={(index) => groups[index]}
      keyAt={keyAt}
      current={current}
      rowHeight={LIST_ROW.row}
      heightAt={(index) => LIST_ROW.row + (dayAt(index) === undefined ? 0 : LIST_ROW.heading)}
      busy={phase === 'loading'}
      onOpen={onOpen}
      onMove={onMove}
      onRange={(_first, last) => fetchAhead(last)}
      draw={(group, place) =>
        group && (
          <GroupRow
            key={group.id}
            group={group}
            names={names}
            place={place}
            heading={dayAt(place.index)}
            isOpen={place.index === current}
            onOpen={() => onOpen(group)}
          />
        )
      }
    />
  );
}

function NoneYet() {
  return (
    <Message icon="search" title="None among the newest events">
      <p>Press “Look further back” below to see older ones.</p>
    </Message>
  );
}

function Empty({ isFiltered, onWrite }: Pick<ListProps, 'isFiltered' | 'onWrite'>) {
  const go = useGo('/events');
  if (isFiltered)
    return (
      <Message icon="search" title="No such event">
        <p>Nothing fits these filters. What comes will appear here.</p>
        <Button
          onClick={() => go({ family: undefined, namespace: undefined, actor: undefined }, { replace: true })}
        >
          Show all events
        </Button>
      </Message>
    );
  return (
    <Message icon="pulse" title="Nothing has happened yet">
      <p>Every change of a memory appears here at once, with what it was before.</p>
      <Button onClick={onWrite}>Write a first memory</Button>
    </Message>
  );
}

/** Below the list: whether that is all, and the way further back. */
export function EventFoot({ log }: { log: EventLog }) {
  const { rows, complete, phase, error } = useStore(log.state);
  if (rows.length === 0 && complete) return null;
  return (
    <div className={css['foot']}>
      <span role="status">
        {phase === 'loading'
          ? 'Looking…'
          : complete
            ? 'That is all that is kept'
            : 'Older ones are kept, too'}
      </span>
      {phase !== 'loading' && !complete && (
        <Button look="quiet" onClick={() => void log.older()}>
          {error ? 'Failed; try again' : 'Look further back'}
        </Button>
      )}
    </div>
  );
}
