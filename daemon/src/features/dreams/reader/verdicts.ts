import type { StrategyAsking } from './asking.ts';
import { dropMark, proposalMark, rubbishMark, timesOf } from './marks.ts';
import { type ProposalVerdict, verdictQuestion } from './prompts.ts';
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
  asking: StrategyAsking,
  { isAgain = false, needsYes = false }: { isAgain?: boolean; needsYes?: boolean } = {},
): Promise<Verdicts> {
  const { strategy, view, model, known, keep } = asking;
  const byKey = new Map(view.memories().map((memory) => [memory.key, memory]));
  const judgedOf = (proposal: Proposal) => ({
    proposal,
    memories: proposal.evidence.flatMap(({ key }) => byKey.get(key) ?? []),
  });
  const markOf = (proposal: Proposal) => dropMark(model.name, judgedOf(proposal));
  const tryMark = (proposal: Proposal, times: number) =>
    rubbishMark(model.name, { ...judgedOf(proposal), times });
  /** Questions in dreams before that brought nothing of use; what is proposed all the same is asked about once. */
  const triesOf = (proposal: Proposal): number =>
    timesOf(needsYes ? MOST_TRIES : 0, (times) => known(tryMark(proposal, times)));
  const { waiting, ...before } = toAsk(found, asking, { markOf, triesOf, needsYes });
  const besideOf = besideIn(view, byKey, isAgain);
  const lengthOf = (proposal: Proposal): number =>
    besideOf(proposal).length * BESIDE.length + evidenceLength(proposal, byKey, isAgain ? 1_500 : 500);
  /** Of questions that brought nothing of use: a model that never answers anything of use says nothing about proposals. */
  const tried: string[] = [];
  const judgements: BatchJudgement[] = [];
  for (const batch of batchesOf(waiting, { lengthOf, triesOf })) {
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
    const judgement = await judgementOf(batch, answer?.verdicts, { byKey, needsYes });
    keep({ marks: judgement.dropped.map(markOf), held: judgement.held });
    judgements.push(judgement);
  }
  if (tried.length > 0 && model.useful() > 0) keep({ marks: tried });
  const all = [before, ...judgements];
  const dropped = new Set(all.flatMap((one) => one.dropped));
  const confirmed = new Set(all.flatMap((one) => one.confirmed));
  const reasons = new Map(all.flatMap((one) => [...one.reasons]));
  const kept = found.filter((proposal) => !dropped.has(proposal) && (!needsYes || confirmed.has(proposal)));
  return {
    kept: kept.map((proposal) => withReason(proposal, reasons.get(proposal))),
    dropped: [...dropped],
    refused: sumOf(judgements.map((one) => one.dropped.length)),
    ...{ of: waiting.length, judged: sumOf(judgements.map((one) => one.judged)), reworded: reasons.size },
    misquoted: sumOf(judgements.map((one) => one.misquoted)),
  };
}

/** What a model said of proposals. */
interface Judgement {
  readonly dropped: readonly Proposal[];
  /** Those that it said to hold, by words of their memories. */
  readonly confirmed: readonly Proposal[];
  /** Those that the memories bear out. */
  readonly reasons: ReadonlyMap<Proposal, string>;
}

/** What it said of a few of them, asked once. */
interface BatchJudgement extends Judgement {
  /** Reasons, or nothing, by the marks of proposals that are not asked about again in this dream, for they stand. */
  readonly held: Readonly<Record<string, string>>;
  readonly judged: number;
  readonly misquoted: number;
}

/** The proposals that a model is to judge, and what it said of others in a dream before, or before this one was interrupted. */
function toAsk(
  found: readonly Proposal[],
  { known, before }: Pick<StrategyAsking, 'known' | 'before'>,
  {
    markOf,
    triesOf,
    needsYes,
  }: {
    markOf: (proposal: Proposal) => string;
    triesOf: (proposal: Proposal) => number;
    needsYes: boolean;
  },
): Judgement & { waiting: readonly Proposal[] } {
  const uncertain = found.filter(({ confidence }) => confidence < CERTAIN);
  const heldBefore = (proposal: Proposal) => before.held[proposalMark(proposal)];
  const confirmed = uncertain.filter((proposal) => heldBefore(proposal) !== undefined);
  const dropped = uncertain.filter((proposal) => known(markOf(proposal)));
  const judged = new Set([...confirmed, ...dropped]);
  const open = uncertain.filter(
    (proposal) => !judged.has(proposal) && !known(proposalMark(proposal)) && triesOf(proposal) < MOST_TRIES,
  );
  return {
    // What was asked about before makes room for the next.
    waiting: needsYes ? open.slice(0, MOST_DOUBTFUL) : open,
    ...{ confirmed, dropped },
    reasons: new Map(
      confirmed.flatMap((proposal) => {
        const reason = heldBefore(proposal);
        return reason ? [[proposal, reason] as const] : [];
      }),
    ),
  };
}

/** What an answer says of a batch; `verdicts` is undefined where it was of no use. */
async function judgementOf(
  batch: readonly Proposal[],
  verdicts: readonly ProposalVerdict[] | undefined,
  { byKey, needsYes }: { byKey: ByKey; needsYes: boolean },
): Promise<BatchJudgement> {
  const dropped: Proposal[] = [];
  const confirmed: Proposal[] = [];
  const reasons = new Map<Proposal, string>();
  const held: Record<string, string> = {};
  let [judged, misquoted] = [0, 0];
  for (const [index, proposal] of batch.entries()) {
    const said = verdicts?.find(({ id }) => id === `p${index + 1}`);
    const yes = said?.holds ? wordsOfYes(textsOf(proposal, byKey), said.quotes) : undefined;
    const verdict = said?.holds && !yes ? undefined : said;
    if (said !== verdict) misquoted += 1;
    if (verdict) judged += 1;
    const fate = fateOf(verdict, { isAnswered: verdicts !== undefined, needsYes });
    if (fate === 'stands') held[proposalMark(proposal)] = '';
    if (fate === 'goes') dropped.push(proposal);
    if (!verdict || !yes) continue;
    confirmed.push(proposal);
    const reason = await reasonOf(verdict, { proposal, words: yes, byKey });
    if (reason === undefined) continue;
    reasons.set(proposal, reason);
    held[proposalMark(proposal)] = reason;
  }
  return { dropped, confirmed, reasons, held, judged, misquoted };
}

/** Whether a proposal stands as it was found, goes, or is open still. What is passed over stands, but for what needs a yes: without one it goes. */
function fateOf(
  verdict: ProposalVerdict | undefined,
  { isAnswered, needsYes }: { isAnswered: boolean; needsYes: boolean },
): 'stands' | 'goes' | 'open' {
  if (verdict) return verdict.holds ? 'stands' : 'goes';
  if (!needsYes) return 'stands';
  return isAnswered ? 'goes' : 'open';
}

function withReason(proposal: Proposal, reason: string | undefined): Proposal {
  return reason === undefined ? proposal : { ...proposal, body: `${reason}\n\n${proposal.body}` };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
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

/** Characters of the evidence of a proposal as it is shown, each text to `most` of them, with its day and key. */
function evidenceLength({ evidence }: Proposal, byKey: ByKey, most: number): number {
  return sumOf(evidence.map(({ key }) => Math.min(most, byKey.get(key)?.value.length ?? 0) + 60));
}

/** One of a batch may be why there was no answer of use: those that had none are asked about fewer at a time. */
function batchesOf(
  proposals: readonly Proposal[],
  { lengthOf, triesOf }: Record<'lengthOf' | 'triesOf', (proposal: Proposal) => number>,
): Proposal[][] {
  const byTries = Map.groupBy(proposals, triesOf);
  return Array.from({ length: MOST_TRIES }, (_, tries) =>
    filled(byTries.get(tries) ?? [], { lengthOf, most: BATCH.most >> (2 * tries) }),
  ).flat();
}

function filled(
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
  { why }: ProposalVerdict,
  { proposal, words, byKey }: { proposal: Proposal; words: readonly (string | undefined)[]; byKey: ByKey },
): Promise<string | undefined> {
  const quoted = proposal.evidence.flatMap(({ key }, at) => {
    const [memory, own] = [byKey.get(key), words[at]];
    return memory && own !== undefined ? [{ memory, words: own }] : [];
  });
  return toldLine(why, quoted, [proposal.title, proposal.body]);
}
