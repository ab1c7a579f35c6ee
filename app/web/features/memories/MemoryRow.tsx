import { markedPassage } from '../../platform/passage.ts';
import { Marked } from '../../ui/Marked.tsx';
import { plainLine } from '../../ui/reading/plain-line.ts';
import { Time } from '../../ui/Time.tsx';
import { ClassBadge } from './ClassBadge.tsx';
import css from './MemoryRow.module.css';
import type { Row } from './queries.ts';

/** Every row is as high as this, in pixels, so that a list of any length can be measured without drawing it. */
export const ROW_HEIGHT = 72;

interface MemoryRowProps {
  index: number;
  count: number;
  top: number;
  row: Row | undefined;
  /** The list is in the order of this time, so this is the one to show. */
  byCreated: boolean;
  active: boolean;
  open: boolean;
  onOpen: () => void;
}

/** One memory in a list: key, class, time or score, and how it begins; of one that was found, what fits. */
export function MemoryRow({ index, count, top, row, byCreated, active, open, onOpen }: MemoryRowProps) {
  return (
    <div
      id={`row-${index}`}
      role="option"
      aria-selected={open}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-busy={row === undefined}
      className={css['row']}
      data-active={active}
      style={{ transform: `translateY(${top}px)`, blockSize: ROW_HEIGHT }}
      onClick={onOpen}
    >
      {row ? (
        <>
          <div className={css['line']}>
            <span className={css['keyPlace']}>
              <bdi className={css['key']}>{row.key}</bdi>
            </span>
            <ClassBadge of={row.class} />
            <span className={css['aside']}>
              {row.score === undefined ? (
                <Time at={byCreated ? row.created_at : row.updated_at} />
              ) : (
                <span title="Relevance, from 0 to 1">
                  <span className="sr-only">relevance </span>
                  {row.score.toFixed(2)}
                </span>
              )}
            </span>
          </div>
          <p className={css['preview']} dir="auto">
            {row.passage ? (
              <Marked {...markedPassage(row.passage)} isShort />
            ) : (
              plainLine(row.value ?? '') || row.title
            )}
          </p>
        </>
      ) : (
        <span className={css['waiting']}>
          <span className="sr-only">Loading</span>
        </span>
      )}
    </div>
  );
}
