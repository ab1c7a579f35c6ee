import { useQuery } from '@tanstack/react-query';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { countOf, formatCount } from '../../platform/format.ts';
import { Time } from '../../ui/Time.tsx';
import css from './Health.module.css';
import { healthQuery, isUnderWay, jobsQuery } from './queries.ts';

/** How tidy a namespace is: what is out of date, what nobody asked for, what is hidden; what is 0 is not told. */
export function Health({ namespace }: { namespace: string }) {
  const health = useQuery(healthQuery(namespace));
  const isDreaming = useQuery(jobsQuery(namespace)).data?.some(isUnderWay) ?? false;
  if (!health.data) return <Unfetched of={health} lines={4} />;
  const { data } = health;
  const hidden = data.merged + data.archived + data.superseded;
  const tiles = [
    { count: data.stale, label: 'kept from dreams, but their notes changed since' },
    {
      count: data.never_recalled,
      label: `of ${countOf(data.memories, 'note', 'notes')} not asked for in half a year`,
    },
    { count: hidden, label: 'hidden: there twice, put away or out of date' },
  ].filter(({ count }) => count > 0);
  return (
    <section aria-label="Health">
      <p className={css['soft']}>
        <AsOf isDreaming={isDreaming} lastDreamAt={data.last_dream_at} />
      </p>
      {tiles.length > 0 && (
        <ul className={css['tiles']} role="list">
          {tiles.map((tile) => (
            <Tile key={tile.label} {...tile} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** When it was looked through last. */
function AsOf({ isDreaming, lastDreamAt }: { isDreaming: boolean; lastDreamAt: string | null }) {
  if (isDreaming) return 'A dream is under way.';
  if (lastDreamAt === null) return 'No dream has looked through these notes yet.';
  return (
    <>
      The last dream was <Time at={lastDreamAt} />.
    </>
  );
}

function Tile({ count, label }: { count: number; label: string }) {
  return (
    <li>
      <div className={css['tile']}>
        <strong>{formatCount(count)}</strong>
        <span>{label}</span>
      </div>
    </li>
  );
}
