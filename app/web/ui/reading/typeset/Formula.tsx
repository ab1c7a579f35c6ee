import { useEffect, useRef, useState } from 'react';
import css from './Formula.module.css';

/** Longer ones are shown as they are written: nobody reads them as formulas, and setting them would hold up the page. */
const LONGEST = 4_000;

/** A formula as it is written until it is set, and where it cannot be. What sets it is loaded by notes that have one. */
export function Formula({ text, isBlock }: { text: string; isBlock: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  const [set, setSet] = useState<string>();
  const isSet = set === text;
  useEffect(() => {
    if (text.length > LONGEST) return;
    let isWanted = true;
    import('./set-formula.ts').then(
      ({ setFormula }) => {
        if (isWanted && place.current && setFormula(place.current, text, isBlock)) setSet(text);
      },
      // A formula is read as well in its source; the next note asks for it again.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [text, isBlock]);
  return (
    <span className={css['formula']} data-block={isBlock} {...(isBlock && isSet && { tabIndex: 0 })}>
      <span ref={place} hidden={!isSet} />
      {!isSet && <code>{text}</code>}
    </span>
  );
}
