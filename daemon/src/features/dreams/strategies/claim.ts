import type { Marks } from './marks.ts';
import type { ReadSentence } from './reading.ts';
import type { Value } from './values.ts';

/** That something has a value, as a sentence says it. */
export interface Claim {
  readonly sentence: ReadSentence;
  readonly marks: Marks;
  readonly value: Value;
  /** What the other words of the sentence say: who and what has the value. */
  readonly context: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** Names and identifiers and what stands in `on the …`, `for …`: they say which one of several is meant. */
  readonly qualifiers: ReadonlySet<string>;
  /** The word that the value stands next to. */
  readonly label: string | undefined;
  /** Whether the value is said to be the most, or what is beyond it. */
  readonly isBound: boolean;
  /** What else of the kind the sentence names. */
  readonly others: ReadonlySet<string>;
  /** The date that the sentence names beside the value. */
  readonly date: string | undefined;
  /** Whether a date is one by which something has to be, rather than one on which it is. */
  readonly isEnd: boolean;
}
