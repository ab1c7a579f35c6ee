/** A number as it stands in a folded text, and the figures that it is, without noughts before them. */
interface NumberRun {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  /** As a telephone number is written, so that one with and without its country's code are the same. */
  readonly isPhone: boolean;
  /** It begins with the code of a country. */
  readonly isInternational: boolean;
}

/** `1,000,000`, `1.000.000`, `1'000`, `1_000_000`, `12 500`, and `10,00,000` as India groups it; what stands behind a decimal sign is left out. */
const GROUPED =
  /(?=\d)(?<![\p{L}\p{N}]|\p{N}[.,])(?!0)\d{1,3}(?:([.'’_ ])\d{3}(?:\1\d{3})*(?!\d|\1\d)|(?:,\d{2})*,\d{3}(?!\d)(?:,\d{3})*(?!,?\d))/gu;
/** Groups of figures with one sign between them, brackets around some. */
const GROUPS =
  /(?=[\d+(])(?<![\p{L}\p{N}])(?:\+ ?)?\(?\d+(?:(?:\)[ /\p{Pd}]?| ?\(| ?[\p{Pd}/] ?|[ .])\d+)*(?![\p{L}\p{N}])/gu;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/u;
const YEAR = /^(?:19|20)\d\d$/u;
/** Figures of a telephone number, by E.164 fifteen at most; without a sign that it is one it has nine. */
const PHONE = { least: 7, most: 15, plain: 9 } as const;

/** The numbers of a folded text that are written in groups, and telephone numbers and other long ones. */
export function numberRuns(folded: string): NumberRun[] {
  if (!/\d/.test(folded)) return [];
  const runs: NumberRun[] = [];
  for (const { 0: run, index } of folded.matchAll(GROUPS)) {
    const phone = run.length < PHONE.least ? undefined : phoneOf(run);
    if (phone) runs.push({ start: index, end: index + run.length, ...phone });
  }
  for (const { 0: run, index } of folded.matchAll(GROUPED)) {
    const [start, end] = [index, index + run.length];
    if (runs.some((one) => one.start < end && start < one.end)) continue;
    const digits = run.replace(/\D/gu, '');
    runs.push({ start, end, digits, isPhone: false, isInternational: false });
  }
  return runs;
}

function phoneOf(run: string): Pick<NumberRun, 'digits' | 'isPhone' | 'isInternational'> | undefined {
  const isInternational = /^\(?(?:\+|00)/u.test(run);
  const groups = (isInternational ? run.replace(/\(0\)/u, ' ') : run).match(/\d+/gu) ?? [];
  const digits = groups.join('');
  if (digits.length < PHONE.least || digits.length > PHONE.most || DATE.test(run)) return undefined;
  const isMarked = /^[+(0]/u.test(run);
  // Addresses of machines and versions have dots, tables small figures.
  const isLong =
    digits.length >= PHONE.plain &&
    (groups.length === 1 || /^\d{3}\.\d{3}\.\d{4}$|^[^./]*\d{3}[^./]*$/u.test(run)) &&
    groups.length !== 2 &&
    !groups.some((group) => YEAR.test(group));
  if (!isMarked && !isLong) return undefined;
  return { digits: digits.replace(/^0+/u, ''), isPhone: true, isInternational };
}

/** What the text index has of a number: its figures from the last one on, for what stands before them may be left out. */
const tokenOf = (digits: string): string => `number${[...digits].reverse().join('')}`;

/** What the text index has of the numbers of a folded text beside their figures. */
export function numberTokens(folded: string): string[] {
  return numberRuns(folded).map(({ digits }) => tokenOf(digits));
}

/** The telephone numbers of a folded text: where each stands, and its token, with which that of one without its country's code begins. */
export function phoneNumbers(folded: string): { start: number; end: number; token: string }[] {
  return numberRuns(folded)
    .filter(({ isPhone }) => isPhone)
    .map(({ start, end, digits }) => ({ start, end, token: tokenOf(digits) }));
}

/** Figures that the code of a country has at most. */
const COUNTRY = 3;

/** A number of a query: where it stands there, and what it is looked for by, any of which may be there or, where `isPrefix`, begin a token. */
export interface SoughtNumber {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
}

/** The numbers of a folded query, in its order; of two groups with a blank between them nobody knows whether they are one. */
export function soughtNumbers(folded: string): SoughtNumber[] {
  if (!/\d/.test(folded)) return [];
  const runs = numberRuns(folded)
    .filter(({ start, end, isPhone }) => isPhone || !/^\d+ \d+$/u.test(folded.slice(start, end)))
    .map(({ start, end, digits, isPhone, isInternational }): SoughtNumber => {
      if (!isPhone) return { start, end, tokens: [digits, tokenOf(digits)], isPrefix: false };
      const kept = isInternational ? Math.max(PHONE.least, digits.length - COUNTRY) : digits.length;
      return { start, end, tokens: [tokenOf(digits.slice(-kept))], isPrefix: true };
    });
  for (const { 0: digits, index } of folded.matchAll(
    /(?<![\p{L}\p{N}.,:/_-])[1-9]\d{3,7}(?![\p{L}\p{N}:/_-]|[.,]\d)/gu,
  )) {
    const end = index + digits.length;
    if (YEAR.test(digits) || runs.some((run) => run.start < end && index < run.end)) continue;
    runs.push({ start: index, end, tokens: [digits, tokenOf(digits)], isPrefix: false });
  }
  return runs.sort((a, b) => a.start - b.start);
}

/** Where a folded text has one of the numbers that are looked for, by their tokens. */
export function numberMarks(folded: string, tokens: readonly string[]): [start: number, end: number][] {
  if (tokens.length === 0) return [];
  return numberRuns(folded)
    .filter(({ digits }) => tokens.some((token) => tokenOf(digits).startsWith(token)))
    .map(({ start, end }) => [start, end]);
}

/** Whether something that is looked for is a number's token. */
export const isNumberToken = (token: string): boolean => /^number\d/u.test(token);

/** A hash as Git and others write it, whole or its beginning: hexadecimal figures, seven at least, letters and digits among them. */
const HASH = /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,128}$/iu;

export function isHash(word: string): boolean {
  return HASH.test(word);
}

/** Figures that the short form of a hash has, from what Git writes on. */
const SHORT_HASH = { least: 7, most: 12 } as const;

/** The short forms of a hash, none of one that is short itself. */
export function shortHashes(hash: string): string[] {
  if (hash.length <= SHORT_HASH.most) return [];
  const lower = hash.toLowerCase();
  return Array.from({ length: SHORT_HASH.most - SHORT_HASH.least + 1 }, (_, more) =>
    lower.slice(0, SHORT_HASH.least + more),
  );
}
