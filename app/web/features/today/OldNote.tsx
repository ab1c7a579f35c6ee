import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { listMemories } from '@reverie/shared/contract/memories';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../platform/api.ts';
import { formatDate } from '../../platform/format.ts';
import { plainLine } from '../../ui/reading/plain-line.ts';
import { namespacesQuery } from '../namespaces/queries.ts';
import { isOldNote, type OldNotes, oldNotesOf } from './old-note.ts';
import css from './OldNote.module.css';

/** Characters of an old note that are read on Today. */
const PREVIEW = 600;
/** Longer than this, a note is set as one that is read, and not as a saying. */
const SHORT = 200;

/** A note that was not changed for months, another one each day; null where this day has none. */
function oldNoteQuery({ offset, limit, before }: OldNotes) {
  return queryOptions({
    queryKey: ['memories', EVERY_NAMESPACE, 'old', offset, limit, before],
    queryFn: async ({ signal }) => {
      const body = { namespace: EVERY_NAMESPACE, order: 'updated', offset, limit, preview: PREVIEW } as const;
      const { memories } = await call(listMemories, { body }, { signal });
      return memories.find((memory) => isOldNote(memory, before)) ?? null;
    },
    // The day has one: it does not change while the page is open.
    staleTime: Infinity,
  });
}

/** An old note worth reading again, another one each day; nothing where there is none. */
export default function OldNote({ midnight }: { midnight: number }) {
  const { data: rows } = useQuery(namespacesQuery);
  const count = rows?.reduce((sum, row) => sum + row.count, 0) ?? 0;
  const { data: note } = useQuery({ ...oldNoteQuery(oldNotesOf(count, midnight)), enabled: count > 0 });
  if (!note) return null;
  const { namespace, key, title, value = '', truncated } = note;
  // What is named by its own first words says them once.
  const name = title.endsWith('…') ? '' : title;
  const text = plainLine(value, title);
  const said = text === '' ? name : `${text}${truncated ? ' …' : ''}`;
  return (
    <section className={css['part']} aria-label="Worth reading again">
      <h2>Worth reading again</h2>
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
          {formatDate(note.updated_at)} · <bdi>{namespace}</bdi>
        </span>
      </Link>
    </section>
  );
}
