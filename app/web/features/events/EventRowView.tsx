import { Badge, type Tone } from '../../ui/Badge.tsx';
import { Time } from '../../ui/Time.tsx';
import type { RowPlace } from '../../ui/VirtualList.tsx';
import { familyOf, type EventRow } from './event-row.ts';
import css from './EventRowView.module.css';

/** Every row is as high as this, in pixels. */
export const EVENT_ROW_HEIGHT = 56;

interface EventRowProps {
  row: EventRow;
  place: RowPlace;
  isOpen: boolean;
  onOpen: () => void;
}

/** One event in the log: what happened, to what, who did it and when. */
export function EventRowView({ row, place, isOpen, onOpen }: EventRowProps) {
  return (
    <div
      id={`row-${place.index}`}
      role="option"
      aria-selected={isOpen}
      aria-posinset={place.index + 1}
      aria-setsize={place.count}
      className={css['row']}
      data-active={place.active}
      style={{ transform: `translateY(${place.top}px)`, blockSize: EVENT_ROW_HEIGHT }}
      onClick={onOpen}
    >
      <div className={css['line']}>
        <EventBadge type={row.type} />
        <span className={css['subject']}>
          {row.key !== undefined ? (
            <bdi>{row.key}</bdi>
          ) : row.redacted ? (
            <em>deleted for good</em>
          ) : (
            <bdi>{row.note}</bdi>
          )}
        </span>
        <span className={css['aside']}>
          <Time at={row.created_at} />
        </span>
      </div>
      <p className={css['more']}>
        <bdi>{row.namespace}</bdi> · {row.actor.kind} · {row.seq}
      </p>
    </div>
  );
}

/** What happened, such as `memory.write`. */
export function EventBadge({ type }: { type: EventRow['type'] }) {
  return <Badge tone={toneOf(type)}>{type}</Badge>;
}

function toneOf(type: EventRow['type']): Tone {
  if (type === 'memory.delete' || type === 'memory.clear' || type === 'dream.failed') return 'bad';
  const family = familyOf(type);
  if (family === 'dream' || family === 'insight') return 'violet';
  return family === 'channel' ? 'accent' : 'plain';
}
