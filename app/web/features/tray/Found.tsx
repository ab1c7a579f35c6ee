import { useQuery } from '@tanstack/react-query';
import { markedPassage } from '../../platform/passage.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Marked } from '../../ui/Marked.tsx';
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
  const said = text.replace(/^\?\s*/, '');
  const found = useQuery(everywhereQuery(said));
  const { data } = found;
  const strong = (data ?? []).filter(({ weaker }) => !weaker);
  const shown = strong.length > 0 ? strong : (data ?? []).slice(0, 3);
  return (
    <>
      <p className={css['hint']} role="status">
        {headOf(found, shown.length, strong.length)}
      </p>
      <ul className={css['found']}>
        {shown.map(({ namespace, key, title, passage }) => (
          <li key={JSON.stringify([namespace, key])}>
            <button
              type="button"
              className={css['hit']}
              onClick={() => onOpen({ to: '/memories', search: { namespace, key } })}
            >
              <span className={css['title']} dir="auto">
                {title === '' ? key : title}
              </span>
              {passage && (
                <span className={css['passage']} dir="auto">
                  <Marked {...markedPassage(passage)} isShort />
                </span>
              )}
              <span className={css['where']}>{namespace}</span>
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

/** What stands above the hits: how well they fit, or why there are none. */
function headOf(
  { data, isError }: { data: unknown; isError: boolean },
  shown: number,
  strong: number,
): string {
  if (isError) return 'Memories cannot be searched at the moment.';
  if (data === undefined) return 'Looking…';
  if (shown === 0) return 'No memory fits these words.';
  return strong === 0 ? 'Nothing fits well; nearest:' : 'Memories';
}
