import type { Insight, InsightChange, Resolution } from '@reverie/shared/contract/dreams';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './InsightDetail.module.css';

interface DisagreementProps {
  insight: Insight;
  change: Extract<InsightChange, { kind: 'disagree' }>;
  /** Undefined where nothing can be decided. */
  onKeep: ((which: Resolution) => void) | undefined;
}

/** Two notes that disagree side by side, each with its day and the button that keeps it. */
export function Disagreement({
  insight: { namespace, sources, resolution },
  change,
  onKeep,
}: DisagreementProps) {
  return (
    <section aria-label="Evidence">
      <h3>{onKeep ? 'Which one holds?' : 'What they say'}</h3>
      <ul className={css['evidence']} data-pair="true" role="list">
        {(['older', 'newer'] as const).map((which) => {
          const { key, date } = change[which];
          const isHidden = resolution !== null && resolution !== 'both' && resolution !== which;
          return (
            <li key={which} data-hidden={isHidden}>
              <p className={css['soft']}>
                {which === 'older' ? 'Older' : 'Newer'}, <Time at={date} full />
                {isHidden && ' · hidden'}
              </p>
              {sources.map(
                (source, at) =>
                  source.key === key && (
                    <blockquote key={at} dir="auto">
                      {source.sentence}
                    </blockquote>
                  ),
              )}
              <Link to="/memories" search={{ namespace, key }} className={css['key']}>
                <bdi>{key}</bdi>
              </Link>
              {onKeep && (
                <Button
                  look={which === 'newer' ? 'strong' : 'plain'}
                  icon="check"
                  onClick={() => onKeep(which)}
                >
                  Keep the {which} {which === 'newer' && <kbd>a</kbd>}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
