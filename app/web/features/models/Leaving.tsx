import type { ModelUse } from '@reverie/shared/contract/models';
import css from './ModelsView.module.css';
import { PARTS, staysHere, usesModel } from './words.ts';

/** Says what leaves this machine by the models that are used: nothing, or what and where to. */
export function Leaving({ uses }: { uses: readonly ModelUse[] }) {
  const away = uses
    .filter(usesModel)
    .filter(({ server, name }) => !staysHere({ server: server ?? '', name: name ?? '' }));
  return (
    <section aria-labelledby="models-leaving" className={css['part']}>
      <h2 id="models-leaving">What leaves this machine</h2>
      {away.length === 0 ? (
        <p className={css['text']}>
          Nothing. What models are asked stays on this machine, and an examination asks about made-up notes,
          not about yours.
        </p>
      ) : (
        <ul className={css['leaving']}>
          {away.map(({ part, server }) => (
            <li key={part}>
              <strong>{PARTS[part].name}</strong>: {PARTS[part].sent}, to <bdi>{server}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
