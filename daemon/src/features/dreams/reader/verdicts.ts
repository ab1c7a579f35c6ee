import type { Asking } from './asking.ts';
import { dropMark, proposalMark, rubbishMark, timesOf } from './marks.ts';
import { type Verdict, verdictQuestion } from './prompts.ts';
import { nearestTo } from './nearby.ts';
import type { DreamMemory, DreamView, Proposal, SheetNote } from '../strategies/strategy.ts';
import { wordsOfYes } from './standing-words.ts';
import { toldLine } from './told-line.ts';

/** Proposals in one question, and characters of their evidence. */
const BATCH = { most: 10, room: 5_000 } as const;
/** Notes that are shown beside a proposal: what came after a due date, and what is near a pair that was found on a sheet. */
const BESIDE = { later: 5, near: 4, length: 260 } as const;

/** Doubtful ones that are asked about in one dream. */
const MOST_DOUBTFUL = 60;

/** Questions about a doubtful one that may bring nothing of use; then it is left until its memories change. */
const MOST_TRIES = 3;

/** What is so by itself (equal texts) is not judged. */
const CERTAIN = 0.99;

export interface Verdicts {
  readonly kept: readonly Proposal[];
  readonly dropped: readonly Proposal[];
  /** How many of them it dropped now, and not in a dream before. */
  readonly refused: number;
  /** Proposals that it was to judge: those that were proposed or dropped in a dream before are none. */
  readonly of: number;
  readonly judged: number;
  readonly reworded: number;
  /** How many it said to hold by words that its notes do not have: then it has said nothing of them. */
  readonly misquoted: number;
}

/**
 * Has a model judge proposals, several at once; it can drop them and give reasons, and adds none. A proposal stays as it was found where
 * the model passes it over, cannot be asked, or says yes without quoting its memories; with `needsYes` only those stay that it confirms by
 * quotes. What it drops is not asked about again until its memories change.
 */
export async function verdictsOn(
  found: readonly Proposal[],
  asking: Asking,
  { isAgain = false, needsYes = false }: { isAgain?: boolean; needsYes?: boolean } = {},
): Promise<Verdicts> {
  const { strategy, view, model, known, before, keep } = asking;
  const byKey = new Map(view.memories().map((memory) => [memory.key, memory]));
  const dropped = new Set<Proposal>();
  const confirmed = new Set<Proposal>();
  const reasons = new Map<Proposal, string>();
  const memoriesOf = ({ evidence }: Proposal) => evidence.flatMap(({ key }) => byKey.get(key) ?? []);
  const markOf = (proposal: Proposal) => dropMark(model.name, { proposal, memories: memoriesOf(proposal) });
  const tryMark = (proposal: Proposal, times: number) =>
    rubbishMark(model.name, { proposal, memories: memoriesOf(proposal), times });
  /** Questions in dreams before that brought nothing of use; what is proposed all the same is asked about once. */
  const triesOf = (proposal: Proposal): number =>
    timesOf(needsYes ? MOST_TRIES : 0, (times) => known(tryMark(proposal, times)));
  const open = found.filter((proposal) => {
    if (proposal.confidence >= CERTAIN) return false;
    const reason = before.held[proposalMark(proposal)];
    if (reason) reasons.set(proposal, reason);
    if (reason !== undefined) confirmed.add(proposal);
    if (known(markOf(proposal))) dropped.add(proposal);
    return (
      !dropped.has(proposal) &&
      reason === undefined &&
      !known(proposalMark(proposal)) &&
      triesOf(proposal) < MOST_TRIES
    );
  });
  // What was asked about before makes room for the next.
  const waiting = needsYes ? open.slice(0, MOST_DOUBTFUL) : open;
  let [judged, refused, misquoted] = [0, 0, 0];
  const besideOf = besideIn(view, byKey, isAgain);
  const lengthOf = (proposal: Proposal): number =>
    besideOf(proposal).length * BESIDE.length +
    proposal.evidence.reduce(
      (sum, { key }) => sum + Math.min(isAgain ? 1_500 : 500, byKey.get(key)?.value.length ?? 0) + 60,
      0,
    );
  /** Of questions that brought nothing of use: a model that never answers anything of use says nothing about proposals. */
  const tried: string[] = [];
  // One of a batch may be why there was no answer of use: those that had none are asked about fewer at a time.
  const byTries = Map.groupBy(waiting, triesOf);
  const batches = Array.from({ length: MOST_TRIES }, (_, tries) =>
    batchesOf(byTries.get(tries) ?? [], { lengthOf, most: BATCH.most >> (2 * tries) }),
  ).flat();
  for (const batch of batches) {
    const question = verdictQuestion(strategy, batch, {
      now: view.now,
      isAgain,
      besideOf: (proposal) => besideOf(proposal).map(noteOf),
      noteOf: (key) => {
        const memory = byKey.get(key);
        return memory && noteOf(memory);
      },
    });
    if (!asking.mayAsk(question)) break;
    const useless = model.useless();
    const answer = await model.ask(question);
    // A model that is out of reach has answered nothing, and says nothing about what it was asked.
    if (model.useless() > useless && needsYes)
      tried.push(...batch.map((proposal) => tryMark(proposal, triesOf(proposal) + 1)));
    if (!answer && model.silence() !== undefined) break;
    const marks: string[] = [];
    const held: Record<string, string> = {};
    for (const [index, proposal] of batch.entries()) {
      const said = answer?.verdicts.find(({ id }) => id === `p${index + 1}`);
      const yes = said?.holds ? wordsOfYes(textsOf(proposal, byKey), said.quotes) : undefined;
      const verdict = said?.holds && !yes ? undefined : said;
      if (said !== verdict) misquoted += 1;
      const isDropped = needsYes ? answer !== undefined && verdict?.holds !== true : verdict?.holds === false;
      // What it passes over is not asked again in this dream.
      if (needsYes ? verdict?.holds : !isDropped) held[proposalMark(proposal)] = '';
      if (verdict) judged += 1;
      if (verdict && yes) {
        confirmed.add(proposal);
        const reason = await reasonOf(verdict, { proposal, words: yes, byKey });
        if (reason === undefined) continue;
        reasons.set(proposal, reason);
        held[proposalMark(proposal)] = reason;
      } else if (isDropped) {
        dropped.add(proposal);
        refused += 1;
        marks.push(markOf(proposal));
      }
    }
    keep({ marks, held });
  }
  if (tried.length > 0 && model.useful() > 0) keep({ marks: tried });
  const kept = found.flatMap((proposal) => {
    if (dropped.has(proposal) || (needsYes && !confirmed.has(proposal))) return [];
    const reason = reasons.get(proposal);
    return [reason === undefined ? proposal : { ...proposal, body: `${reason}\n\n${proposal.body}` }];
  });
  return {
    ...{ kept, dropped: [...dropped], refused, of: waiting.length },
    ...{ judged, reworded: reasons.size, misquoted },
  };
}

function noteOf({ id, key, time, value }: DreamMemory): SheetNote {
  return { id, key, time, text: value };
}

/** The memories to be shown beside a proposal: nothing but those tells whether something that was due is done. */
function besideIn(
  view: DreamView,
  byKey: ByKey,
  isAgain: boolean,
): (proposal: Proposal) => readonly DreamMemory[] {
  const known = new Map<Proposal, readonly DreamMemory[]>();
  const find = ({ strategy, evidence }: Proposal): readonly DreamMemory[] => {
    const of = evidence.flatMap(({ key }) => byKey.get(key) ?? []);
    const ids = of.map(({ id }) => id);
    if (strategy === 'forecast') {
      const last = Math.max(...of.map(({ time }) => time));
      return nearestTo(view, ids, { most: BESIDE.later, may: ({ time }) => time > last }).sort(byTime);
    }
    return isAgain ? nearestTo(view, ids, { most: BESIDE.near, may: () => true }).sort(byTime) : [];
  };
  return (proposal) => {
    let beside = known.get(proposal);
    if (!beside) known.set(proposal, (beside = find(proposal)));
    return beside;
  };
}

function byTime(a: DreamMemory, b: DreamMemory): number {
  return a.time - b.time || a.id - b.id;
}

function batchesOf(
  proposals: readonly Proposal[],
  { lengthOf, most }: { lengthOf: (proposal: Proposal) => number; most: number },
): Proposal[][] {
  const batches: Proposal[][] = [];
  let room = 0;
  for (const proposal of proposals) {
    const length = lengthOf(proposal);
    const last = batches.at(-1);
    if (!last || last.length >= most || length > room) {
      batches.push([proposal]);
      room = BATCH.room - length;
    } else {
      last.push(proposal);
      room -= length;
    }
  }
  return batches;
}

type ByKey = ReadonlyMap<string, DreamMemory>;

/** What the memories of a proposal say, in the order in which a model is shown them. */
function textsOf({ evidence }: Proposal, byKey: ByKey): string[] {
  return evidence.map(({ key, sentence }) => byKey.get(key)?.value ?? sentence);
}

/** What a model gives as its reason, where the words that it quotes and what the proposal says bear it out. */
function reasonOf(
  { why }: Verdict,
  { proposal, words, byKey }: { proposal: Proposal; words: readonly (string | undefined)[]; byKey: ByKey },
): Promise<string | undefined> {
  const quoted = proposal.evidence.flatMap(({ key }, at) => {
    const [memory, own] = [byKey.get(key), words[at]];
    return memory && own !== undefined ? [{ memory, words: own }] : [];
  });
  return toldLine(why, quoted, [proposal.title, proposal.body]);
}
