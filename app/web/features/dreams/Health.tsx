import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import { useQuery } from '@tanstack/react-query';
import { Unfetched } from '../../platform/Fetched.tsx';
import { formatCount } from '../../platform/format.ts';
import { Time } from '../../ui/Time.tsx';
import css from './Health.module.css';
import { healthQuery, isUnderWay, jobsQuery } from './queries.ts';

/** What is counted as untidy, by the strategy that finds it. */
const TELLING = [
  ['forecast', 'Coming up'],
  ['contradict', 'Disagree'],
  ['refine', 'Stand there twice'],
] as const satisfies readonly (readonly [Strategy, string])[];

/** How tidy a namespace is: what waits for a decision, what is hidden, what nobody ever asked for. */
export function Health({
  namespace,
  onStrategy,
}: {
  namespace: string;
  onStrategy: (strategy: Strategy) => void;
}) {
  const health = useQuery(healthQuery(namespace));
  const isDreaming = useQuery(jobsQuery(namespace)).data?.some(isUnderWay) ?? false;
  if (!health.data) return <Unfetched of={health} lines={4} />;
  const { data } = health;
  const open = (strategy: Strategy) => data.open.find((one) => one.strategy === strategy)?.insights ?? 0;
  return (
    <section aria-label="Health">
      <p className={css['soft']}>
        <AsOf {...{ isDreaming }} lastDreamAt={data.last_dream_at} />
      </p>
      <ul className={css['tiles']} role="list">
        {TELLING.map(([strategy, label]) => (
          <li key={strategy}>
            <button
              type="button"
              className={css['tile']}
              data-some={open(strategy) > 0}
              onClick={() => onStrategy(strategy)}
            >
              <strong>{formatCount(open(strategy))}</strong>
              <span>{label}</span>
            </button>
          </li>
        ))}
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

/** How new the numbers are. */
function AsOf({ isDreaming, lastDreamAt }: { isDreaming: boolean; lastDreamAt: string | null }) {
  if (isDreaming) return 'A dream is under way: the numbers are what is known so far.';
  if (lastDreamAt === null)
    return 'It has never dreamt, so nothing is known of duplicates and contradictions.';
  return (
    <>
      As the last dream found it, <Time at={lastDreamAt} />
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
