// Words by which something is due, in the languages whose months are known. Short on purpose: what says it otherwise is a model's.

const anyOf = (words: readonly string[]): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${words.map((word) => word.replaceAll(' ', String.raw`\s`)).join('|')})(?![\p{L}])`;

/** They stand right before the day: `by 30 November`. */
const BEFORE_DAY = [
  ...['by', 'until', 'till', 'before', 'limited to', 'valid to', 'no later than', 'not later than'],
  ...['bis', 'bis zum', 'bis spätestens', 'spätestens am', 'spätestens', 'vor dem'],
  ...['avant', 'avant le', "d'ici le", "jusqu'au", 'au plus tard le'],
  ...['antes del', 'hasta', 'hasta el'],
  ...['entro', 'entro il', 'fino al'],
  ...['voor', 'uiterlijk', 'uiterlijk op', 'tot', 'tot en met', 'vóór'],
  ...['até', 'até o dia', 'antes de'],
];
const IN_CLAUSE = [
  ...[
    'due',
    'deadline',
    'expir(?:es?|y|ing|ation|ations)',
    'renew(?:s|al|ed)?',
    'runs? out',
    'lapses?',
    'valid',
    '(?:switch|shut|turn)(?:ed|es|s)? (?:off|down)',
  ],
  ...['clos(?:es|ing)', 'ends', 'end of life', 'cut-?off', 'warranty', 'appointment', 'scheduled'],
  ...[
    'fällig',
    'frist',
    'abgabe',
    'läuft',
    'laufen',
    'endet',
    'gültig',
    'ablauf',
    'verlängern',
    'kündigen',
    'termin',
  ],
  ...['expirent?', 'échéance', 'date limite', 'valable', 'renouveler', 'se termine', 'rendez-vous'],
  ...['vence', 'caduca', 'plazo', 'fecha límite', 'renovar', 'válido', 'cita'],
  ...['scade', 'scadenza', 'rinnovare', 'termina', 'appuntamento'],
  ...['verloopt', 'vervalt', 'verlengen', 'geldig', 'loopt af', 'afspraak'],
  ...['expira', 'prazo', 'validade', 'válida'],
];

/** Anywhere. */
export const LIMIT = new RegExp(anyOf(BEFORE_DAY), 'iu');
/** Right before a day. */
export const LIMIT_BEFORE = new RegExp(
  String.raw`${anyOf(BEFORE_DAY)}(?:\s(?:the|le|el|il|o|dem|den)|\s\p{L}{2,10}[,.]?)?\s*$`,
  'iu',
);
/** In the clause of a day. */
export const DUE = new RegExp(
  `${anyOf(IN_CLAUSE)}|(?<=\\p{L})frist(?!\\p{L})|(?<=\\p{L})termin(?!\\p{L})`,
  'iu',
);
/** A label of which the value is a day by which something is due. */
export const DUE_LABEL = new RegExp(
  `^(?:${[
    ...[
      'due(?: date| on| by)?',
      'deadline',
      'expir(?:y|es|ation)(?: date| on)?',
      'valid (?:until|to|thru)',
      'renew(?:s|al)?(?: by| on| date)?',
      'ends?(?: on| date)?',
      'until',
    ],
    ...['fällig(?: am)?', 'frist', 'ablauf(?:datum)?', 'gültig bis', 'läuft ab(?: am)?', 'bis'],
    ...['échéance', 'date limite', "valable jusqu'au", 'expire(?: le)?'],
    ...[
      'vencimiento',
      'caduca',
      'fecha límite',
      'scadenza',
      'vervaldatum',
      'vervalt',
      'geldig tot',
      'prazo',
      'validade',
      'vencimento',
    ],
  ].join('|')})$`,
  'iu',
);
/** What has been, or is not to be: `was due on`, `expired`. */
export const WAS_DUE =
  /(?<!\p{L})(?:was|were|had|war|waren|était|étaient|era|eran|estaba|foi|liep)\s(?:\p{L}+\s){0,2}$/iu;
