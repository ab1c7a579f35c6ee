import { useEffect, useState } from 'react';
import { CopyButton } from '../../CopyButton.tsx';
import css from './Code.module.css';
import type { ColouredCode } from './highlight.ts';

/** Longer code stays without colours: to find them would hold up the page. */
const COLOURED = 20_000;

interface CodeProps {
  language: string;
  text: string;
}

/** A block of code, which scrolls sideways by itself, with colours as soon as they have come. */
export function Code({ language, text }: CodeProps) {
  const runs = useColoured(language, text);
  return (
    <div className={css['code']} role="group" aria-label={language === '' ? 'Code' : `Code, ${language}`}>
      <pre className={css['text']} tabIndex={0}>
        <code>
          {runs?.map((run, at) => (
            <span key={at} className={run.className || undefined}>
              {run.text}
            </span>
          )) ?? text}
        </code>
      </pre>
      <div className={css['copy']}>
        <CopyButton text={text} what="code" />
      </div>
    </div>
  );
}

function useColoured(language: string, text: string): ColouredCode[] | undefined {
  const [found, setFound] = useState<{ text: string; runs: ColouredCode[] | undefined }>();
  useEffect(() => {
    if (language === '' || text.length > COLOURED) return;
    let isWanted = true;
    import('./highlight.ts').then(
      ({ coloured }) => isWanted && setFound({ text, runs: coloured(language, text) }),
      // Code is read as well without colours; the next block asks for them again.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [language, text]);
  return found?.text === text ? found.runs : undefined;
}
