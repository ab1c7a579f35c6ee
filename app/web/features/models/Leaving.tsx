import type { ModelUse } from '@reverie/shared/contract/system/models';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { MaySee } from '../namespaces/MaySee.tsx';
import { MAY_SEE } from './may-see.ts';
import css from './ModelsView.module.css';
import { Sheets } from './Sheets.tsx';
import { PARTS, usesModel, whereTo } from './words.ts';

/** Says what leaves this machine by the models that are used, what left, and which namespaces they may see. */
export function Leaving({ uses }: { uses: readonly ModelUse[] }) {
  const away = uses.filter(usesModel).filter(({ reach }) => reach === 'beyond');
  const [isOpen, setOpen] = useState(false);
  const isLedTo = useLocation().hash === MAY_SEE;
  const shown = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isLedTo) shown.current?.querySelector('summary')?.focus();
  }, [isLedTo]);
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
          {away.map((use) => (
            <li key={use.part}>
              <strong>{PARTS[use.part].name}</strong>: {PARTS[use.part].sent}, to <bdi>{whereTo(use)}</bdi>
            </li>
          ))}
        </ul>
      )}
      <details ref={shown} className={css['more']} open={isLedTo} id={MAY_SEE}>
        <summary>Which namespaces models may see</summary>
        <div className={css['part']}>
          <MaySee />
        </div>
      </details>
      <details className={css['more']} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>What left, question by question</summary>
        {isOpen && <Sheets />}
      </details>
    </section>
  );
}
