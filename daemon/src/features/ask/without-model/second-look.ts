import { tokensOfQuestion, type Question } from '../question/question.ts';
import { foldText } from '../../../language/words.ts';
import { sharesOf } from '../reading/evidence.ts';
import type { Answering } from '../reading/reranking.ts';

/** Candidates whose passages may name what the question describes, and names that are looked for. */
const CLOSE = 4;
const NAMES = 3;
/** A word of the question that a passage says so well need not be said of what it names. */
const SAID = 0.8;
/** Questions that name somebody or something by what it is to another: `my sister's boyfriend`, `the man who`, `the town where`. */
const DESCRIBES =
  /['’]s\s|\b(?:of|by|from|with|for) (?:my|our|his|her|their|the)\b|(?<=\S\s)(?:who|whom|whose|that|which|where)\b|\b(?:meiner|meines|unserer|unseres|der|des)\s+\p{Lu}|\b(?:de|du) (?:ma|mon|mes|la|le|notre)\b/u;
/** How much more of the question both passages say together than the best one alone. */
const SAYS_MORE = 0.08;
/** What an answer has to have it has at least so surely in the second passage. */
const HAS_TYPE = 0.8;

/** A name that a passage gives for something that the question describes. */
export interface Bridge {
  readonly name: string;
  readonly from: Answering;
  /** What to look for: the name, and what the passage leaves out of the question. */
  readonly text: string;
}

/**
 * Names of what the question only describes: of `What is the town where my sister studies?` the passage `My sister Mira …` gives Mira, of
 * whom `town` and `studies` are left to be asked.
 */
export function bridgesOf({ words, text }: Question, ranked: readonly Answering[]): Bridge[] {
  if (!DESCRIBES.test(text)) return [];
  const content = words.flatMap((word, at) => (word.role === 'scaffold' ? [] : [{ word, at }]));
  const known = new Set(words.map(({ stem }) => stem));
  const bridges = new Map<string, Bridge>();
  for (const from of ranked.slice(0, CLOSE)) {
    const { passage, here } = from.evidence;
    const said = content.filter(({ at }) => (here[at] ?? 0) >= SAID);
    if (!passage || said.length === 0 || said.length === content.length) continue;
    const left = tokensOfQuestion(text, new Set(said.map(({ word }) => word.text)));
    for (const { isName, stem, text: name, written } of passage.words) {
      if (!isName || known.has(stem) || name.length < 3 || /\p{N}/u.test(name) || bridges.has(name)) continue;
      bridges.set(name, { name, from, text: `${left} ${written}?` });
    }
  }
  return [...bridges.values()].slice(0, NAMES);
}

/**
 * The candidates that say something of a bridge's name, each read together with the passage that gives the name: what either of the two
 * says of the question counts.
 */
export function acrossBridge(
  question: Question,
  { name, from }: Bridge,
  { others, best }: { others: readonly Answering[]; best: Answering | undefined },
): Answering[] {
  const { words, expects } = question;
  const isNamed = new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'iu');
  return others
    .filter(
      ({ memory, evidence }) =>
        memory.id !== from.memory.id &&
        (expects.length === 0 || evidence.type >= HAS_TYPE) &&
        isNamed.test(foldText(evidence.quote?.text ?? '')),
    )
    .map((one) => {
      const merged = (of: 'here' | 'near') =>
        words.map((_, at) => Math.max(one.evidence[of][at] ?? 0, from.evidence[of][at] ?? 0));
      const [here, near] = [merged('here'), merged('near')];
      return { ...one, evidence: { ...one.evidence, here, near, ...sharesOf(words, here, near) } };
    })
    .filter(({ evidence }) => evidence.said >= (best?.evidence.said ?? 0) + SAYS_MORE);
}
