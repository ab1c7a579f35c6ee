/** A number as it stands in a folded text, and the figures that it is, without noughts before them. */
interface NumberRun {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  /** It may begin with the code of a country. */
  readonly isInternational: boolean;
  readonly isPhone: boolean;
}

/** `1,000,000`, `1.000.000`, `1'000`, `1_000_000`, `12 500`, and `10,00,000` as India groups it; what stands behind a decimal sign is left out. */
const GROUPED =
  /(?=\d)(?<![\p{L}\p{N}]|\p{N}[.,])(?!0)\d{1,3}(?:([.'’_ ])\d{3}(?:\1\d{3})*(?!\d|\1\d)|(?:,\d{2})*,\d{3}(?!\d)(?:,\d{3})*(?!,?\d))/gu;
/** Groups of figures with one sign between them, brackets around some. */
const GROUPS =
  /(?=[\d+(])(?<![\p{L}\p{N}])(?:\+ ?)?\(?\d+(?:(?:\)[ /\p{Pd}]?| ?\(| ?[\p{Pd}/] ?|[ .])\d+)*(?![\p{L}\p{N}])/gu;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/u;
const YEAR = /^(?:19|20)\d\d$/u;
/** Figures of a telephone number or one of a card; without a sign that it is one it has nine, with the code of a country eleven. */
const PHONE = { least: 7, most: 19, plain: 9, international: 11 } as const;

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
    runs.push({ start, end, digits, isInternational: false, isPhone: false });
  }
  return runs;
}

function phoneOf(run: string): Omit<NumberRun, 'start' | 'end'> | undefined {
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
  const isWithCode = isInternational || (!isMarked && digits.length >= PHONE.international);
  return { digits: digits.replace(/^0+/u, ''), isPhone: true, isInternational: isWithCode };
}

/** Figures that the code of a country has at most. */
const COUNTRY = 3;

/** What the text index has of a number beside its figures; of one that begins with the code of a country also without. */
function tokensOf({ digits, isInternational }: Pick<NumberRun, 'digits' | 'isInternational'>): string[] {
  const most = isInternational ? Math.min(COUNTRY, digits.length - PHONE.least) : 0;
  return Array.from({ length: most + 1 }, (_, code) => `number${digits.slice(code)}`);
}

/** What the text index has of the numbers of a folded text beside their figures. */
export function numberTokens(folded: string): string[] {
  return numberRuns(folded).flatMap(tokensOf);
}

/** A number of a query: where it stands there, and the tokens any of which may be meant. */
export interface SoughtNumber {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly string[];
}

/** The numbers of a folded query, in its order; of two groups with a blank between them nobody knows whether they are one. */
export function soughtNumbers(folded: string): SoughtNumber[] {
  if (!/\d/.test(folded)) return [];
  const runs = numberRuns(folded)
    .filter(({ start, end, isPhone }) => isPhone || !/^\d+ \d+$/u.test(folded.slice(start, end)))
    .map((run): SoughtNumber => ({ start: run.start, end: run.end, tokens: [run.digits, ...tokensOf(run)] }));
  for (const { 0: digits, index } of folded.matchAll(PLAIN)) {
    const end = index + digits.length;
    if (YEAR.test(digits) || runs.some((run) => run.start < end && index < run.end)) continue;
    runs.push({ start: index, end, tokens: [digits, `number${digits}`] });
  }
  return runs.sort((a, b) => a.start - b.start);
}

/** Figures alone, which may stand in groups elsewhere. */
const PLAIN = /(?<![\p{L}\p{N}.,:/_-])[1-9]\d{3,7}(?![\p{L}\p{N}:/_-]|[.,]\d)/gu;

/** Where a folded text has one of the numbers that are looked for, by their tokens. */
export function numberMarks(folded: string, tokens: readonly string[]): [start: number, end: number][] {
  if (tokens.length === 0) return [];
  return numberRuns(folded)
    .filter((run) => tokensOf(run).some((token) => tokens.includes(token)))
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
