import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../ui/Icon.tsx';
import { MemoryWords } from '../../ui/reading/MemoryWords.tsx';
import { wantedOf } from '../field/choices.ts';
import { anatomyOfHit } from '../field/hit.ts';
import { everywhereQuery } from '../field/queries.ts';
import css from './TrayView.module.css';
import type { TrayTarget } from './target.ts';

interface FoundProps {
  /** What was typed, once one stopped typing. */
  text: string;
  onOpen: (target: TrayTarget) => void;
}

/** What fits, of all namespaces, and the question to ask about it. */
export function Found({ text, onOpen }: FoundProps) {
  const said = wantedOf(text);
  const found = useQuery(everywhereQuery(said));
  return (
    <>
      <p className={css['hint']} role="status">
        {headOf(found, said)}
      </p>
      <ul className={css['found']}>
        {found.data?.map((hit) => (
          <li key={JSON.stringify([hit.namespace, hit.key])}>
            <button
              type="button"
              className={css['hit']}
              onClick={() => onOpen({ to: '/memories', search: { namespace: hit.namespace, key: hit.key } })}
            >
              <MemoryWords of={anatomyOfHit(hit)} lines={2} />
              <span className={css['where']}>{hit.namespace}</span>
            </button>
          </li>
        ))}
        {said !== '' && (
          <li>
            <button
              type="button"
              className={css['ask']}
              onClick={() => onOpen({ to: '/ask', search: { namespace: '*', q: said } })}
            >
              <Icon name="ask" />
              <span>
                Ask “<bdi>{said}</bdi>”
              </span>
            </button>
          </li>
        )}
      </ul>
    </>
  );
}

/** What stands above the hits: what they are, or why there are none. */
function headOf(
  { data, isError }: { data: readonly unknown[] | undefined; isError: boolean },
  said: string,
): string {
  if (isError) return 'Searching does not work right now.';
  if (data === undefined) return 'Looking…';
  return data.length === 0 ? `Nothing fits “${said}”.` : 'Memories';
}
