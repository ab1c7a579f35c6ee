import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { loadAttributes } from '../../language/attributes.ts';
import { logOddsByNets, type Nets } from './judgement-nets.ts';
import { type AttributeReader, createAttributeSigns } from './signs-of-attributes.ts';

/**
 * A small decision tree over numbers: each node asks whether one of them is at most a threshold, and goes to a further node, or where
 * the number is negative, to a leaf (-1 is the first).
 */
export interface Tree {
  readonly asks: readonly number[];
  readonly most: readonly number[];
  readonly yes: readonly number[];
  readonly no: readonly number[];
  readonly leaves: readonly number[];
}

/** Trees whose leaves are added up to log odds; `names` says which number is which. */
export interface Forest {
  readonly names: readonly string[];
  readonly bias: number;
  readonly trees: readonly Tree[];
}

/** What a tree says of some numbers. */
export function leafOf({ asks, most, yes, no, leaves }: Tree, values: ArrayLike<number>): number {
  let node = asks.length === 0 ? -1 : 0;
  while (node >= 0) node = ((values[asks[node] ?? 0] ?? 0) <= (most[node] ?? 0) ? yes[node] : no[node]) ?? -1;
  return leaves[-1 - node] ?? 0;
}

/** Log odds by all trees; what a row lacks counts as 0. */
export function logOddsBy({ names, bias, trees }: Forest, row: Readonly<Record<string, number>>): number {
  const values = Float64Array.from(names, (name) => row[name] ?? 0);
  return trees.reduce((sum, tree) => sum + leafOf(tree, values), bias);
}

const numbers = z.array(z.number());
const FittedForest = z.object({
  names: z.array(z.string()),
  bias: z.number(),
  /** Below these log odds a question is not answered. */
  least: z.number(),
  means: numbers,
  spreads: numbers,
  nets: z.array(z.object({ weights: z.array(numbers), biases: numbers, out: numbers, bias: z.number() })),
  trees: z.array(z.object({ asks: numbers, most: numbers, yes: numbers, no: numbers, leaves: numbers })),
});

/** Where the fitted trees and nets are. */
export const FOREST = join(import.meta.dirname, '../../../data/ask/judgement.json');

/** What trees and nets say of some numbers, each by half: their mistakes are different ones. */
export function certaintyBy(fitted: Forest & Nets, row: Readonly<Record<string, number>>): number {
  return (logOddsBy(fitted, row) + logOddsByNets(fitted, row)) / 2;
}

/** What decides whether a question is answered. */
interface Fitted extends Forest, Nets {
  /** Below these log odds it is not. */
  readonly least: number;
  /** The reader of attributes, whose signs the trees and nets were fitted on. */
  readonly attributeSigns: AttributeReader;
}

let loaded: Fitted | undefined;

/** What decides whether a question is answered; read with the first question, or before it: it takes some 300 ms. */
export function loadForest(): Fitted {
  return (loaded ??= {
    ...FittedForest.parse(JSON.parse(readFileSync(FOREST, 'utf8'))),
    attributeSigns: createAttributeSigns(loadAttributes()),
  });
}
