import type { Ref } from 'react';
import { VirtualList, type ListHandle } from '../../ui/VirtualList.tsx';
import { MemoryRow, ROW_HEIGHT } from './MemoryRow.tsx';
import type { Row } from './queries.ts';

interface VirtualRowsProps {
  handle: Ref<ListHandle<Row>>;
  label: string;
  count: number;
  /** The row at a position; undefined while it is still being fetched. */
  at: (index: number) => Row | undefined;
  openKey: string | undefined;
  /** Whether rows tell when they were made, instead of when they were changed. */
  byCreated?: boolean;
  onOpen: (row: Row) => void;
  onDelete: (row: Row) => void;
  onRange?: (first: number, last: number) => void;
  busy: boolean;
}

/** Memories, any number of them. */
export function VirtualRows({ openKey, byCreated = false, ...list }: VirtualRowsProps) {
  return (
    <VirtualList
      {...list}
      rowHeight={ROW_HEIGHT}
      draw={(row, { choose, ...place }) => (
        <MemoryRow
          key={place.index}
          {...place}
          row={row}
          byCreated={byCreated}
          open={row !== undefined && row.key === openKey}
          onOpen={() => {
            choose();
            if (row) list.onOpen(row);
          }}
        />
      )}
    />
  );
}
