import { useId, useState } from 'react';
import { Button } from '../../Button.tsx';
import { Code } from './Code.tsx';
import css from './Diagram.module.css';
import { useDiagram } from './use-diagram.ts';

/** Narrower than this part of their own width pictures cannot be read: they scroll instead. */
const NARROWEST = 0.6;

/** A diagram in the language of mermaid as a picture, its source one click away; the source alone until it is drawn, and where it cannot be. */
export function Diagram({ text }: { text: string }) {
  const drawn = useDiagram(text);
  const [isShown, setShown] = useState(false);
  const id = useId();
  const source = <Code language="mermaid" text={text} />;
  if (!drawn) return <div aria-busy="true">{source}</div>;
  if ('failed' in drawn)
    return (
      <div>
        <p className={css['why']}>Not drawn: {drawn.failed}.</p>
        {source}
      </div>
    );
  const { svg, width, height } = drawn;
  return (
    <div>
      <div className={css['diagram']} role="group" aria-label="Diagram" tabIndex={0}>
        <img
          // In a picture no script runs and nothing is fetched, whatever it says.
          src={`data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}`}
          alt={text}
          width={width}
          height={height}
          style={{ minInlineSize: Math.round(width * NARROWEST) }}
        />
      </div>
      <Button
        look="quiet"
        className={css['toggle']}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide source' : 'Show source'}
      </Button>
      <div id={id}>{isShown && source}</div>
    </div>
  );
}
