import { claimsOf } from './claims.ts';
import { type Conflict, conflictsOf } from './conflicts.ts';
import { readingOf } from './reading.ts';
import { type Clash, clashesOf } from './stances.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 20;

/** Finds what two memories say differently of the same thing: same subject, same attribute, another value; never by word overlap. */
export const contradict: Strategy = {
  name: 'contradict',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const claims = claimsOf(reading, cancelled);
    const conflicts = conflictsOf(claims, reading, {
      view,
      isStopped: cancelled,
      step: (done) => progress(done, claims.length),
    });
    const pairs = new Set<string>();
    const proposals: Proposal[] = [];
    for (const conflict of conflicts) {
      const pair = `${conflict.older.sentence.of.memory.id} ${conflict.newer.sentence.of.memory.id}`;
      if (pairs.has(pair)) continue;
      pairs.add(pair);
      proposals.push(proposalOf(conflict));
    }
    for (const clash of clashesOf(reading, cancelled)) {
      const pair = `${clash.older.sentence.of.memory.id} ${clash.newer.sentence.of.memory.id}`;
      if (pairs.has(pair)) continue;
      pairs.add(pair);
      proposals.push(clashProposal(clash));
    }
    progress(claims.length, claims.length);
    return proposals.sort((a, b) => b.confidence - a.confidence).slice(0, MOST);
  },
};

function proposalOf({ older, newer, strength }: Conflict): Proposal {
  const [a, b] = [older.sentence.of, newer.sentence.of];
  const values = `${older.value.text} (${dayOf(a)}) or ${newer.value.text} (${dayOf(b)})`;
  return {
    strategy: 'contradict',
    title: shorten(`${a.memory.key}, ${b.memory.key}: ${values}?`, 200),
    body: `"${a.memory.key}" of ${dayOf(a)} says ${older.value.text}, "${b.memory.key}" of ${dayOf(b)} says ${newer.value.text}. Both are written as if they held today; the newer is more likely right.`,
    evidence: [older, newer].map(({ sentence }) => ({
      key: sentence.of.memory.key,
      sentence: sentence.text,
    })),
    confidence: Number(Math.min(0.95, 0.45 + strength / 2).toFixed(2)),
    content: `${older.value.kind} ${[older.value.norm, newer.value.norm].sort().join(' / ')}`,
  };
}

function clashProposal({ older, newer, over }: Clash): Proposal {
  const [a, b] = [older.sentence.of, newer.sentence.of];
  return {
    strategy: 'contradict',
    title: shorten(
      `${a.memory.key}, ${b.memory.key}: "${older.said}" (${dayOf(a)}) or "${newer.said}" (${dayOf(b)})?`,
      200,
    ),
    body: `"${a.memory.key}" of ${dayOf(a)} and "${b.memory.key}" of ${dayOf(b)} do not go together: one says "${older.said}", the other "${newer.said}", of the same person and the same thing. The newer is more likely right; where health depends on it, ask.`,
    evidence: [older, newer].map(({ sentence }) => ({
      key: sentence.of.memory.key,
      sentence: sentence.text,
    })),
    confidence: older.how === 'must not' || newer.how === 'must not' ? 0.8 : 0.75,
    content: `stance ${over}`,
  };
}
