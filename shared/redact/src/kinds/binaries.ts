import type { Encoded } from '../text/encoded.ts';
import type { SecretSpan } from '../secret-span.ts';
import { mixtureOf } from '../values/made-up.ts';
import { firstBreakBehind, goesOn, type TextView } from '../text/views.ts';

/** Shorter runs may be a key: those are found as such. */
const SHORTEST = 512;
/** Lines of a wrapped binary are wider than this; lists of ids are narrower. */
const NARROWEST_LINE = 57;
const DATA_ADDRESS =
  /data:[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w.+-]{1,64}=[\w.+-]{1,64}){0,4};base64,([A-Za-z0-9+/_=-]{16,})/gu;

/** The part of a run whose lines are as wide as those of a wrapped binary. */
function wideLines({ text, breaks }: TextView, start: number, end: number): { start: number; end: number } {
  const cuts = [start];
  for (let index = firstBreakBehind(breaks, start); (breaks[index] ?? end) < end; index += 1)
    cuts.push(breaks[index] ?? end);
  cuts.push(end);
  const first = cuts.findIndex((at, index) => (cuts[index + 1] ?? 0) - at >= NARROWEST_LINE);
  if (first < 0) return { start, end: start };
  let last = first + 1;
  while (last < cuts.length - 1 && (cuts[last] ?? 0) - (cuts[last - 1] ?? 0) >= NARROWEST_LINE) last += 1;
  const tail = text.slice(cuts[last - 1], cuts[last]);
  if (tail.length < NARROWEST_LINE && !goesOn(tail, text.slice(cuts[last], (cuts[last] ?? 0) + 3))) last -= 1;
  return { start: cuts[first] ?? start, end: cuts[last] ?? end };
}

/** Images and other binaries in base64: long runs that are no text, and whatever a data address has. */
export function binariesIn(view: TextView, encoded: readonly Encoded[]): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const match of view.text.matchAll(DATA_ADDRESS)) {
    const data = match[1] ?? '';
    const end = match.index + match[0].length;
    found.push({ rule: 'binary', start: end - data.length, end, least: data.length });
  }
  for (const { start: from, end: to, texts } of encoded) {
    if (texts.length > 0 || to - from < SHORTEST) continue;
    const { start, end } = wideLines(view, from, to);
    if (end - start < SHORTEST) continue;
    const { upper, lower, digit } = mixtureOf(view.text.slice(start, start + SHORTEST));
    if (Math.min(upper, lower) < 8 || digit < 4) continue;
    found.push({ rule: 'binary', start, end, least: end - start });
  }
  return found;
}
