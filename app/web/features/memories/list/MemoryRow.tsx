import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { ListOrder } from '@reverie/shared/contract/memories';
import type { MouseEvent } from 'react';
import { useNow } from '../../../platform/clock.ts';
import { formatWritten } from '../../../platform/format.ts';
import { locale } from '../../../platform/locale.ts';
import { markedPassage } from '../../../platform/passage.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { plainLine } from '../../../ui/reading/plain-line.ts';
import { Marked } from '../../../ui/Marked.tsx';
import { NamespaceDot } from '../../namespaces/NamespaceDot.tsx';
import { ClassBadge } from '../ClassBadge.tsx';
import { type ListRow, timeIn } from '../queries.ts';
import { tagsOf } from '../tags.ts';
import { shortTime } from '../../../platform/days.ts';
import css from './MemoryRow.module.css';
import { plainPassage } from './passage-line.ts';

/** Tags that a row has room for. */
const TAGS = 2;

interface MemoryRowProps {
  place: { index: number; count: number; top: number; active: boolean };
  row: ListRow | undefined;
  height: number;
  /** The day that begins with this row; it stands above. */
  day: string | undefined;
  /** The list is in the order of this time, so this is the one to show. */
  order: ListOrder;
  /** `*` where rows of several stand together, so that each says where it is. */
  namespace: string;
  isOpen: boolean;
  isSelected: boolean;
  /** Whether any is selected: then each row says whether it is. */
  isSelecting: boolean;
  onPress: (event: MouseEvent) => void;
}

/** One memory in a list: its title, how it goes on, its tags and its time; of one that was found, what fits. */
export function MemoryRow({ place, row, height, day, order, namespace, ...look }: MemoryRowProps) {
  const now = useNow();
  const { index, count, top, active } = place;
  const time = row && timeIn(order, row);
  const where = row && namespace === EVERY_NAMESPACE && (
    <span className={css['where']}>
      <NamespaceDot of={row.namespace} />
      <bdi>{row.namespace}</bdi>
    </span>
  );
  return (
    <div className={css['slot']} style={{ transform: `translateY(${top}px)` }} role="presentation">
      {day !== undefined && (
        <div className={css['day']} aria-hidden="true">
          {day}
        </div>
      )}
      <div
        id={`row-${index}`}
        role="option"
        aria-selected={look.isSelecting ? look.isSelected : look.isOpen}
        aria-current={look.isOpen ? 'true' : undefined}
        aria-posinset={index + 1}
        aria-setsize={count}
        aria-busy={row === undefined}
        className={css['row']}
        data-active={active}
        data-selected={look.isSelected}
        data-found={row?.passage !== undefined}
        title={row?.key}
        style={{ blockSize: height }}
        onClick={look.onPress}
      >
        {row ? (
          <>
            <div className={css['line']}>
              {look.isSelecting && (
                <span className={css['tick']} aria-hidden="true">
                  {look.isSelected && <Icon name="check" />}
                </span>
              )}
              <span className={css['title']} dir="auto">
                {row.title === '' ? row.key : row.title}
              </span>
              {row.class !== 'note' && <ClassBadge of={row.class} />}
              {row.passage && where}
              {time !== undefined && (
                <time className={css['time']} lang={locale} dateTime={time} title={formatWritten(time)}>
                  {shortTime(time, now, row.score === undefined)}
                </time>
              )}
            </div>
            <div className={css['more']}>
              <span className={css['preview']} dir="auto">
                {row.passage ? (
                  <Marked {...plainPassage(markedPassage(row.passage))} isShort />
                ) : (
                  plainLine(row.value ?? '', row.title)
                )}
              </span>
              {/* What was found needs the room for what fits. */}
              {!row.passage && <Tags row={row} most={where ? 1 : TAGS} />}
              {!row.passage && where}
            </div>
          </>
        ) : (
          <span className={css['waiting']}>
            <span className="sr-only">Loading</span>
          </span>
        )}
      </div>
    </div>
  );
}

function Tags({ row, most }: { row: ListRow; most: number }) {
  const tags = tagsOf(row.metadata);
  if (tags.length === 0) return null;
  return (
    <span className={css['tags']}>
      {tags.slice(0, most).map((tag) => (
        <span key={tag} className={css['tag']} dir="auto">
          {tag}
        </span>
      ))}
      {tags.length > most && <span className={css['tag']}>+{tags.length - most}</span>}
    </span>
  );
}
