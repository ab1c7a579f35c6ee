import type { AskFact } from '@reverie/shared/contract/search/ask';
import type { Passage } from '@reverie/shared/contract/search/passage';
import { Fragment } from 'react';
import { formatDecimal } from '../../platform/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import css from './Why.module.css';
import { boostWords, otherwise, saidIn, streamWords } from './words.ts';

interface FiguresProps {
  streams: readonly { name: string; rank: number }[];
  boosts: readonly { name: string; points: number }[];
  facts?: readonly AskFact[] | undefined;
}

interface WhyProps extends FiguresProps {
  passage: Passage | undefined;
  /** Whether nothing that is shown beside it is newer. */
  isNewest: boolean;
}

/** Why a memory was found, as a person says it: which words stand in it, and whether it is the newest. The figures are one click further. */
export function Why({ streams, boosts, facts, passage, isNewest }: WhyProps) {
  const said = passage ? saidIn(passage) : [];
  return (
    <div className={css['why']}>
      <p>
        {said.length === 0 ? (
          otherwise(streams)
        ) : (
          <>
            It says{' '}
            {said.map((word, at) => (
              <Fragment key={word}>
                {at > 0 && (at === said.length - 1 ? ' and ' : ', ')}
                <em dir="auto">{word}</em>
              </Fragment>
            ))}
          </>
        )}
        {isNewest && ', and is the newest'}.
      </p>
      <details>
        <summary>The figures</summary>
        <Figures streams={streams} boosts={boosts} facts={facts} />
      </details>
    </div>
  );
}

/** What brought a memory, at which place, and what moved it in the order. */
function Figures({ streams, boosts, facts = [] }: FiguresProps) {
  const largest = Math.max(0.001, ...boosts.map(({ points }) => Math.abs(points)));
  return (
    <div className={css['figures']}>
      <div>
        <p className={css['head']}>Found by</p>
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
          <p className={css['head']}>What moved it</p>
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
          <p className={css['head']}>Facts in it</p>
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
