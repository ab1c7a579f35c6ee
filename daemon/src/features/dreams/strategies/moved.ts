import { isClaim, isEarlier, slotValuesOf, valueKind } from './changes/slot-values.ts';
import type { Reading, ReadSentence } from './reading.ts';
import { tellsEvent } from './tense.ts';

/** A value that an older memory has and that a newer one says anew. */
export interface Moved {
  readonly older: ReadSentence;
  readonly newer: ReadSentence;
  /** As either writes it. */
  readonly from: string;
  readonly to: string;
  /** The share of what the older says that the newer says, too. */
  readonly alike: number;
}

/** Of what the older one says, by weight, so much has to stand in the newer one. */
const SAME = 0.6;
/** A term that more memories have nominates no pair. */
const RARE = 12;
/** That something is so from then on; `now` alone is said of readings, too. */
const CHANGE =
  /(?:^|[^\p{L}])(?:now|from now on|from today|since \p{L}+|as of|moved|changed|switched|instead|no longer|any ?more|raised|lowered|increased|reduced|replaced|new|correction|corrected|upgraded|migrated|rotated|bumped|jetzt|ab jetzt|ab sofort|neu(?:e[nrs]?)?|seit|geändert|désormais|maintenant|nouveau|nouvelle)(?![\p{L}])/iu;

/**
 * Values that moved: two sentences of one subject, nearly in the same words, of which the newer has another value of the same kind in the
 * place of one, and says that something changed. Best first.
 */
export function movedValues(reading: Reading, isStopped: () => boolean): Moved[] {
  const index = new Map<string, ReadSentence[]>();
  const found: Moved[] = [];
  // By time, so that what is in the index is older.
  for (const memory of reading.memories) {
    if (isStopped()) return [];
    for (const newer of memory.memory.isCut ? [] : memory.sentences) {
      if (!isClaim(newer) || !CHANGE.test(newer.text)) continue;
      const best = candidates(newer, { index, reading })
        .flatMap((older) => movedFrom(older, newer, reading) ?? [])
        .sort((a, b) => b.alike - a.alike)[0];
      if (best) found.push(best);
    }
    for (const sentence of memory.memory.isCut ? [] : memory.sentences)
      // What somebody did keeps the value that it had.
      if (isClaim(sentence) && !tellsEvent(sentence.text) && slotValuesOf(sentence).length > 0)
        for (const term of termsOf(sentence))
          if (reading.frequency(term) <= RARE) {
            const list = index.get(term);
            if (list) list.push(sentence);
            else index.set(term, [sentence]);
          }
  }
  return found.sort((a, b) => b.alike - a.alike || a.newer.of.memory.id - b.newer.of.memory.id);
}

function candidates(
  newer: ReadSentence,
  { index, reading }: { index: ReadonlyMap<string, readonly ReadSentence[]>; reading: Reading },
): ReadSentence[] {
  const near = new Set<ReadSentence>();
  for (const term of termsOf(newer))
    if (reading.frequency(term) <= RARE) for (const one of index.get(term) ?? []) near.add(one);
  return [...near].filter(({ of }) => isEarlier(of, newer.of));
}

function movedFrom(older: ReadSentence, newer: ReadSentence, reading: Reading): Moved | undefined {
  const [was, is] = [slotValuesOf(older), slotValuesOf(newer)];
  const gone = was.filter(({ norm }) => !is.some((one) => one.norm === norm));
  const kept = was.filter(({ norm }) => is.some((one) => one.norm === norm));
  const come = is.filter(({ norm }) => !was.some((one) => one.norm === norm));
  const [to] = come;
  // `from 8081 to 9181` names the old value, too.
  const [from] = gone.length === 1 ? gone : gone.length === 0 && kept.length === 1 ? kept : [];
  if (!from || !to || come.length !== 1 || from.kind !== to.kind) return undefined;
  const [said, says] = [termsOf(older), termsOf(newer)];
  const weigh = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + reading.weight(term), 0);
  const shared = said.intersection(says);
  const alike = weigh(shared) / weigh(said);
  const lost = [...said.difference(says)];
  const [names, others] = [namesOf(older), namesOf(newer).difference(namesOf(older))];
  // `the quill editor`, and `the Vellum editor`: another one.
  const isOther = others.size > 0 && (names.size > 0 || lost.length > 0);
  if (shared.size < 2 || alike < SAME || isOther || lost.some((term) => names.has(term))) return undefined;
  return { older, newer, from: from.token.text, to: to.token.text, alike };
}

function termsOf({ tokens }: ReadSentence): Set<string> {
  return new Set(tokens.flatMap((token) => (token.says && !valueKind(token) ? [token.term] : [])));
}

function namesOf({ tokens }: ReadSentence): Set<string> {
  return new Set(
    tokens.flatMap((token) =>
      (token.shape === 'name' || token.shape === 'id') && !valueKind(token) ? [token.term] : [],
    ),
  );
}
