import { useStore } from '../../platform/store.ts';
import { useNames } from '../actors/queries.ts';
import { EventList } from '../events/EventList.tsx';
import { useEventLog } from '../events/use-event-log.ts';
import { useGroups } from '../events/use-groups.ts';
import css from './TrayView.module.css';
import type { TrayTarget } from './target.ts';

/** What happened, in sentences, newest first. */
export function Activity({ onOpen }: { onOpen: (target: TrayTarget) => void }) {
  const log = useEventLog({ family: undefined, namespace: undefined, actor: undefined });
  const grouped = useGroups(useStore(log.state).rows);
  const names = useNames();
  return (
    <div className={css['log']}>
      <EventList
        log={log}
        grouped={grouped}
        names={names}
        handle={null}
        current={-1}
        isFiltered={false}
        onOpen={({ rows: [newest] }) =>
          newest && onOpen({ to: '/events', search: { event: String(newest.seq) } })
        }
        onMove={() => undefined}
        onWrite={() => onOpen({ to: '/memories', search: { mode: 'new' } })}
      />
    </div>
  );
}
