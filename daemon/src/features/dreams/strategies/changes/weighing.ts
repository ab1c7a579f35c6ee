import type { RawSigns } from './raw-signs.ts';

/**
 * What tells that two memories speak against each other, weakened by all that tells that they need not (another subject, a question, what was
 * so once): each 0..1 or so, and the judgement adds them up.
 */
export function weighed(raw: RawSigns) {
  const calm = calmOf(raw);
  // Who says the same figure in other words denies nothing.
  const agreed = 1 - 0.7 * raw.alike;
  const cover = Math.min(raw.here, 0.3 + 0.7 * raw.back);
  const head = 0.7 + 0.3 * raw.headBoth;
  const value = (raw.firmSlot + 0.9 * raw.classSlot + 0.7 * raw.looseSlot) * head;
  const subject = raw.sameSubject * (1 - raw.otherSubject) * calm;
  // Values of other kinds are of other properties, whatever words both are said in.
  const open = raw.statedOpen * (1 - 0.7 * raw.otherKinds);
  // What speaks against a word has to be about more than that word.
  const bound = subject * Math.min(1, raw.exact * 3.5);
  const reasons = {
    value: value * cover * (0.4 * calm + 0.6 * subject),
    valueCue: value * raw.cue * cover * calm,
    valueExact: value * raw.exact * calm,
    valueLeaning: value * raw.leaning * calm,
    stated: raw.statedDiffers * calm * head,
    statedSubject: raw.statedDiffers * subject * head,
    statedOther: open * subject * Math.min(raw.lost, raw.come),
    statedHead: open * raw.headTells * Math.min(raw.lost, raw.come) * calm,
    statedCue: (raw.statedDiffers + 0.5 * raw.statedOpen) * raw.cue * subject,
    stance: raw.stance * calm,
    rejected: raw.rejected * raw.here * bound * agreed,
    rejectedCue: raw.rejected * raw.cue * bound,
    replaced: raw.slot > 0 ? raw.rejectedValue * subject * (0.4 + 0.6 * raw.cue) : 0,
    ended: raw.ended * subject,
    endedCue: raw.ended * raw.cue * subject,
    denied: raw.flip * raw.here ** 2 * (1 - raw.lost) * bound * agreed * (0.3 + 0.7 * raw.headBoth),
    deniedCue: raw.flipCue * bound * (0.3 + 0.7 * raw.headBoth),
    swapped: raw.swapCue * subject,
    changed: raw.cueCovered * bound * (1 - raw.lost),
    opposite: raw.opposite * cover * bound * (1 - 0.7 * raw.lost),
  };
  const any =
    1 -
    (1 - Math.min(1, reasons.value)) *
      (1 - Math.min(1, reasons.stated)) *
      (1 - 0.7 * reasons.stance) *
      (1 - 0.6 * reasons.rejected) *
      (1 - 0.7 * reasons.replaced) *
      (1 - 0.6 * reasons.ended) *
      (1 - 0.6 * reasons.denied) *
      (1 - 0.5 * reasons.opposite) *
      (1 - 0.6 * Math.min(1, reasons.swapped)) *
      (1 - 0.6 * Math.min(1, reasons.statedHead));
  return {
    ...reasons,
    any,
    anyKept: any * raw.here,
    anyCosine: any * raw.cosine,
    calm,
    cosine: raw.cosine,
    mass: raw.mass,
    exact: raw.exact,
    lost: raw.lost,
    come: raw.come,
    here: raw.here,
    back: raw.back,
    leaning: raw.leaning,
    statedSame: raw.statedSame,
    agrees: raw.agrees,
    sameSubject: raw.sameSubject,
    agreesToo: raw.agreesToo,
    opinion: raw.opinion,
    long: raw.long,
    held: raw.held,
    still: raw.still,
    beside: raw.beside,
    readings: raw.readings,
    over: raw.over,
    twins: raw.twins,
    otherName: raw.otherName,
    otherEntity: raw.otherEntity,
    otherKinds: raw.otherKinds,
    elsewhere: raw.elsewhere,
    told: raw.told,
    sharedEntity: raw.sharedEntity,
    headBoth: raw.headBoth,
    otherOwner: raw.otherOwner,
    cue: raw.cue,
    sharedName: raw.sharedName,
    strongest: raw.strongest,
    rankForNewer: raw.rankForNewer,
    lengthNewer: raw.lengthNewer,
    present: raw.present,
    presentOlder: raw.presentOlder,
    days: raw.days,
  };
}
export type Weighed = ReturnType<typeof weighed>;

/** How much the strongest reason tells. */
export function reasonOf(signs: Weighed): number {
  const { value, valueCue, stated, statedCue, stance, rejected, rejectedCue, ended, endedCue } = signs;
  const { denied, deniedCue, swapped, changed, opposite, statedOther } = signs;
  return Math.max(
    ...[value, valueCue, stated, statedCue, stance, rejected, rejectedCue],
    ...[ended, endedCue, denied, deniedCue, swapped, changed, opposite, 0.5 * statedOther, signs.statedHead],
  );
}

/** 1 where nothing tells that both may hold. */
function calmOf(raw: RawSigns): number {
  return (
    (1 - 0.6 * raw.over) *
    (1 - 0.8 * raw.twins) *
    (1 - 0.9 * Math.max(raw.kin, raw.otherOwner)) *
    (1 - 0.5 * raw.otherPerson) *
    (1 - 0.8 * raw.elsewhere) *
    (1 - 0.9 * Math.max(0, raw.long - 0.25)) *
    (1 - 0.8 * raw.namesakes) *
    (1 - 0.8 * Math.min(1, 1.5 * raw.otherName) * (1 - 0.7 * raw.cue)) *
    (1 - 0.5 * raw.once) *
    (1 - 0.8 * raw.thisOnce) *
    (1 - 0.6 * raw.dated) *
    (1 - 0.6 * raw.norm) *
    (1 - 0.5 * raw.opinion) *
    (1 - 0.2 * raw.otherTopic) *
    (1 - 0.8 * raw.otherSubject) *
    (1 - 0.4 * raw.agreesToo) *
    (1 - 0.8 * raw.readings) *
    (1 - 0.5 * raw.week) *
    (1 - 0.5 * raw.onceOlder) *
    (1 - 0.4 * raw.eventOlder) *
    (1 - 0.5 * raw.eventNewer * (1 - raw.cue)) *
    (1 - 0.7 * raw.otherPeriod) *
    (1 - 0.8 * raw.allDiffer) *
    (1 - 0.6 * raw.otherEntity) *
    (1 - 0.7 * raw.wished) *
    (1 - 0.3 * raw.anyReading)
  );
}
