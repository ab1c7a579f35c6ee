import type { Memory } from '@reverie/shared/contract/memories';
import { useQuery } from '@tanstack/react-query';
import { useGo } from '../../../platform/place.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { type MemoryAddress, nameOf } from '../address.ts';
import css from './Around.module.css';
import { linksHereQuery, togetherQuery } from './around.queries.ts';

/** At the foot of a memory: what links to it, and what dreams said belongs to it. */
export function Around({ memory }: { memory: Memory }) {
  const go = useGo();
  const { data: linking = [] } = useQuery(linksHereQuery(memory));
  const { data: together = [] } = useQuery(togetherQuery(memory));
  const open = ({ namespace, key }: MemoryAddress) => go({ namespace, key, in: undefined, mode: undefined });
  if (linking.length + together.length === 0) return null;
  return (
    <div className={css['around']}>
      {linking.length > 0 && (
        <section aria-label="Links here">
          <h3>Links here</h3>
          <ul role="list">
            {linking.map((one) => (
              <li key={one.key}>
                <button type="button" className={css['one']} onClick={() => open(one)}>
                  <Icon name="note" />
                  <span dir="auto">{nameOf(one)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {together.length > 0 && (
        <section aria-label="Belongs together">
          <h3>Belongs together</h3>
          <ul role="list">
            {together.map((one) => (
              <li key={one.key}>
                <button type="button" className={css['one']} onClick={() => open(one)}>
                  <Icon name="moon" />
                  <span className={css['named']}>
                    <span dir="auto">{nameOf(one)}</span>
                    <span className={css['why']} dir="auto">
                      {one.why}
                    </span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
