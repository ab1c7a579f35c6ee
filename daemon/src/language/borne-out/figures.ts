import { unitOf } from '../words/quantities.ts';
import { foldText } from '../words/words.ts';
import { spelledNumbers } from './spelled-numbers.ts';

/** A number as it is compared: by any of its readings (`1.307` is 1307, or one and a bit), with its unit where that is known. */
export interface Figure {
  readonly readings: readonly string[];
  readonly unit: string | undefined;
  readonly isWord: boolean;
}

const GROUPED = /^\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+$/u;
const NUMBER = /\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d.,])|\d+(?:[.,:'’]\d+)*/gu;
const SCALE: readonly (readonly [RegExp, number])[] = [
  [/^\s?(?:k|tsd|mil)(?!\p{L})|^\s(?:thousand|tausend)/iu, 1e3],
  [/^\s?(?:m|mio|million(?:en|es|s)?|millones)(?!\p{L})/iu, 1e6],
  [/^\s?(?:bn|mrd|billion|milliarden?)(?!\p{L})/iu, 1e9],
];
const AFTERNOON = /^\s?p\.?m(?!\p{L})/iu;
const MORNING = /^\s?a\.?m(?!\p{L})/iu;

/** The numbers of a text, those in words among them; `9.30` may be half past nine, too. */
export function figuresIn(given: string): Figure[] {
  const text = foldText(given);
  const figures = [...text.matchAll(NUMBER)].map(({ 0: written, index }): Figure => {
    const behind = text.slice(index + written.length, index + written.length + 24);
    const before = text.slice(Math.max(0, index - 6), index);
    const word = /^\s?([%€$£¥]|[\p{L}°]+)/u.exec(behind)?.[1];
    const sign = /([€$£¥]|(?:eur|usd|gbp|chf))\s?$/iu.exec(before)?.[1];
    const isNegative =
      /(?:^|[\s(])[-−–]$|(?:minus|moins|menos|meno) $/iu.test(before) && !/\d\s?[-−–]$/u.test(before);
    const readings = [...readingsOf(written), ...timesOf(written, behind)].map((one) =>
      isNegative ? `-${one}` : one,
    );
    const scale = SCALE.find(([form]) => form.test(behind))?.[1];
    const scaled =
      scale === undefined
        ? []
        : readings.flatMap((one) => (/^\d+(?:\.\d+)?$/u.test(one) ? String(Number(one) * scale) : []));
    const half = AFTERNOON.test(behind) ? 'pm' : MORNING.test(behind) ? 'am' : undefined;
    const unit = half ?? unitOf(sign ?? word ?? '');
    return { readings: [...readings, ...scaled], unit, isWord: false };
  });
  const words = spelledNumbers(text).map(({ value, unit }): Figure => ({
    readings: [String(value)],
    unit: unitOf(unit),
    isWord: true,
  }));
  return [...figures, ...words];
}

const PART = String.raw`(?:[€$£¥]\s?)?(?:${NUMBER.source})(?:\s?[€$£¥%]|\s?\p{L}{1,12})?`;
const SIGN = '[-+−–×x*·÷/]';
const SUM = new RegExp(
  String.raw`(?<![\p{N}.,]|${SIGN}\s?)${PART}(?:\s?${SIGN}\s?${PART})+\s?=\s?${PART}(?![.,]?\p{N}|\s?[-+−–×*·÷/=])`,
  'gu',
);

/** The sums that a text writes out and that are right, such as `12 + 30 + 2 = 44`. */
export function sumsIn(text: string): { parts: Figure[]; result: Figure }[] {
  const swapped = (sum: string) => sum.replaceAll(/[.,]/gu, (sign) => (sign === '.' ? ',' : '.'));
  const sums = (text.match(SUM) ?? []).filter((sum) => isRight(sum) || isRight(swapped(sum)));
  return sums.flatMap((sum) => {
    const parts = (sum.match(new RegExp(PART, 'gu')) ?? []).flatMap((part) => figuresIn(part).slice(0, 1));
    const result = parts.pop();
    return result ? [{ parts, result }] : [];
  });
}

/** Whether a sum, with a point before its decimals, is right. */
function isRight(sum: string): boolean {
  const [left = '', right = ''] = sum.split('=');
  const terms = left.split(/(?=[-+−–])/u).map((term) => {
    const factors = term.split(/(?=[×x*·÷/]\s?[€$£¥\d])/u);
    const values = factors.map((one) => (/^[÷/]/u.test(one) ? 1 / valueIn(one) : valueIn(one)));
    return values.reduce((product, value) => product * value, /^[-−–]/u.test(term) ? -1 : 1);
  });
  return Math.abs(terms.reduce((total, term) => total + term, 0) - valueIn(right)) < 1e-9;
}

function valueIn(text: string): number {
  const written = text.match(NUMBER)?.[0] ?? '';
  const isNumber = /^(?:\d+|\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+)(?:\.\d+)?$/u.test(written);
  return isNumber ? Number(written.replaceAll(/[^\d.]/gu, '')) : NaN;
}

function readingsOf(written: string): string[] {
  const plain = (part: string) => part.replace(/^0+(?=\d)/u, '');
  const all = new Set([written.replaceAll(/[’]/gu, "'")]);
  if (GROUPED.test(written)) all.add(written.replaceAll(/\D/gu, ''));
  const parts = written.split(/[.,:'’ \u00a0\u202f]/u);
  const [whole = '', part = ''] = parts;
  if (parts.length === 1) all.add(plain(whole));
  // 1,000 is no 1.
  if (parts.length === 2 && /[.,]/u.test(written))
    all.add(GROUPED.test(written) ? `${plain(whole)}.${part}` : decimal(plain(whole), part));
  // 1,307.50 and 1.307,50.
  const grouped = /^(\d{1,3}(?:[.,'’]\d{3})+)([.,])(\d{1,2})$/u.exec(written);
  if (grouped) all.add(decimal((grouped[1] ?? '').replaceAll(/\D/gu, ''), grouped[3] ?? ''));
  return [...all];
}

function decimal(whole: string, part: string): string {
  const rest = part.replace(/0+$/u, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** `t` with the minutes of the day: 9:30, 9.30, 5 pm and 17 Uhr; without am and pm before noon, it may be after it. */
function timesOf(written: string, behind: string): string[] {
  const [, hour, minute] = /^(\d{1,2})(?:[:.](\d\d))?$/u.exec(written) ?? [];
  const isLater = AFTERNOON.test(behind);
  const isTime =
    minute !== undefined ||
    isLater ||
    MORNING.test(behind) ||
    /^\s?(?:h|uhr|o['’]clock)(?!\p{L})/iu.test(behind);
  const minutes = Number(minute ?? /^\s?(?:h|uhr)\s?(\d\d)(?!\d)/iu.exec(behind)?.[1] ?? 0);
  if (hour === undefined || !isTime || Number(hour) > 24 || minutes > 59) return [];
  // Who comes at 8 comes at 8:00.
  const whole = minute === '00' ? [String(Number(hour))] : [];
  if (isLater) return [...whole, `t${((Number(hour) % 12) + 12) * 60 + minutes}`];
  const at = `t${Number(hour) * 60 + minutes}`;
  return [
    ...whole,
    at,
    ...(MORNING.test(behind) || Number(hour) >= 12 ? [] : [`t${(Number(hour) + 12) * 60 + minutes}`]),
  ];
}
