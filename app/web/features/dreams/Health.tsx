import { useQuery } from '@tanstack/react-query';
import { Unfetched } from '../../platform/Fetched.tsx';
import { formatCount } from '../../platform/format.ts';
import { Time } from '../../ui/Time.tsx';
import css from './Health.module.css';
import { healthQuery, isUnderWay, jobsQuery } from './queries.ts';

/** How tidy a namespace is: what is hidden, what is out of date, what nobody ever asked for. */
export function Health({ namespace }: { namespace: string }) {
  const health = useQuery(healthQuery(namespace));
  const isDreaming = useQuery(jobsQuery(namespace)).data?.some(isUnderWay) ?? false;
  if (!health.data) return <Unfetched of={health} lines={4} />;
  const { data } = health;
  return (
    <section aria-label="Health">
      <p className={css['soft']}>
        <AsOf isDreaming={isDreaming} lastDreamAt={data.last_dream_at} />
      </p>
      <ul className={css['tiles']} role="list">
        <Tile count={data.stale} label="Stale insights" />
        <Tile count={data.never_recalled} label={`Never recalled, of ${formatCount(data.memories)}`} />
        <Tile
          count={data.merged + data.archived + data.superseded}
          label="Hidden: doubled, put away or out of date"
        />
      </ul>
    </section>
  );
}

/** When it was looked through last. */
function AsOf({ isDreaming, lastDreamAt }: { isDreaming: boolean; lastDreamAt: string | null }) {
  if (isDreaming) return 'A dream is under way.';
  if (lastDreamAt === null)
    return 'It has never dreamt, so nothing is known of duplicates and contradictions.';
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
