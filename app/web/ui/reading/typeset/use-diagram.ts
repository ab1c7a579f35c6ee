import { useEffect, useState } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { openDesk, type StartHelper } from './desk.ts';
import css from './Diagram.module.css';
import { DiagramReply } from './diagram-reply.ts';

/** Where what draws is served, with a policy of its own (`shared/src/http/page-policy.ts`). */
const DRAWS_AT = '/diagram.html';
/** Longer sources are shown as they are written. */
const LONGEST = 20_000;
/** Pictures that are kept, so that going back to a note shows them at once. */
const KEPT = 32;
const kept = new Map<string, DiagramReply>();

/**
 * Draws in a frame that has no origin and may load nothing: what mermaid makes of a hostile source reaches neither the page nor a network,
 * and a frame that is kept busy is taken away. It stands there only while there is something to draw.
 */
const startFrame: StartHelper<string, DiagramReply> = ({ reply, broke }) => {
  const frame = document.createElement('iframe');
  const { port1: port, port2: its } = new MessageChannel();
  port.addEventListener('message', ({ data }) => {
    const read = DiagramReply.safeParse(data);
    if (read.success) reply(read.data);
    else broke();
  });
  port.start();
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.inert = true;
  frame.title = 'Draws diagrams';
  frame.className = css['frame'] ?? '';
  // It has no origin that could be named.
  frame.addEventListener('load', () => frame.contentWindow?.postMessage('', '*', [its]), { once: true });
  frame.src = DRAWS_AT;
  document.body.append(frame);
  return {
    ask: (source) => port.postMessage(source),
    stop: () => {
      port.close();
      frame.remove();
    },
  };
};

const desk = openDesk({
  start: startFrame,
  clock: wallClock,
  failures: { slow: 'it takes too long to draw', broken: 'its picture is too large' },
  isKept: false,
  // The frame is loaded within it, which takes a busy machine seconds.
  patience: 30_000,
});

/** The picture of a diagram, or why there is none; undefined while it is drawn. What draws it is loaded by notes that have one. */
export function useDiagram(source: string): DiagramReply | undefined {
  const [found, setFound] = useState<{ source: string; reply: DiagramReply }>();
  const isLong = source.length > LONGEST;
  useEffect(() => {
    if (isLong || kept.has(source)) return undefined;
    const leaving = new AbortController();
    void desk.ask(source, leaving.signal).then((reply) => {
      if ('svg' in reply) keep(source, reply);
      setFound({ source, reply });
    });
    return () => leaving.abort();
  }, [source, isLong]);
  if (isLong) return { failed: `it is longer than ${LONGEST.toLocaleString('en-GB')} characters` };
  return kept.get(source) ?? (found?.source === source ? found.reply : undefined);
}

function keep(source: string, reply: DiagramReply): void {
  kept.set(source, reply);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
