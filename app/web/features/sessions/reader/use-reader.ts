import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from '../../../platform/store.ts';
import type { FeedHandle } from '../../../ui/lists/VirtualFeed.tsx';
import { failuresQuery, promptsQuery } from '../queries.ts';
import type { EntryLog } from './entry-log.ts';
import { hasFailed, nextRow, rowOf, rowsOf, type ReaderRow } from './entries/rows.ts';

/** A session as it is read. */
export type SessionReader = ReturnType<typeof useReader>;

/** Where one is in a session, what is unfolded there, and the ways through it. */
export function useReader(log: EntryLog, session: string) {
  const state = useStore(log.state);
  const rows = useMemo(() => rowsOf(state.entries), [state.entries]);
  const feed = useRef<FeedHandle>(null);
  const [current, setCurrent] = useState<string>();
  const [top, setTop] = useState<string>();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  /** What is to be shown once it was read. */
  const wanted = useRef<{ entry: string } | 'end'>(undefined);
  /** Whether the user may have scrolled since a key or a link led to `current`. */
  const mayHaveScrolled = useRef(false);
  const { data: prompts = [] } = useQuery(promptsQuery(session));
  const { data: failures = [] } = useQuery(failuresQuery(session));

  const unfold = useCallback(
    (key: string) => setOpen((now) => (now.has(key) ? now : new Set([...now, key]))),
    [],
  );
  const show = useCallback(
    (index: number, row: ReaderRow) => {
      setCurrent(row.key);
      mayHaveScrolled.current = false;
      if (hasFailed(row)) unfold(row.key);
      feed.current?.show(index, 'start');
    },
    [unfold],
  );
  useEffect(() => {
    const { current: want } = wanted;
    if (want === undefined || state.phase === 'loading') return;
    const at = want === 'end' ? rows.length - 1 : rowOf(rows, want.entry);
    const row = rows[at];
    wanted.current = undefined;
    if (want === 'end') feed.current?.toEnd();
    else if (row) show(at, row);
  }, [rows, state.phase, show]);

  const jump = useCallback(
    (entry: string) => {
      const known = rowsOf(log.state.get().entries);
      const at = rowOf(known, entry);
      const row = known[at];
      if (row) return show(at, row);
      wanted.current = { entry };
      void log.open({ around: entry });
    },
    [log, show],
  );
  const toEnd = useCallback(() => {
    setCurrent(undefined);
    if (log.state.get().after === null) return feed.current?.toEnd();
    wanted.current = 'end';
    void log.open('end');
  }, [log]);
  /** To the next of some entries: within what is read, or else by when it was. */
  const step = (
    by: 1 | -1,
    fits: (row: ReaderRow) => boolean,
    all: readonly { id: string; at: string }[],
  ) => {
    const first = feed.current?.first() ?? 0;
    const here = rows.findIndex(({ key }) => key === current);
    // Whoever scrolled away goes on from what is seen; where nobody did, a feed that is just growing says nothing of it.
    const isThere = here !== -1 && (!mayHaveScrolled.current || Math.abs(here - first) <= NEAR);
    const at = nextRow(rows, { from: isThere ? here : first, by }, fits);
    const row = rows[at];
    if (row) return show(at, row);
    const [oldest, newest] = [rows[0]?.entry.at ?? '', rows.at(-1)?.entry.at ?? ''];
    const next = by === 1 ? all.find((one) => one.at > newest) : all.findLast((one) => one.at < oldest);
    if (next) jump(next.id);
  };
  const onRange = useCallback(
    (first: number, last: number, isAtEnd: boolean) => {
      if (first < AHEAD) void log.earlier();
      if (last >= rows.length - AHEAD) void log.later();
      if (isAtEnd) log.seen();
      const seen = feed.current?.first() ?? first;
      setTop(rows[seen]?.entry.at);
    },
    [log, rows],
  );
  return {
    state,
    rows,
    feed,
    current,
    prompts,
    failures,
    /** The prompt under which one reads. */
    under: prompts.findLast((one) => top !== undefined && one.at <= top)?.id,
    isOpen: useCallback((key: string) => open.has(key), [open]),
    toggle: useCallback((key: string) => {
      setOpen((now) => {
        const next = new Set(now);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    }, []),
    jump,
    toEnd,
    toStart: () => {
      // What the keys go to next is counted from what is seen.
      setCurrent(undefined);
      wanted.current = undefined;
      if (log.state.get().before === null) return feed.current?.show(0);
      void log.open('start').then(() => feed.current?.show(0));
    },
    prompt: (by: 1 | -1) => step(by, ({ entry }) => entry.kind === 'prompt', prompts),
    failure: (by: 1 | -1) => step(by, hasFailed, failures),
    onRange,
    onUserScroll: useCallback(() => {
      mayHaveScrolled.current = true;
    }, []),
    /** Shows what a link names, or where one begins. */
    begin: useCallback(
      (at: { around: string } | 'start' | 'end') => {
        if (at !== 'start') wanted.current = at === 'end' ? 'end' : { entry: at.around };
        void log.open(at);
      },
      [log],
    ),
  };
}

/** Rows between what a key went to and what is seen, as long as one has not scrolled away. */
const NEAR = 12;
/** Rows before an end of what is read at which more is read: some screens of folded tools. */
const AHEAD = 50;
