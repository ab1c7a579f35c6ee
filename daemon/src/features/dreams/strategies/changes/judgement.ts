import type { Sign, Signs } from './signs.ts';

/** Fitted by `node bench/dreams/contradiction-fit.ts`, which prints them. */
const BIAS = -8.353;
const WEIGHTS: Readonly<Record<Sign, number>> = {
  cosine: 1.594,
  covered: -0.568,
  mass: 1.384,
  strongest: 1.604,
  sharedName: 0.666,
  cueCovered: 0.565,
  cueMass: 0.877,
  slot: 0.23,
  slotCovered: -0.126,
  slotMass: 0.311,
  slotCue: 1.272,
  frame: -0.126,
  isClass: 0.647,
  stance: 2.08,
  opposite: 0.509,
  oppositeMass: 0.679,
  oppositeCue: -2.11,
  flipMass: 0.289,
  flipCue: 0.645,
  swap: -0.382,
  swapCue: 1.489,
  kin: -1.766,
  namesakes: -1.028,
  strangers: -0.342,
  onlyOlder: 0.104,
  onlyNewer: 0.002,
  twins: -1.4,
  unsureOlder: 0.31,
  toldOlder: -0.01,
  onceOlder: -1.085,
  changeOlder: -1.076,
  readings: -1.842,
  readingOlder: -0.109,
  imagined: 0.622,
  planned: 1.057,
  once: -0.524,
  beside: 0.238,
  still: -0.365,
  agrees: -0.916,
  rankForNewer: 1.61,
  rankForOlder: 0.958,
  lengthNewer: 1.2,
  lengthOlder: -2.967,
  present: 0.522,
  presentOlder: 0.617,
  days: 1.851,
  rule: 0.741,
  nothing: 2.233,
};

/** From here on a pair is proposed; chosen on sets that the weights were not fitted on. */
export const ENOUGH = 0.5;

/** How likely the newer of two memories speaks against the older one, 0..1. */
export function likelihoodOf(signs: Signs): number {
  let sum = BIAS;
  for (const name of Object.keys(WEIGHTS) as Sign[]) sum += WEIGHTS[name] * signs[name];
  return 1 / (1 + Math.exp(-sum));
}
