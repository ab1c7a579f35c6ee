const numbered = (lines: readonly string[], first = 0): Readonly<Record<string, number>> =>
  Object.fromEntries(
    lines.flatMap((names, index) => names.split(' ').map((name) => [name, index + first] as const)),
  );

/** Numbers as words, in English, German, French and Spanish. */
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
/** Days of a month as words. */
export const ORDINALS = numbered(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  ),
  1,
);

/** The numbers from zero to twelve, as English writes them. */
export const ENGLISH_NUMBERS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
