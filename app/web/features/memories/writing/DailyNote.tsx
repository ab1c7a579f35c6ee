import { calendarDay } from '@reverie/shared/contract/calendar-day';
import { dailyNote } from '@reverie/shared/contract/memories/daily';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { wallClock } from '../../../platform/clock.ts';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { useGo } from '../../../platform/place.ts';
import { placeInList } from '../looking.ts';
import { beginDraft } from './drafts/draft.ts';

interface DailyNoteProps {
  /** The namespace that is listed, or `*`, and the one whose note it is. */
  listed: string;
  namespace: string;
  canWrite: boolean;
}

/** Leads to today's note of a namespace; where there is none yet, it is begun. */
export function DailyNote({ listed, namespace, canWrite }: DailyNoteProps) {
  const go = useGo();
  const day = calendarDay(new Date(wallClock.now()));
  const fetched = useQuery({
    queryKey: ['memories', namespace, 'daily', day],
    queryFn: ({ signal }) => call(dailyNote, { query: { day, namespace } }, { signal }),
    // It may have been written since.
    gcTime: 0,
  });
  const { data } = fetched;
  useEffect(() => {
    if (!data) return;
    const { key, found, template } = data;
    const isOpened = found || !canWrite;
    if (!isOpened) beginDraft({ namespace, key, value: template });
    go(
      isOpened
        ? { ...placeInList(listed, { namespace, key }), mode: undefined, day: undefined }
        : { key: undefined, in: undefined, mode: 'new', day: undefined },
      { replace: true },
    );
  }, [data, listed, namespace, canWrite, go]);
  return <Unfetched of={fetched} lines={8} />;
}
