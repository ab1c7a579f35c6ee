import type { Value } from '../values.ts';
import type { Term } from './term.ts';

/** A place in a line that another line could fill otherwise. */
export interface Slot {
  /** What it is a value of. */
  readonly kind: string;
  readonly norm: string;
  readonly text: string;
  /** What stands around it, nearest first: what it is the value of. */
  readonly around: readonly Term[];
  /** Whether only the number is known, and not what it counts. */
  readonly isLoose: boolean;
  /** What is counted, where a word says it. */
  readonly unit: string | undefined;
}

/** Kinds of values of which two are compared whatever else the sentences say. */
const FIRM = /^(?:port|date|time|weekday|money|quantity|frequency|floor|secret)/u;
/** A plain number. */
export const DIGITS = /^\d[\d.]*$/u;
const AROUND = 4;

/** The slots of a line: values, members of classes. */
export function slotsOf(
  terms: readonly Term[],
  values: readonly Value[],
  members: readonly { kind: string; norm: string; start: number; end: number }[],
): Slot[] {
  const around = (start: number, end: number): Term[] =>
    terms
      .filter(
        (term) =>
          (!term.isValue || term.isMember) && !(term.start >= start && term.start < end) && !term.isNumber,
      )
      .map((term) => ({
        term,
        far: term.start < start ? start - term.start - term.text.length : term.start - end,
      }))
      .sort((a, b) => a.far - b.far)
      .slice(0, AROUND)
      .map(({ term }) => term);
  return [
    ...values.flatMap(({ kind, norm, text, start, end }): Slot[] => {
      const isFirm = FIRM.test(kind);
      if (!isFirm && !DIGITS.test(norm)) return [];
      return [
        {
          kind: isFirm ? kind : kind.startsWith('count ') ? 'count' : 'number',
          norm,
          text,
          around: around(start, end),
          isLoose: !isFirm,
          unit: kind.startsWith('count ') ? kind.slice(6) : undefined,
        },
      ];
    }),
    ...members.map(({ kind, norm, start, end }) => ({
      kind,
      norm,
      text: norm,
      around: around(start, end),
      isLoose: false,
      unit: undefined,
    })),
  ];
}
