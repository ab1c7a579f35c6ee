const numbered = (lines: readonly string[], first = 0): Readonly<Record<string, number>> =>
  Object.fromEntries(
    lines.flatMap((names, index) => names.split(' ').map((name) => [name, index + first] as const)),
  );

/** Numbers as words, in four languages. */
export const COUNTS: Readonly<Record<string, number>> = {
  ...numbered(
    [
      'a an one ein einer einem einen une un una',
      'two zwei deux dos couple',
      'three drei trois tres',
      'four vier quatre cuatro',
      'five fünf cinq cinco',
      'six sechs seis',
      'seven sieben sept siete',
      'eight acht huit ocho',
      'nine neun neuf nueve',
      'ten zehn dix diez',
      'eleven elf onze once',
      'twelve zwölf douze doce',
    ],
    1,
  ),
  ...numbered(['fourteen vierzehn quatorze', 'fifteen fünfzehn quinze quince'], 14),
  ...{ twenty: 20, thirty: 30, dreißig: 30, trente: 30, forty: 40, sixty: 60, ninety: 90 },
};
/** Months from 0, as four languages name them. */
export const MONTHS = numbered([
  'january januar jänner janvier enero jan',
  'february februar février febrero feb',
  'march märz mars marzo mar',
  'april avril abril apr',
  'may mai mayo',
  'june juni juin junio jun',
  'july juli juillet julio jul',
  'august août agosto aug',
  'september septembre septiembre sept sep',
  'october oktober octobre octubre oct okt',
  'november novembre noviembre nov',
  'december dezember décembre diciembre dec dez',
]);
/** Weekdays from Sunday, 0. */
export const WEEKDAYS = numbered([
  'sunday sonntag dimanche domingo',
  'monday montag lundi lunes',
  'tuesday dienstag mardi martes',
  'wednesday mittwoch mercredi miércoles',
  'thursday donnerstag jeudi jueves',
  'friday freitag vendredi viernes',
  'saturday samstag samedi sábado sonnabend',
]);
/** Days of a month as words. */
export const ORDINALS = numbered(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  ),
  1,
);
