import { contradictSheets } from './contradict-sheets.ts';
import { ENOUGH } from './changes/judgement.ts';
import { likelyPairsOf, type ReadPair } from './changes/pairs.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 20;

/**
 * Finds a newer memory that says of something what an older one says otherwise. Pairs are nominated by likeness and rare words, read for signs
 * (a value that differs where the words around it are alike, a denial, somebody else, a word of change), and judged by a fitted model.
 */
export const contradict: Strategy = {
  name: 'contradict',
  sheets: contradictSheets,
  run(view, { progress, cancelled }) {
    const judged = likelyPairsOf(view, { isStopped: cancelled, step: progress }).filter(
      ({ likelihood }) => likelihood >= ENOUGH,
    );
    // What is best explained by one partner is no contradiction of a second one.
    const taken = new Set<number>();
    const proposals: Proposal[] = [];
    for (const { likelihood, ...read } of judged) {
      const ids = [read.pair.older, read.pair.newer].map(({ memory }) => memory.memory.id);
      if (ids.some((id) => taken.has(id))) continue;
      for (const id of ids) taken.add(id);
      proposals.push(proposalOf(read, likelihood));
    }
    return proposals.slice(0, MOST);
  },
};

function proposalOf(read: ReadPair, likelihood: number): Proposal {
  const { older, newer, lines } = read.pair;
  const [a, b] = [older.memory, newer.memory];
  const { said, why } = reasonOf(read);
  return {
    strategy: 'contradict',
    title: shorten(`${a.memory.key}, ${b.memory.key}: ${said}?`, 200),
    body: `"${a.memory.key}" of ${dayOf(a)} and "${b.memory.key}" of ${dayOf(b)} do not seem to go together: ${why}. The newer one, "${b.memory.key}", is more likely right.`,
    evidence: [
      { key: a.memory.key, sentence: lines[0].sentence.text },
      { key: b.memory.key, sentence: lines[1].sentence.text },
    ],
    confidence: Number(likelihood.toFixed(2)),
    content: `contradiction ${read.clash ? [read.clash.older.norm, read.clash.newer.norm].sort().join(' / ') : 'told otherwise'}`,
  };
}

/** What of it made the judgement, in words. */
function reasonOf({ pair, clash, stance, isDenied }: ReadPair): { said: string; why: string } {
  const [old, now] = [dayOf(pair.older.memory), dayOf(pair.newer.memory)];
  const change = pair.lines[1].cues.change > 0 ? ', and the newer one speaks of a change' : '';
  if (stance) {
    const [one, other] = [stance.older.said, stance.newer.said];
    return {
      said: `"${one}" (${old}) or "${other}" (${now})`,
      why: `one says "${one}", the other "${other}", of the same thing; where health depends on it, ask`,
    };
  }
  if (clash) {
    const [one, other] = [clash.older.text, clash.newer.text];
    return {
      said: `${one} (${old}) or ${other} (${now})`,
      why: `one says ${one}, the other ${other}, of what seems to be the same${change}`,
    };
  }
  if (isDenied)
    return {
      said: `said of ${old}, and denied on ${now}`,
      why: `what one says the other denies${change}`,
    };
  return {
    said: `as on ${old}, or as on ${now}`,
    why: `they are about the same, and the newer one says that it changed`,
  };
}
