export const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'january januar janvier jan',
    'february februar février feb',
    'march märz mars mar',
    'april avril apr',
    'may mai',
    'june juni juin jun',
    'july juli juillet jul',
    'august août aug',
    'september septembre sept sep',
    'october oktober octobre oct',
    'november novembre nov',
    'december dezember décembre dec',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1])),
);
export const WEEKDAYS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'monday montag lundi',
    'tuesday dienstag mardi',
    'wednesday mittwoch mercredi',
    'thursday donnerstag jeudi',
    'friday freitag vendredi',
    'saturday samstag samedi',
    'sunday sonntag dimanche',
  ].flatMap((names) => names.split(' ').map((name) => [name, names.split(' ')[0] ?? name])),
);
export const SMALL = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
export const TENS: Readonly<Record<string, number>> = {
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};
const SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  min: 60,
  h: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};
export const ORDINALS = 'ground first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
export const UNITS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'ms millisecond milliseconds',
    's sec secs second seconds sekunden',
    'min mins minute minutes minuten',
    'h hr hrs hour hours stunden',
    'day days tage tagen jours',
    'week weeks wochen',
    'month months monate monaten',
    'year years jahre jahren',
    'mg',
    'g gram grams gramm',
    'kg kilo kilos kilograms',
    'ml',
    'l litre litres liter liters',
    'mm',
    'cm',
    'm metre metres meters',
    'km kilometres kilometers',
    '% percent prozent',
    'kb kib',
    'mb mib megabytes',
    'gb gib gigabytes',
    'tb tib',
    '°c degrees grad',
    'kw',
    'kwh',
    'w watt watts',
    'px pixels',
    'bar',
    'mbit mbps',
    'times time retries attempts',
    'people persons guests',
    'tablet tablets pill pills',
    'character characters chars',
  ].flatMap((names) => names.split(' ').map((name) => [name, names.split(' ')[0] ?? name])),
);

export function date(day = '', month = '', year?: string): { kind: string; norm: string } | undefined {
  const [d, m] = [Number(day), Number(month)];
  if (!(d >= 1 && d <= 31 && m >= 1 && m <= 12)) return undefined;
  const norm = `${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
  return { kind: 'date', norm: year === undefined ? norm : `${norm}-${year}` };
}

/** Minutes of half a day: `half past seven` may be in the evening. */
export function time(
  hour: number,
  minute: number,
  half?: string,
): { kind: string; norm: string } | undefined {
  if (hour > 24 || (half === undefined && hour === 0 && minute === 0)) return undefined;
  return { kind: 'time', norm: String((((hour * 60 + minute) % 720) + 720) % 720) };
}

export function quantity(number: string, unit: string): { kind: string; norm: string } {
  const known = UNITS[unit.toLowerCase()] ?? unit.toLowerCase();
  const seconds = SECONDS[known];
  if (seconds !== undefined)
    return { kind: 'quantity duration', norm: String(Number((Number(number) * seconds).toPrecision(6))) };
  return { kind: `quantity ${known}`, norm: number };
}

/** `1.480` and `1,480` are a thousand and more, `1.5` and `1,5` one and a half. */
export function numeral(text: string): string {
  const plain = text.replaceAll(/[.,](?=\d{3}(?:\D|$))/gu, '').replace(',', '.');
  const value = Number(plain);
  return Number.isNaN(value) ? text : String(value);
}

export function numberWord(word: string): number {
  const lower = word.toLowerCase();
  return SMALL.includes(lower) ? SMALL.indexOf(lower) + 1 : (TENS[lower] ?? 0);
}

export function frequency(
  of: Record<'word' | 'times' | 'per' | 'other' | 'unit', string | undefined>,
): string {
  const { word, times, per, other, unit } = of;
  if (word !== undefined)
    return /^(?:fortnightly|biweekly)$/iu.test(word)
      ? 'other week'
      : word.toLowerCase().replace('annually', 'yearly');
  if (other !== undefined) return `${other.toLowerCase().replace('second', 'other')} ${unit ?? ''}`;
  if (/^once$/iu.test(times ?? ''))
    return { day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' }[per ?? ''] ?? '';
  return `${times ?? ''} ${per ?? ''}`.toLowerCase();
}
