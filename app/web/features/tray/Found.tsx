import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../ui/Icon.tsx';
import { Marked } from '../../ui/Marked.tsx';
import { wantedOf } from '../field/choices.ts';
import { linesOf } from '../field/hit.ts';
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
  const shown = (found.data ?? []).map((hit) => ({ ...hit, lines: linesOf(hit) }));
  return (
    <>
      <p className={css['hint']} role="status">
        {headOf(found, said)}
      </p>
      <ul className={css['found']}>
        {shown.map(({ namespace, key, lines }) => (
          <li key={JSON.stringify([namespace, key])}>
            <button
              type="button"
              className={css['hit']}
              onClick={() => onOpen({ to: '/memories', search: { namespace, key } })}
            >
              {lines.title !== undefined && (
                <span className={css['title']} dir="auto">
                  {lines.title}
                </span>
              )}
              {lines.text && (
                <span className={css[lines.title === undefined ? 'title' : 'passage']} dir="auto">
                  <Marked {...lines.text} isShort />
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

/** What stands above the hits: what they are, or why there are none. */
function headOf(
  { data, isError }: { data: readonly unknown[] | undefined; isError: boolean },
  said: string,
): string {
  if (isError) return 'Searching does not work right now.';
  if (data === undefined) return 'Looking…';
  return data.length === 0 ? `Nothing fits “${said}”.` : 'Memories';
}
