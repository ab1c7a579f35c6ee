import { useEffect, useMemo, useState } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { openDesk, type StartHelper } from '../typeset/desk.ts';
import type { SourceMarks } from './laid-out.ts';
import type { LayoutReply, LayoutRequest } from './layout.worker.ts';

const startWorker: StartHelper<LayoutRequest, LayoutReply> = ({ reply, broke }) => {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutReply>) => reply(data));
  worker.addEventListener('error', broke);
  return {
    ask: (request) => worker.postMessage(request),
    stop: () => worker.terminate(),
  };
};

const desk = openDesk({
  start: startWorker,
  clock: wallClock,
  failures: {
    slow: 'it takes too long to read',
    broken: 'the part of the page that reads notes did not start',
  },
  isKept: true,
  patience: 10_000,
});
/** What was laid out last, so that going back to a note shows it at once; the newest last. */
const kept = new Map<string, LayoutReply>();
const KEPT = 96;
/** Longer sources are laid out again: their trees are large. */
const KEPT_LENGTH = 50_000;

/** The segments of a source, laid out in their order away from the page's own thread; those that are not yet are missing. */
export function useLaidOut(segments: readonly string[], marks: SourceMarks): readonly LayoutReply[] {
  const names = segments.map((segment) => `${JSON.stringify(marks)}\n${segment}`);
  const all = names.join('\0');
  const [found, setFound] = useState<{ all: string; replies: LayoutReply[] }>({ all: '', replies: [] });
  useEffect(() => {
    if (names.every((name) => kept.has(name))) return;
    const leaving = new AbortController();
    const replies: LayoutReply[] = [];
    for (const [at, source] of segments.entries())
      void desk.ask({ source, marks: marksWithin(segments, at, marks) }, leaving.signal).then((reply) => {
        const name = names[at];
        if (name !== undefined && source.length <= KEPT_LENGTH && 'blocks' in reply) keep(name, reply);
        replies.push(reply);
        setFound({ all, replies: [...replies] });
      });
    return () => leaving.abort();
    // The segments and the marks are in the names.
  }, [all]);
  return useMemo(() => {
    const known = names.flatMap((name) => kept.get(name) ?? []);
    if (known.length === names.length) return known;
    return found.all === all ? found.replies : [];
  }, [all, found]);
}

/** The marks of a whole source as offsets in one segment of it. */
function marksWithin(segments: readonly string[], at: number, marks: SourceMarks): SourceMarks {
  const before = segments.slice(0, at).reduce((sum, segment) => sum + segment.length, 0);
  return marks.map(([start, end]) => [start - before, end - before]);
}

function keep(name: string, reply: LayoutReply): void {
  kept.set(name, reply);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
