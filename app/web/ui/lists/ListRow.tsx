import type { ReactNode } from 'react';
import { useNow } from '../../platform/clock.ts';
import { shortTime } from '../../platform/days.ts';
import { formatExact } from '../../platform/format.ts';
import { locale } from '../../platform/locale.ts';
import { Icon, type IconName } from '../Icon.tsx';
import css from './ListRow.module.css';
import type { RowPlace } from './VirtualList.tsx';

/** Heights in pixels: a list of any length is measured without drawing it. */
export const LIST_ROW = { row: 52, heading: 30 } as const;

interface ListRowProps {
  place: RowPlace;
  /** The day that begins with this row; it stands above. */
  heading: string | undefined;
  icon: IconName;
  title: ReactNode;
  /** The whole of the title, where the row has not room for it. */
  whole: string;
  more: ReactNode;
  at: string;
  isOpen: boolean;
  onOpen: () => void;
}

/** A row of a `VirtualList`: a drawing, a line, its time, and a smaller line below. */
export function ListRow({ place, heading, icon, title, whole, more, at, isOpen, onOpen }: ListRowProps) {
  const now = useNow();
  return (
    <div className={css['slot']} style={{ transform: `translateY(${place.top}px)` }} role="presentation">
      {heading !== undefined && (
        <div className={css['heading']} aria-hidden="true">
          {heading}
        </div>
      )}
      <div
        id={`row-${place.index}`}
        role="option"
        aria-selected={isOpen}
        aria-posinset={place.index + 1}
        aria-setsize={place.count}
        className={css['row']}
        data-active={place.active}
        title={whole}
        style={{ blockSize: LIST_ROW.row }}
        onClick={() => {
          place.choose();
          onOpen();
        }}
      >
        <span className={css['icon']}>
          <Icon name={icon} />
        </span>
        <div className={css['text']}>
          <div className={css['line']}>
            <span className={css['title']} dir="auto">
              {title}
            </span>
            <time className={css['time']} lang={locale} dateTime={at} title={formatExact(at)}>
              {shortTime(at, now, true)}
            </time>
          </div>
          <div className={css['more']}>{more}</div>
        </div>
      </div>
    </div>
  );
}
