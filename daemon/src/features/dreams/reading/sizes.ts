import { findingKinds, type FindingKind } from '@reverie/shared/contract/dreams/dreams';
import type { Turn } from './sheets.ts';
import type { LanguageModel } from '../../../models/language-model.ts';

/** How a model is given notes: how much at once, and how many kinds of findings to look for. */
export interface SheetSize {
  /** Characters of notes on a sheet, at most. */
  readonly room: number;
  /** Tokens of an answer, at most. */
  readonly answer: number;
  /** Whether it looks for one kind of findings at a time. */
  readonly isOneKind: boolean;
}

/** Some 24,000 tokens of notes: as much as large models read with attention. */
const LARGE: SheetSize = { room: 72_000, answer: 8_000, isOneKind: false };
/** Tokens that a model reads at once from which on it counts as a large one. */
const LARGE_CONTEXT = 32_000;
/** What a small model reads at once where its server does not say: what Ollama gives one. */
const SMALL_CONTEXT = 8_192;
const SMALL = { least: 3_000, most: 18_000, answer: 1_500, question: 900 } as const;
const LETTERS_OF_TOKEN = 3;
/** Tokens of a sheet from which on a model is asked for all kinds at once, where somebody set how many. */
const MANY_KINDS = 3_000;

/** How much a model is given at once: as much as somebody set; else one on this machine, or of a short context, gets short sheets and one kind at a time. */
export function sheetSizeOf(
  { contextTokens, reach }: Pick<LanguageModel, 'contextTokens' | 'reach'>,
  sheetTokens?: number,
): SheetSize {
  if (sheetTokens !== undefined) {
    const room = sheetTokens * LETTERS_OF_TOKEN;
    const isOneKind = sheetTokens < MANY_KINDS;
    return { room, answer: isOneKind ? SMALL.answer : LARGE.answer, isOneKind };
  }
  const isLarge = contextTokens === undefined ? reach !== 'local' : contextTokens >= LARGE_CONTEXT;
  if (isLarge) return LARGE;
  const left = (contextTokens ?? SMALL_CONTEXT) - SMALL.answer - SMALL.question;
  const room = Math.max(SMALL.least, Math.min(SMALL.most, left * LETTERS_OF_TOKEN));
  return { room, answer: SMALL.answer, isOneKind: true };
}

/** Characters of a sheet for an agent that reads itself: it has a large model, and more to do. */
export const AGENT_ROOM = 48_000;

/** All kinds that a reader may look for. */
export const allKinds = Object.keys(findingKinds) as FindingKind[];

/** Kinds of findings as a number, one bit each for a note's first sheet, and one for its second. */
export function bitsOf(kinds: readonly FindingKind[], turn: Turn): number {
  const bits = kinds.reduce((sum, kind) => sum | (1 << allKinds.indexOf(kind)), 0);
  const second = bits << allKinds.length;
  return turn === 'first' ? bits : turn === 'second' ? second : bits | second;
}
