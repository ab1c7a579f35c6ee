import type { DragEvent } from 'react';
import { Icon } from '../../../ui/Icon.tsx';
import type { RowPlace } from '../../../ui/lists/VirtualList.tsx';
import rows from '../list/MemoryRow.module.css';
import type { TreeRow } from './rows.ts';
import css from './Tree.module.css';

interface TreeItemProps {
  place: RowPlace;
  row: TreeRow;
  height: number;
  /** Whether this memory is open beside the tree. */
  isShown: boolean;
  /** Whether what is dragged would go in here. */
  isTarget: boolean;
  onPress: () => void;
  onDragOver: (event: DragEvent) => void;
  /** Missing where nothing can be moved. */
  onDragStart: ((event: DragEvent) => void) | undefined;
  onDragEnd: () => void;
}

/** A folder or a memory in the tree. */
export function TreeItem({ place, row, height, isShown, isTarget, onPress, ...drag }: TreeItemProps) {
  const isFolder = row.kind === 'folder';
  return (
    <div
      className={`${rows['slot']} ${css['slot']}`}
      style={{ transform: `translateY(${place.top}px)` }}
      role="presentation"
    >
      <div
        id={`row-${place.index}`}
        role="treeitem"
        aria-level={row.depth + 1}
        aria-posinset={row.position}
        aria-setsize={row.siblings}
        aria-expanded={isFolder ? row.isOpen : undefined}
        aria-selected={isShown}
        aria-current={isShown ? 'true' : undefined}
        className={`${rows['row']} ${css['line']}`}
        data-active={place.active}
        data-target={isTarget}
        title={row.path}
        style={{
          blockSize: height,
          paddingInlineStart: `calc(0.5rem + ${Math.min(row.depth, DEEPEST)} * 1rem)`,
        }}
        draggable={drag.onDragStart !== undefined}
        onClick={() => {
          place.choose();
          onPress();
        }}
        {...drag}
      >
        <span className={css['sign']} aria-hidden="true">
          {isFolder && <Icon name="right" />}
        </span>
        <span className={css['name']} dir="auto">
          {row.name}
        </span>
      </div>
    </div>
  );
}

/** Folders in folders that are moved in; what is deeper has no room left for its name. */
const DEEPEST = 10;
