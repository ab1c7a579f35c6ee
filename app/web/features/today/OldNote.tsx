import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../platform/daemon/api.ts';
import { formatDate } from '../../platform/format.ts';
import { plainLine } from '../../ui/reading/plain-line.ts';
import { namespacesQuery } from '../namespaces/queries.ts';
import { dayOfNote, isOldNote, type OldNotes, oldNotesOf, onThisDay } from './old-note.ts';
import css from './OldNote.module.css';

/** Characters of an old note that are read on Today. */
const PREVIEW = 600;
/** Longer than this, a note is set as one that is read, and not as a saying. */
const SHORT = 200;

/** A note of this day in an earlier year, else one of months ago, another one each day; null where there is none. */
function oldNoteQuery({ offset, limit, before }: OldNotes, midnight: number) {
  return queryOptions({
    queryKey: ['memories', EVERY_NAMESPACE, 'old', offset, limit, before],
    queryFn: async ({ signal }) => {
      const all = { namespace: EVERY_NAMESPACE, order: 'noted', preview: PREVIEW } as const;
      const find = async (body: { query: string } | { offset: number; limit: number }) => {
        const { memories } = await call(listMemories, { body: { ...all, ...body } }, { signal });
        return memories.find((memory) => isOldNote(memory, before));
      };
      for (const query of onThisDay(midnight)) {
        const note = await find({ query });
        if (note) return { note, isOfToday: true };
      }
      const note = await find({ offset, limit });
      return note ? { note, isOfToday: false } : null;
    },
    // The day has one: it does not change while the page is open.
    staleTime: Infinity,
  });
}

/** An old note worth reading again, another one each day; nothing where there is none. */
export default function OldNote({ midnight }: { midnight: number }) {
  const { data: rows } = useQuery(namespacesQuery);
  const count = rows?.reduce((sum, row) => sum + row.count, 0) ?? 0;
  const old = useQuery({ ...oldNoteQuery(oldNotesOf(count, midnight), midnight), enabled: count > 0 });
  if (!old.data) return null;
  const { note, isOfToday } = old.data;
  const what = isOfToday ? 'On this day' : 'Worth reading again';
  const { namespace, key, title, value = '', truncated } = note;
  // What is named by its own first words says them once.
  const name = title.endsWith('…') ? '' : title;
  const text = plainLine(value, title);
  const said = text === '' ? name : `${text}${truncated ? ' …' : ''}`;
  return (
    <section className={css['part']} aria-label={what}>
      <h2>{what}</h2>
      <Link to="/memories" search={{ namespace, key }} className={css['note']}>
        {name !== '' && text !== '' && (
          <strong className={css['title']} dir="auto">
            {name}
          </strong>
        )}
        <span className={css['said']} data-short={said.length <= SHORT} dir="auto">
          {said}
        </span>
        <span className={css['when']}>
          {formatDate(dayOfNote(note))} · <bdi>{namespace}</bdi>
        </span>
      </Link>
    </section>
  );
}
