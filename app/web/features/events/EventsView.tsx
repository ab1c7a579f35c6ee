import { actorKinds, eventFamilies } from '@reverie/shared/contract/events/events';
import type { Names } from '@reverie/shared/contract/events/actor-words';
import { useEffect, useRef } from 'react';
import { useGo, usePlace } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { useStore } from '../../platform/store.ts';
import { Message } from '../../ui/Message.tsx';
import { NothingOpen } from '../../ui/lists/Rows.tsx';
import { Split } from '../../ui/lists/Split.tsx';
import type { ListHandle } from '../../ui/lists/VirtualList.tsx';
import { useNames } from '../actors/queries.ts';
import type { EventFilter } from './event-row.ts';
import { EventDetail } from './EventDetail.tsx';
import { EventFoot, EventList } from './EventList.tsx';
import { EventTools } from './EventTools.tsx';
import { GroupDetail } from './GroupDetail.tsx';
import type { EventGroup } from './grouping.ts';
import { useEventLog } from './use-event-log.ts';
import { useGroups } from './use-groups.ts';

/** Wide enough that a list and what is open of it stand beside each other. */
const BESIDE = '(width >= 56rem)';

/** What happened, a sentence each, newest first and as it happens; behind each what it carried. */
export default function EventsView({ namespaces }: { namespaces: readonly string[] }) {
  const place = usePlace();
  const go = useGo('/events');
  const goToMemories = useGo();
  const names = useNames();
  const filter: EventFilter = {
    family: eventFamilies.find((one) => one === place.family),
    namespace: place.namespace === '*' ? undefined : place.namespace,
    actor: actorKinds.find((one) => one === place.actor),
  };
  const log = useEventLog(filter);
  const { rows, complete } = useStore(log.state);
  const isEmpty = rows.length === 0 && complete;
  const grouped = useGroups(rows);
  const list = useRef<ListHandle<EventGroup>>(null);
  const openSeq =
    place.event !== undefined && /^\d{1,15}$/.test(place.event) ? Number(place.event) : undefined;
  const at = grouped.indexOf(openSeq);
  const group = grouped.groups[at];
  const close = () => {
    go({ event: undefined });
    list.current?.focus();
  };
  const open = ({ rows }: EventGroup) =>
    go({ event: String(rows[0]?.seq) }, { replace: openSeq !== undefined });
  useEffect(() => {
    document.title = 'Events · Reverie';
  }, []);
  useShortcuts({
    j: () => list.current?.move(1),
    k: () => list.current?.move(-1),
    Escape: () => openSeq !== undefined && close(),
  });
  return (
    <Split
      labels={['Events', 'Open event']}
      isOpen={openSeq !== undefined}
      isAlone={isEmpty && 'with-tools'}
      tools={<EventTools filter={filter} namespaces={namespaces} log={log} />}
      list={
        <EventList
          key={JSON.stringify(filter)}
          log={log}
          grouped={grouped}
          names={names}
          handle={list}
          current={at}
          isFiltered={Object.values(filter).some((one) => one !== undefined)}
          onOpen={open}
          onMove={(next) => matchMedia(BESIDE).matches && open(next)}
          onWrite={() => goToMemories({ mode: 'new', event: undefined })}
        />
      }
      foot={<EventFoot log={log} />}
      detail={
        openSeq === undefined ? (
          <NothingOpen>
            {grouped.groups.length > 0 && (
              <Message icon="pulse" title="Choose a line to see what it changed">
                <p>What happens now comes in at the top by itself.</p>
              </Message>
            )}
          </NothingOpen>
        ) : (
          <Opened seq={openSeq} group={group} names={names} onClose={close} />
        )
      }
    />
  );
}

interface OpenedProps {
  seq: number;
  /** What it was done with in one act, as far as that is read. */
  group: EventGroup | undefined;
  names: Names | undefined;
  onClose: () => void;
}

function Opened({ seq, group, names, onClose }: OpenedProps) {
  if (group && group.rows.length > 1 && names)
    return <GroupDetail key={group.id} group={group} names={names} onClose={onClose} />;
  return <EventDetail key={seq} seq={seq} names={names ?? new Map()} onClose={onClose} />;
}
