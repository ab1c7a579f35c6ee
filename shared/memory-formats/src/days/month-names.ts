/** Names of months that the platform does not give: short English ones, and those of Austria. */
export const MORE_MONTHS: readonly (readonly [string, number])[] = [
  ...'jan feb mar apr may jun jul aug sep oct nov dec'
    .split(' ')
    .map((name, month) => [name, month] as const),
  ['sept', 8],
  ['janner', 0],
  ['feber', 1],
];

/** Short months of German, which English has not. */
const SHORT_GERMAN = [
  ['dez', 11],
  ['okt', 9],
] as const;

/** The months, from 0, as a language writes them, with their accents, in small letters. */
function monthsIn(language: string): [string, number][] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => [
    format.format(Date.UTC(2026, month, 15)).toLowerCase(),
    month,
  ]);
}

/** Months from 0 as English, German, Spanish and French write them, short ones among them: `märz`, `okt`. */
export const MONTHS: Readonly<Record<string, number>> = Object.fromEntries([
  ...['en', 'de', 'es', 'fr'].flatMap(monthsIn),
  ...MORE_MONTHS,
  ...SHORT_GERMAN,
  ['jänner', 0],
]);
