import type { Sign, Signs } from './signs.ts';

/** Fitted by `node bench/dreams/contradiction-fit.ts`, which prints them. */
const BIAS = -8.442;
const WEIGHTS: Readonly<Record<Sign, number>> = {
  cosine: 1.513,
  covered: -0.728,
  mass: 1.209,
  strongest: 1.959,
  sharedName: 0.563,
  cueCovered: 0.45,
  cueMass: 0.52,
  slot: -0.063,
  slotCovered: 0.08,
  slotMass: 0.363,
  slotCue: 1.357,
  isClass: 0.687,
  stance: 1.954,
  opposite: 0.489,
  oppositeMass: 0.707,
  oppositeCue: -1.988,
  flipMass: 0.461,
  flipCue: 0.25,
  swap: -0.387,
  swapCue: 1.435,
  kin: -1.736,
  strangers: -0.371,
  onlyOlder: 0.119,
  onlyNewer: 0.143,
  twins: -1.407,
  unsureOlder: -0.646,
  toldOlder: -0.617,
  onceOlder: -0.856,
  changeOlder: -1.189,
  readings: -1.743,
  readingOlder: -0.24,
  imagined: -0.439,
  planned: 0.514,
  once: -0.315,
  beside: 0.325,
  still: -0.269,
  agrees: -0.814,
  rankForNewer: 1.603,
  rankForOlder: 1.005,
  lengthNewer: 1.627,
  lengthOlder: -3.259,
  present: 0.591,
  presentOlder: 0.777,
  days: 1.813,
  rule: 0.702,
  nothing: 1.794,
};

/** From here on a pair is proposed; chosen on sets that the weights were not fitted on. */
export const ENOUGH = 0.5;

/** How likely the newer of two memories speaks against the older one, 0..1. */
export function likelihoodOf(signs: Signs): number {
  let sum = BIAS;
  for (const name of Object.keys(WEIGHTS) as Sign[]) sum += WEIGHTS[name] * signs[name];
  return 1 / (1 + Math.exp(-sum));
}
