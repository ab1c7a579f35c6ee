/** The kinds of a fact's object, by which objects are compared: dates and quantities by their value, names and texts folded. */
export const objectKinds = ['name', 'date', 'number', 'money', 'text'] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** A fact as one memory says it. */
export interface Statement {
  /** As written; `subjectNorm` is what is compared: folded, without article, `user` for `I`, `my` and `we`. */
  readonly subject: string;
  readonly subjectNorm: string;
  /** Normalised, such as `lives_in` or `birthday`; `said` is how the text puts it. */
  readonly predicate: string;
  readonly said: string;
  readonly object: string;
  /** Dates as `2026-05-03` or `--05-03`, quantities as `75 mg` or `419 EUR`, the rest folded. */
  readonly objectNorm: string;
  readonly kind: ObjectKind;
  /** `Bruno does not live in Lisbon` is a fact of its own, not the absence of one. */
  readonly negated: boolean;
  /** Whether a subject has one such object at a time, so that a newer one takes the place of an older one. */
  readonly functional: boolean;
  /** Word for word, as it stands in the memory; empty for a fact out of metadata. */
  readonly sentence: string;
  /** 0..1: how often a rule was right where it was measured. */
  readonly confidence: number;
  readonly origin: 'text' | 'metadata';
  /** Since when it holds, where the sentence says so; milliseconds since 1970. */
  readonly validFrom: number | undefined;
}

/** A memory as facts are read from it. */
export interface FactSource {
  readonly key: string;
  readonly value: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When it was said: what `last Friday` is counted from. */
  readonly observedAt: number;
}

/** A fact as it is kept. Times in milliseconds since 1970. */
export interface Fact extends Omit<Statement, 'validFrom'> {
  readonly id: number;
  readonly memoryId: number;
  readonly observedAt: number;
  readonly validFrom: number;
  /** When a newer fact took its place; null while it holds. */
  readonly validTo: number | null;
  /** Id of that newer fact. */
  readonly supersededBy: number | null;
}
