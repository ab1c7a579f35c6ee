/** A number in a text with what it counts; `start` and `end` in UTF-16 units. */
export interface FoundQuantity {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'number' | 'money' | 'version';
  /** As it is compared: `75 mg`, `419 EUR`, `0.18 %`, `17`, `v5.0.1`. */
  readonly norm: string;
  readonly value: number;
  readonly unit: string;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  $: 'USD',
  usd: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '£': 'GBP',
  gbp: 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  '¥': 'JPY',
  jpy: 'JPY',
  yen: 'JPY',
  chf: 'CHF',
  cents: 'cent',
  cent: 'cent',
};

/** Each unit by the forms in which it is written. */
const UNITS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['ms', 'ms millisecond milliseconds'],
    ['s', 's sec secs second seconds sekunde sekunden'],
    ['min', 'min mins minute minutes minuten'],
    ['h', 'h hr hrs hour hours stunde stunden'],
    ['day', 'd day days tag tage tagen'],
    ['week', 'week weeks woche wochen'],
    ['month', 'month months monat monate monaten'],
    ['year', 'y year years jahr jahre jahren'],
    ['mm', 'mm'],
    ['cm', 'cm'],
    ['m', 'm metre metres meter meters'],
    ['km', 'km kilometre kilometres kilometer kilometers'],
    ['mg', 'mg'],
    ['g', 'g gram grams gramm'],
    ['kg', 'kg kilo kilos kilogram kilograms'],
    ['ml', 'ml'],
    ['l', 'l litre litres liter liters'],
    ['B', 'b byte bytes'],
    ['KB', 'kb'],
    ['MB', 'mb'],
    ['GB', 'gb'],
    ['TB', 'tb'],
    ['KiB', 'kib'],
    ['MiB', 'mib'],
    ['GiB', 'gib'],
    ['%', '% percent'],
    ['°C', '°c degrees degree °'],
    ['kW', 'kw'],
    ['kWh', 'kwh'],
    ['W', 'w watt watts'],
    ['V', 'v volt volts'],
    ['Hz', 'hz'],
    ['MHz', 'mhz'],
    ['GHz', 'ghz'],
  ].flatMap(([unit = '', forms = '']) => forms.split(' ').map((form) => [form, unit])),
);

/** The unit or currency that a word or a sign names: `min` for `minutes`, `EUR` for `€`; undefined where it names none. */
export function unitOf(word: string): string | undefined {
  return CURRENCIES[word.toLowerCase()] ?? UNITS[word.toLowerCase()];
}

const NUMBER = "-?(?:\\d{1,3}(?:[,'’\\u202f]\\d{3})+|\\d+)(?:\\.\\d+)?";
const WORD = '[\\p{L}%°][\\p{L}°]*';
const QUANTITY = new RegExp(
  `(?<![\\p{L}\\p{N}_.,/:@-])(?:(?<version>v\\d+(?:\\.\\d+)*(?:-[a-z]+\\.?\\d*)?|\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?)|(?<sign>[€$£¥])\\s?(?<amount>${NUMBER})(?<scale>\\s?(?:k|m|bn|million|billion)\\b)?|(?<number>${NUMBER})\\s?(?<unit>[€$£¥]|${WORD})?)(?![\\p{N}_]|[.,:/-]\\p{N})`,
  'giu',
);
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };

/** The numbers, sums of money and versions of a text, in order. Dates and times are the business of `dates.ts`. */
export function findQuantities(text: string): FoundQuantity[] {
  const found: FoundQuantity[] = [];
  for (const match of text.matchAll(QUANTITY)) {
    const { version, sign, amount, scale, number, unit } = match.groups ?? {};
    const start = match.index;
    if (version !== undefined) {
      const norm = version.toLowerCase().replace(/^v?/u, 'v');
      found.push({
        text: version,
        start,
        end: start + version.length,
        kind: 'version',
        norm,
        value: NaN,
        unit: 'version',
      });
      continue;
    }
    const currency = CURRENCIES[(sign ?? unit ?? '').toLowerCase()];
    const factor = SCALES[(scale ?? '').trim().toLowerCase()] ?? 1;
    const value = Number((amount ?? number ?? '').replace(/[,'’\u202f]/gu, '')) * factor;
    if (!Number.isFinite(value)) continue;
    const known = currency ?? UNITS[(unit ?? '').toLowerCase()] ?? '';
    // A word after a number is part of it only where it is a unit.
    const said = known === '' && number !== undefined ? number : match[0].trimEnd();
    found.push({
      text: said,
      start,
      end: start + said.length,
      kind: currency === undefined ? 'number' : 'money',
      norm: known === '' ? String(value) : `${value} ${known}`,
      value,
      unit: known,
    });
  }
  return found;
}
