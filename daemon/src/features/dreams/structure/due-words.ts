// Words by which something is due, in the languages whose months are known. Short on purpose: what says it otherwise is a model's.

const anyOf = (words: string): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${words
    .trim()
    .replaceAll(/\s*\n\s*/gu, '|')
    .replaceAll(' ', String.raw`\s`)})(?!\p{L})`;

const BEFORE_DAY = anyOf(`
  by|until|till|before|limited to|valid to|no(?:t)? later than
  bis(?: zum| spätestens)?|spätestens(?: am)?|vor dem
  avant(?: le)?|d'ici le|jusqu'au|au plus tard le
  antes del?|hasta(?: el)?|entro(?: il)?|fino al
  v[oó][oó]r|uiterlijk(?: op)?|tot(?: en met)?|até(?: o dia)?`);
const IN_CLAUSE = anyOf(`
  due|deadline|expir(?:es?|y|ing|ations?)|renew(?:s|al|ed)?|runs? out|lapses?|valid|(?:switch|shut|turn)(?:ed|es|s)? (?:off|down)
  clos(?:es|ing)|ends|end of life|cut-?off|warranty|appointment|scheduled|at the latest
  fällig|spätestens|abgabe|läuft|laufen|endet|gültig|ablauf|verlängern|kündigen
  expirent?|échéance|date limite|valable|renouveler|se termine|rendez-vous
  vence|caduca|plazo|fecha límite|renovar|válid[oa]|cita|expira|prazo|validade
  scade|scadenza|rinnovare|termina|appuntamento
  verloopt|vervalt|verlengen|geldig|loopt af|afspraak`);

/** Anywhere. */
export const LIMIT = new RegExp(BEFORE_DAY, 'iu');
/** Right before a day, but for an article or a weekday. */
export const LIMIT_BEFORE = new RegExp(
  String.raw`${BEFORE_DAY}(?:\s(?:the|le|el|il|o|dem|den)|\s\p{L}{2,10}[,.]?)?\s*$`,
  'iu',
);
/** In the clause of a day. */
export const DUE = new RegExp(String.raw`${IN_CLAUSE}|(?:frist|termin)(?!\p{L})`, 'iu');
/** A label of which the value is a day by which something is due. */
export const DUE_LABEL = new RegExp(
  `^${anyOf(`
    due(?: date| on| by)?|deadline|expir(?:y|es|ation)(?: date| on)?|valid (?:until|to|thru)|renew(?:s|al)?(?: by| on| date)?|ends?(?: on| date)?|until
    fällig(?: am)?|frist|ablauf(?:datum)?|gültig bis|läuft ab(?: am)?|bis
    échéance|date limite|valable jusqu'au|expire(?: le)?
    vencimi?ento|caduca|fecha límite|scadenza|vervaldatum|vervalt|geldig tot|prazo|validade`)}$`,
  'iu',
);
/** What has been, or is not to be: `was due on`, `expired`. */
export const WAS_DUE =
  /(?<!\p{L})(?:was|were|had|war|waren|était|étaient|era|eran|estaba|foi|liep)\s(?:\p{L}+\s){0,2}$/iu;
