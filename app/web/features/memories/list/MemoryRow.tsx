import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { ListOrder } from '@reverie/shared/contract/memories/memories';
import type { MouseEvent } from 'react';
import { useNow } from '../../../platform/clock.ts';
import { shortTime } from '../../../platform/days.ts';
import { formatWritten } from '../../../platform/format.ts';
import { locale } from '../../../platform/locale.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { MemoryWords } from '../../../ui/reading/MemoryWords.tsx';
import { NamespaceDot } from '../../namespaces/NamespaceDot.tsx';
import { ClassBadge } from '../ClassBadge.tsx';
import { type ListRow, timeIn } from '../queries.ts';
import { tagsOf } from '../tags.ts';
import css from './MemoryRow.module.css';
import { anatomyOfRow } from './row-anatomy.ts';

interface MemoryRowProps {
  place: { index: number; count: number; top: number; active: boolean };
  row: ListRow | undefined;
  height: number;
  /** The list is in the order of this time, so this is the one to show. */
  order: ListOrder;
  /** `*` where rows of several stand together, so that each says where it is. */
  namespace: string;
  /** Its tags are shown always, rather than where it is looked at. */
  hasTags: boolean;
  isOpen: boolean;
  isSelected: boolean;
  /** Whether any is selected: then each row says whether it is. */
  isSelecting: boolean;
  onPress: (event: MouseEvent) => void;
}

/** One memory in a list: its words, of one that was found those that fit, and a quiet line with its time, place and tags. */
export function MemoryRow({ place, row, height, order, namespace, ...look }: MemoryRowProps) {
  const { index, count, top, active } = place;
  return (
    <div className={css['slot']} style={{ transform: `translateY(${top}px)` }} role="presentation">
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
        data-tags={look.hasTags}
        title={row?.key}
        style={{ blockSize: height }}
        onClick={look.onPress}
      >
        {look.isSelecting && (
          <span className={css['tick']} aria-hidden="true">
            {look.isSelected && <Icon name="check" />}
          </span>
        )}
        {row ? (
          <Words row={row} order={order} isOfAll={namespace === EVERY_NAMESPACE} />
        ) : (
          <span className={css['waiting']}>
            <span className="sr-only">Loading</span>
          </span>
        )}
      </div>
    </div>
  );
}

interface WordsProps {
  row: ListRow;
  order: ListOrder;
  /** Whether it has to say which namespace it is of. */
  isOfAll: boolean;
}

function Words({ row, order, isOfAll }: WordsProps) {
  const now = useNow();
  const anatomy = anatomyOfRow(row);
  const time = timeIn(order, row);
  const tags = tagsOf(row.metadata);
  return (
    <span className={css['said']}>
      <MemoryWords of={anatomy} lines={anatomy.title && row.score !== undefined ? 3 : 2} />
      <span className={css['meta']}>
        <time className={css['time']} lang={locale} dateTime={time} title={formatWritten(time)}>
          {shortTime(time, now, row.score === undefined)}
        </time>
        {isOfAll && (
          <span className={css['where']}>
            <NamespaceDot of={row.namespace} />
            <bdi>{row.namespace}</bdi>
          </span>
        )}
        {row.class !== 'note' && <ClassBadge of={row.class} />}
        {tags.length > 0 && (
          <span className={css['tags']} dir="auto">
            {tags.join(', ')}
          </span>
        )}
      </span>
    </span>
  );
}
