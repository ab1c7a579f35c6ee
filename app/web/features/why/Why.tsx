import type { AskFact } from '@reverie/shared/contract/ask';
import { formatDecimal } from '../../platform/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import css from './Why.module.css';
import { boostWords, streamWords } from './words.ts';

interface WhyProps {
  streams: readonly { name: string; rank: number }[];
  boosts: readonly { name: string; points: number }[];
  facts?: readonly AskFact[] | undefined;
}

/** Why a memory was found and stands where it does: what brought it, at which place, and what moved it. */
export function Why({ streams, boosts, facts = [] }: WhyProps) {
  const largest = Math.max(0.001, ...boosts.map(({ points }) => Math.abs(points)));
  return (
    <div className={css['why']}>
      <div>
        <h3>Found by</h3>
        {streams.length === 0 ? (
          <p className={css['soft']}>Nothing of its own: it stands beside what was found.</p>
        ) : (
          <ul className={css['streams']} role="list">
            {streams.map(({ name, rank }) => (
              <li key={name}>
                <Badge tone="accent">{streamWords(name)}</Badge>{' '}
                <span className={css['soft']}>place {rank}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {boosts.length > 0 && (
        <div>
          <h3>What moved it</h3>
          <table className={css['boosts']}>
            <tbody>
              {[...boosts]
                .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
                .map(({ name, points }) => (
                  <tr key={name}>
                    <th scope="row">{boostWords(name)}</th>
                    <td>
                      <svg className={css['bar']} data-down={points < 0} aria-hidden="true">
                        <rect width={`${(Math.abs(points) / largest) * 100}%`} height="100%" />
                      </svg>
                    </td>
                    <td className={css['points']}>
                      {points > 0 ? '+' : ''}
                      {formatDecimal(points, 2, 2)}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
      {facts.length > 0 && (
        <div>
          <h3>Facts in it</h3>
          <ul role="list">
            {facts.map((fact, at) => (
              <li key={at}>
                <bdi>{fact.subject}</bdi> · <span className={css['soft']}>{fact.predicate}</span> ·{' '}
                <bdi>{fact.object}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
