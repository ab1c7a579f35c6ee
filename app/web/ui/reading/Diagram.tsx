import { useEffect, useState } from 'react';
import { Code } from './Code.tsx';
import css from './Diagram.module.css';
import type { Drawing } from './draw-diagram.ts';

/** Longer sources are shown as they are written. */
const LONGEST = 20_000;

/** A diagram as it is written until it is drawn, and where it cannot be. What draws it is loaded by notes that have one. */
export function Diagram({ text }: { text: string }) {
  const [drawn, setDrawn] = useState<{ of: string; drawing: Drawing }>();
  useEffect(() => {
    if (text.length > LONGEST) return;
    let isWanted = true;
    import('./draw-diagram.ts')
      .then(({ drawDiagram }) => drawDiagram(text))
      .then(
        (drawing) => isWanted && setDrawn({ of: text, drawing }),
        // It is read as well in its source, which stands there.
        () => undefined,
      );
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (drawn?.of !== text) return <Code language="mermaid" text={text} />;
  const { src, width, height } = drawn.drawing;
  return (
    <div className={css['diagram']} role="group" aria-label="Diagram" tabIndex={0}>
      <img src={src} width={width} height={height} alt={text} />
    </div>
  );
}
