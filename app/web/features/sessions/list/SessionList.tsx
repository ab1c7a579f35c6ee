import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { useMemo, useRef, useState } from 'react';
import { useNow } from '../../../platform/clock.ts';
import { VirtualFeed, type FeedHandle } from '../../../ui/lists/VirtualFeed.tsx';
import { foldedOf } from './folding.ts';
import { SessionRow } from './SessionRow.tsx';
import css from './SessionsView.module.css';
import { useRowKeys } from './use-row-keys.ts';

interface SessionListProps {
  sessions: readonly CodingSession[];
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** About how high a line of the list is, in pixels. */
const HEIGHT = { day: 44, project: 30, session: 56 } as const;
/** Lines before the end at which older sessions are fetched. */
const AHEAD = 30;

/** The sessions, by day and project. */
export function SessionList({ sessions, list }: SessionListProps) {
  const now = useNow();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const items = useMemo(() => foldedOf(sessions, opened, now), [sessions, opened, now]);
  const feed = useRef<FeedHandle>(null);
  useRowKeys(feed, items);
  const toggle = (id: string) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  return (
    <VirtualFeed
      handle={feed}
      role="list"
      label="Sessions, the newest first"
      count={items.length}
      keyAt={(index) => items[index]?.key ?? String(index)}
      heightAt={(index) => HEIGHT[items[index]?.kind ?? 'session']}
      onRange={(_first, last) => {
        if (last + AHEAD >= items.length && list.hasNextPage && !list.isFetchingNextPage)
          list.fetchNextPage();
      }}
      draw={(index) => {
        const item = items[index];
        if (!item) return null;
        if (item.kind === 'day') return <h2 className={css['day']}>{item.label}</h2>;
        if (item.kind === 'project')
          return (
            <h3 className={css['project']} dir="auto">
              {item.label}
            </h3>
          );
        return <SessionRow {...item} onToggle={() => toggle(item.session.id)} />;
      }}
    />
  );
}
