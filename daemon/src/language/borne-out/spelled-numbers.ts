import { foldText } from '../words/words.ts';
import { ORDINALS } from '../words/number-words.ts';

/** Numbers as words, folded, in English, German, Spanish, French, Italian, Dutch and Portuguese. `One` is an article, too, and no number. */
const VALUES: readonly (readonly [number, string])[] = [
  [0, 'zero null cero nul'],
  [2, 'two zwei dos deux due twee dois duas both beide beiden'],
  [3, 'three drei tres trois tre drie'],
  [4, 'four vier cuatro quatre quattro quatro'],
  [5, 'five funf cinco cinq cinque vijf'],
  [6, 'six sechs seis sei zes'],
  [7, 'seven sieben siete sept sette zeven sete'],
  [8, 'eight acht ocho huit otto oito'],
  [9, 'nine neun nueve neuf nove negen'],
  [10, 'ten zehn diez dix dieci tien dez'],
  [11, 'eleven elf once onze undici'],
  [12, 'twelve zwolf doce douze dodici twaalf doze dozen dutzend docena douzaine'],
  [13, 'thirteen dreizehn trece treize tredici dertien treze'],
  [14, 'fourteen vierzehn catorce quatorze quattordici veertien catorze'],
  [15, 'fifteen funfzehn quince quinze quindici vijftien'],
  [16, 'sixteen sechzehn dieciseis seize sedici zestien dezesseis dezasseis'],
  [17, 'seventeen siebzehn diecisiete diciassette zeventien dezessete'],
  [18, 'eighteen achtzehn dieciocho diciotto achttien dezoito'],
  [19, 'nineteen neunzehn diecinueve diciannove negentien dezenove'],
  [20, 'twenty zwanzig veinte vingt venti twintig vinte'],
  [30, 'thirty dreissig treinta trente trenta dertig trinta'],
  [40, 'forty vierzig cuarenta quarante quaranta veertig quarenta'],
  [50, 'fifty funfzig cincuenta cinquante cinquanta vijftig cinquenta'],
  [60, 'sixty sechzig sesenta soixante sessanta zestig sessenta'],
  [70, 'seventy siebzig setenta settanta zeventig'],
  [80, 'eighty achtzig ochenta ottanta tachtig oitenta'],
  [90, 'ninety neunzig noventa novanta negentig'],
  [100, 'hundred hundert cien ciento cent cento honderd cem'],
  [1000, 'thousand tausend mil mille mila duizend'],
];
const VALUE = new Map(
  VALUES.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)),
);
/** Words that are something else more often: a beard's tip, a French article's end, once upon a time, a Dutch coffee. */
const RATHER_OTHERS = new Set('sei sept once elf acht due mila mil both beide beiden nove'.split(' '));

/** Ordinals and times of day that a text may write as a word, where a sentence has the figure. */
const AS_FIGURES: readonly (readonly [string, string])[] = [
  [
    '1',
    'erste ersten erster erstes premier premiere primero primera primer primo prima eerste primeiro primeira once',
  ],
  ['2', 'zweite zweiten zweiter zweites deuxieme segundo segunda secondo seconda tweede twice zweimal'],
  [
    '3',
    'dritte dritten dritter drittes troisieme tercero tercera tercer terzo terza derde terceiro terceira',
  ],
  ['12', 'noon midday mittag mittags midi mediodia mezzogiorno middag'],
  ['0', 'midnight mitternacht minuit medianoche mezzanotte middernacht'],
];
const FIGURE = new Map([
  ...Object.entries(ORDINALS).map(([word, value]) => [word, String(value)] as const),
  ...AS_FIGURES.flatMap(([figure, words]) => words.split(' ').map((word) => [word, figure] as const)),
]);
const HALF_PAST = /(?<![\p{L}])(?<to>halb|half(?<past> past)?) (?<hour>\p{L}+|\d{1,2})(?!\p{L})/giu;

/** The numbers of a folded text that are written as words, with the word behind them: `twenty-five minutes`, `fünfundzwanzig`. */
export function spelledNumbers(text: string): { value: number; unit: string }[] {
  const words =
    foldText(text)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const found: { value: number; unit: string }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    let [total, last] = [0, at];
    for (let value = valueOf(words[last]); value !== undefined; value = valueOf(words[last])) {
      if (
        last > at &&
        value < 100 &&
        !(total % 100 >= 20 && total % 10 === 0 && value < 10) &&
        total % 100 !== 0
      )
        break;
      total = value >= 100 && total > 0 ? total * value : total + value;
      last += 1;
    }
    if (last === at) continue;
    if (last > at + 1 || !RATHER_OTHERS.has(words[at] ?? ''))
      found.push({ value: total, unit: words[last] ?? '' });
    at = last - 1;
  }
  return found;
}

/** Figures that a text says in words of any kind: `the third`, `at noon`, `half past nine`, and numbers that may be something else. */
export function saidAsWords(text: string): string[] {
  const folded = foldText(text).toLowerCase();
  const words = folded.match(/\p{L}+(?:-\p{L}+)*/gu) ?? [];
  const single = words.flatMap((word) => {
    const value = valueOf(word);
    return [
      ...(value === undefined || !RATHER_OTHERS.has(word) ? [] : [String(value)]),
      ...(FIGURE.has(word) ? [FIGURE.get(word) ?? ''] : []),
    ];
  });
  const halves = [...folded.matchAll(HALF_PAST)].flatMap(({ groups }) => {
    const hour = valueOf(groups?.['hour']) ?? Number(groups?.['hour']);
    // English half nine is 9:30, Dutch `half negen` 8:30, as `halb neun` is.
    const hours =
      groups?.['past'] !== undefined ? [hour] : groups?.['to'] === 'halb' ? [hour - 1] : [hour, hour - 1];
    return Number.isNaN(hour) ? [] : hours.flatMap((of) => [`t${of * 60 + 30}`, `t${(of + 12) * 60 + 30}`]);
  });
  return [...single, ...halves];
}

function valueOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const [, ones, tens] = /^(\p{L}+?)(?:und|en)(\p{L}+(?:zig|ssig|tig))$/u.exec(word) ?? [];
  const joined = [
    VALUE.get(ones === 'ein' || ones === 'een' ? '' : (ones ?? '')) ??
      (ones === 'ein' || ones === 'een' ? 1 : undefined),
    VALUE.get(tens ?? ''),
  ];
  if (joined[0] !== undefined && joined[1] !== undefined) return joined[0] + joined[1];
  return VALUE.get(word);
}
