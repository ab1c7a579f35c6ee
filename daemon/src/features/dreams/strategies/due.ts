import type { FindDates } from '../../../language/dates.ts';
import { type DateAhead, datesAhead } from './due-dates.ts';
import { isHabitOrStory } from './due-habits.ts';
import { isNoneOfOurs, type Known } from './due-others.ts';
import type { ReadMemory, ReadSentence } from './reading.ts';

/** That something is due, or takes place, on a day or in a month still to come. */
export interface Due {
  readonly sentence: ReadSentence;
  /** The beginning of the day or month, milliseconds since 1970, UTC. */
  readonly on: number;
  readonly grain: DateAhead['grain'];
  /** How the text puts the date. */
  readonly said: string;
  readonly what: 'deadline' | 'end' | 'appointment' | 'event';
  /** The words that make it one. */
  readonly by: string;
}

const DAY = 86_400_000;
/** What is further away was not meant without its year. */
const WITHOUT_YEAR = 300 * DAY;
const words = (said: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${said})(?![\\p{L}])`, 'iu');

const DEADLINE = words(
  "due(?: back| on| by)?|deadline|no later than|at the latest|by latest|must|has to|have to|needs? to|needs|needed|need|owe[sd]?|to be|submit(?:ted)?|hand(?:ed)? in|hand it in|filed? by|pay(?:able|ment|s)?|paid|cancel(?:led)? by|cancel|give notice|notice period|notice|terminate|return|respond|answer|rsvp|reply|object(?:ion)?|appeal|register|registration|apply|applications?|renew(?:s|ed|al)?|otherwise|or else|else|last day|last chance|closing date|frist|fällig|spätestens|kündigen|kündigung|bezahlen|zahlen|überweisen|abgeben|einreichen|abgabe|anmelden|abholen|melden|schicken|abschicken|muss|müssen|soll|sollen|bitte|nicht vergessen|erledigen|zurückgeben|échéance|payer|rendre|rendues?|envoyer|renouveler|doit|doivent|faut|avant le|au plus tard|d['’]ici|vence|entregar|pagar|hay que|debe|antes del?|book(?:ed)? by|order(?:s|ed)? by|confirm(?:ed)?|hand over|deliver(?:y|ed)?|wants?|expects?|promised|remind(?:er)?|remember|don['’]t forget|bring|collect(?:ed)?|pick up|send|post|ship|finish|deliverables?|milestone|code freeze|freeze|cut-?off",
);
const END = words(
  'expir(?:es?|y|ation|ing)|runs? out|lapses?|ends?|ending|valid|good until|until|till|stops|end of life|eol|end of support|shuts? down|sunset|switch(?:es|ed)? off|turn(?:s|ed) off|discontinu(?:es|ed)|deprecated|removed|retires|closes|läuft|abläuft|gültig|endet|bis|expire|valable|jusqu|caduca|hasta|válid[oa]|warranty|guarantee|trial|up for renewal',
);
const APPOINTMENT = words(
  "appointment|appt|dentist|orthodontist|doctor|check-?up|inspection|service|engineer|exam|examination|interview|hearing|surgery|operation|vaccination|jab|booster|booked|scheduled|takes place|meeting|notary|notaire|rendez-vous|rdv|contrôle technique|termin|zahnarzt|audit|review|visit|mot|tüv|apk|hauptuntersuchung|blood test|nct|(?:the |my |our |his |her )?next (?:\\p{L}+ ){1,3}(?:is|are|comes|falls)|scan|mri|x-ray|chimney sweep|meter reader|handover|viewing|departure|flight|flies|train|conference|parents['’] evening|wedding|course|comes|coming|arrives?|starts?|begins?|goes live|moves?|go-live|takes effect|launch(?:es)?|release|concert|opens|cita",
);
const IN_A_MONTH = words(
  "by|before|until|till|due|in|end of|bis|spätestens|ende|im|avant|fin|en|d['’]ici|hasta|antes de|expires?|valid(?: until| thru)?|expiry",
);

/** What did not come about, is over, or is not said of one day to come. */
const NEVER = words(
  "(?:each|every) \\d{1,2}(?:st|nd|rd|th)|(?:every|each|jeden?|chaque|cada)\\s(?:other\\s|second\\s|third\\s|\\d+\\s)?(?:day|week|month|quarter|year|time|morning|evening|night|weekend|spring|summer|autumn|winter|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tag|woche|monat|jahr|jour|semaine|mois|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\\p{L}*|never|would|wouldn[’']t|i[’']d|we[’']d|she[’']d|he[’']d|they[’']d|might|maybe|perhaps|could|used to|(?:was|were|had been) (?:due|supposed|meant|planned|going|to)|already|cancel(?:l)?ed|called off|fell through|scrapped|dropped|superseded|abgesagt|annulée?|no longer|not due|never expires|(?:does not|doesn[’']t|do not|don[’']t) expire|joke|(?:novel|film|movie|book|play|series) (?:about|in which|where|set in)|(?:novel|story) (?:ends|begins|opens)|in (?:the|a|my|his|her|that|this) (?:novel|film|movie|book|play|series)|dream(?:ed|t)|published|founded|hypothetical(?:ly)?|suppose|what if|wish|last year|ago|(?:is not|isn[’']t|not) (?:taking place|happening|coming)|won[’']t (?:happen|take place)|not before|at the earliest|frühestens|in theory|rumou?r|wurde|avait|anniversary|vielleicht|könnte|würde|peut-être|then moved|moved it|postponed from|instead of|rather than|for example|e\\.g\\.|thinking (?:of|about)|considering|toying|dummy|placeholder|fixture",
);
/** `Invoices are payable within 30 days` is a rule, and no day. */
const RULE =
  /^(?:all |our |the )?(?:\p{L}+ )?\p{L}+s (?:are|must|have to|need to|should|can|get) [^.]*(?:within|in|after)\s/iu;
/** `They have 45 days to pay their invoices` is another's rule. */
const TERMS_OF_OTHERS =
  /(?<!\p{L})(?:days|weeks|months) to \p{Ll}+ (?:their|its|his|her) (?:\p{Ll}+ )?\p{Ll}+s(?!\p{L})/iu;
/** `Seventeen weeks to the end of the year` counts days, and asks for nothing. */
const COUNTDOWN =
  /^(?:only |still |just |another |noch )?(?:\d+|\p{L}+(?:-\p{L}+)?) (?:more )?(?:days|weeks|months|tage|wochen|monate|jours|semaines) (?:left )?(?:to|until|till|before|bis|avant)(?: the| zum|l['’])? (?:end of (?:the |this |next )?(?:year|month|quarter|term)|christmas|easter|new year\p{L}*|(?:spring|summer|autumn|winter)|jahresende|monatsende|weihnachten|noël|fin de l['’]année)\s*[.!…]*$/iu;
/** `40 euro a month, by the third` is of every month. */
const A_MONTH = words('(?:a|per|each) month|monthly|im monat|monatlich|par mois|al mes');
/** `Three months' notice to the end of a quarter` is a term, and no day. */
const NOTICE_TERM =
  /(?<!\p{L})(?:weeks?|months?)['’]?s?['’]? notice (?:period )?(?:to|before) (?:the |an? )?end(?!\p{L})/iu;
/** Days that are counted from writing; of the past they are durations. */
const COUNTED = /^(?:in|within|inside|dans|sous|binnen|innerhalb|dentro)\s/iu;
const OFF =
  /(?<!renew(?:al)?|heating|water|light|power|switch)\s(?:is|are) off(?=\s?(?:[,.;:—–]|$|again|now|for))/iu;
const FUTURE =
  /(?<!\p{L})(?:must|has to|have to|needs?|will|['’]ll|going to|due|expires?|ends?|lapses?|runs out|until|till|by|deadline|muss|müssen|soll|bis|läuft|doit|faut|book|bring|return|send|call|wants?|expects?)(?!\p{L})/iu;
const HYPOTHETICAL = /(?:^|[;,—:]\s)(?:if|falls|wenn|si)\s/iu;
const CONSEQUENCE =
  /(?<!\p{L})(?:not|unless|otherwise|or else|lose|lapses?|expires?|forfeit|fine|fee)(?!\p{L})/iu;
/** Done, within the sentence or right after it. */
const DONE =
  /(?<!\p{L})(?:(?:is|was|were|are|all|been|got|it|them) (?:now )?(?:done|paid(?! (?:up )?(?:until|till|through))|sent|settled|submitted|handed in|filed|delivered|returned|renewed|extended|over|sorted)|sorted|done|settled|erledigt|réglée?|hecho|handed (?:it|them) in|sent (?:it|them)|paid (?:it|them)|did (?:it|so)|got it done|ticked off|receipt saved)(?!\p{L})/iu;
const PASSIVE_NOW =
  /(?<!\p{L})(?:is|are) (?:delivered|collected|sent|returned|filed|submitted|handed in|paid|settled)(?!\p{L})/iu;
const OPEN =
  /(?<!\p{L})(?:to be|must|has to|have to|needs? to|not|yet|will|should|isn[’']t|aren[’']t|until|once|when|doivent|doit|muss|müssen|get|want(?:s|ed)?|by)(?!\p{L})[^.,;]{0,40}$/iu;
const BIRTHDAY =
  /(?<!\p{L})(?:birthday|anniversary|(?:is|will be|'ll be) \d\d on|turns? (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|\p{L}+teen|\p{L}+ty)|was born|geburtstag|anniversaire|cumpleaños)(?!\p{L})/iu;
/** Where one is invited, or has something to do. */
const PARTY = /(?<!\p{L})(?:party|invit(?:ed|es)|dinner|bring|buy|send|post|book(?:ed)?|order)(?!\p{L})/iu;
const OTHERS =
  /(?<!\p{L})(?:says?|said|told (?:me|us)|tells (?:me|us)) (?:that )?(?:his|her|their)(?!\p{L})/iu;
const PAST =
  /(?<!\p{L})(?:was|were|had|did|went|came|got|took|lost|left|broke|told|sent|paid|brought|heard|held|caught|fed|rang|sold|said|sat|chose|threw|tore|led|read out|felt|ran|found|made|gave|began|hit|met|saw|drove|bought|kept|swam|wrote|won|ate|spent|stood|slept|fell|war|waren|hatte|gab|ging|kam|a été|était|fue|\p{Ll}{3,}ed|(?:a|ont|ai|avons) (?:rendu|fait|payé|envoyé|pris|eu|reçu))(?!\p{L})/iu;
/** `Rents are collected in January` is no past. */
const PASSIVE = /(?<!\p{L})(?:is|are|be|been|being|gets?|must|to) \p{Ll}+(?:ed|t|n)(?!\p{L})/giu;
const ARRANGED =
  /(?<!\p{L})(?:booked|scheduled|arranged|agreed|confirmed|signed up|registered|enrolled|postponed|moved|extended|pushed|fixed|invited|announced|reserved|planned|ordered|set)(?!\p{L})/iu;
const FROM = /(?<!\p{L})from\s(?:the\s)?$/iu;
const TO = /^[^.;]{0,12}(?<!\p{L})(?:to|until|till|bis)(?!\p{L})/iu;
const RANGE_BEFORE = /(?:\d|\p{L})\s?(?:to|–|-|bis|and|au)\s?(?:the\s)?$/iu;
const RANGE_AFTER = /^\s?(?:to|–|-|through|bis (?!spätestens)|au)\s?(?:the\s)?\d/iu;
const SINCE =
  /(?<!\p{L})(?:since|seit|depuis|desde|after|nach|après|na|después de|for the period|born|ab)\s(?:the\s|dem\s)?$/iu;
const LAST =
  /(?<!\p{L})last (?:year|month|week|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)(?!\p{L})/iu;
/** `The box with the Christmas lights` is in the cellar all year. */
const FEAST = /^(?:christmas|weihnachten)(?!\p{L})/iu;
const AT_FEAST =
  /(?<!\p{L})(?:by|before|until|till|at|for|over|on|after|around|due|this|next|vor|bis|an|zu|nach|über)\s$/iu;
const OF_FEAST = /^\s(?:box|lights?|trees?|cards?|presents?|decorations?|cakes?|jumpers?|songs?)(?!\p{L})/iu;
const LONG = 500;

/** How dues are looked for. */
export interface Looking {
  readonly findDates: FindDates;
  readonly now: number;
  /** Whom a namespace knows; nobody, where it is not said. */
  readonly known?: Known;
}

const NOBODY: Known = { isFamiliar: () => false, isClose: () => false };

/** Dues of a memory that are still ahead; dates without a year are resolved towards the future of the memory. */
export function duesIn(memory: ReadMemory, { findDates, now, known = NOBODY }: Looking): Due[] {
  const today = Math.floor(now / DAY) * DAY;
  const { time } = memory.memory;
  return memory.sentences.flatMap((sentence, index) => {
    const { text } = sentence;
    if (text.length > LONG || /\?\s*["”»)]*\s*$/u.test(text) || !/\d|\p{L}/u.test(text)) return [];
    const dates = datesAhead(text, time, findDates).filter(
      ({ on, grain }) => (grain === 'month' ? endOfMonth(on) : on) >= today,
    );
    if (dates.length === 0 || isVoid(sentence, dates, memory.sentences.slice(index + 1))) return [];
    const ours = dates.filter((date) => !isNoneOfOurs(sentence, date, known));
    const dues = ours.flatMap((date) => dueOf(sentence, date, time) ?? []);
    return bestOf(dues);
  });
}

function isVoid(
  { text }: ReadSentence,
  dates: readonly DateAhead[],
  after: readonly ReadSentence[],
): boolean {
  if (
    NEVER.test(text) ||
    OTHERS.test(text) ||
    OFF.test(text) ||
    COUNTDOWN.test(text) ||
    NOTICE_TERM.test(text) ||
    TERMS_OF_OTHERS.test(text)
  )
    return true;
  if (HYPOTHETICAL.test(text) && !CONSEQUENCE.test(text)) return true;
  // `On 3 May the racks are delivered` says when, and not that it is done.
  const saysWhen = dates.some(({ start }) => start <= 3);
  return (
    isDone(saysWhen ? text.replace(PASSIVE_NOW, '') : text) ||
    after.slice(0, 2).some((next) => next.text.length < 80 && isDone(next.text))
  );
}

function isDone(text: string): boolean {
  const done = DONE.exec(text);
  return done !== null && !OPEN.test(text.slice(0, done.index + done[0].length));
}

function dueOf(sentence: ReadSentence, date: DateAhead, time: number): (Due & { near: number }) | undefined {
  const { text } = sentence;
  const before = text.slice(0, date.start);
  if (RANGE_BEFORE.test(before) && /\d\s?\S{0,12}\s?\S{0,3}\s?$/u.test(before)) {
    // The end of a range is none but where it says so: `valid from 3 May to 7 June`.
    if (!END.test(text)) return undefined;
  }
  if (SINCE.test(before) && !/valid/iu.test(before)) return undefined;
  if (
    FROM.test(before) &&
    (date.grain === 'month' || TO.test(text.slice(date.end))) &&
    !/due|valid/iu.test(before)
  )
    return undefined;
  if (FEAST.test(date.text) && !(AT_FEAST.test(before) && !OF_FEAST.test(text.slice(date.end))))
    return undefined;
  if (/^the\s(?!last|end)|of the month$/iu.test(date.text) && A_MONTH.test(text)) return undefined;
  if (COUNTED.test(date.text) && (RULE.test(text) || LAST.test(text))) return undefined;
  if (isHabitOrStory(sentence, date, time)) return undefined;
  if (!/\d{4}/u.test(date.text) && isPastClause(text, date)) return undefined;
  if (!date.isSure && (date.on - time > WITHOUT_YEAR || isTold(text, date, time))) return undefined;
  const kind = kindOf(text, date);
  if (!kind) return undefined;
  if (kind.what === 'event' && (isQuoted(text, date) || RANGE_AFTER.test(text.slice(date.end))))
    return undefined;
  if (BIRTHDAY.test(text) && (kind.what !== 'deadline' || kind.near < 2) && !PARTY.test(text))
    return undefined;
  const { on, grain, text: said } = date;
  return { sentence, on, grain, said, what: kind.what, by: kind.by, near: kind.near };
}

/** What somebody else said, and a title, is not said of a day to come. */
function isQuoted(text: string, { start, end }: DateAhead): boolean {
  return [...text.matchAll(/["“„«][^"“”„«»]{12,}["”»]/gu)].some(
    ({ 0: quoted, index }) => index < start && end < index + quoted.length,
  );
}

/** Whether a date without a year is told of: the one before is nearer, and the sentence is in the past. */
function isTold(text: string, { on, grain }: DateAhead, time: number): boolean {
  const year = 365 * DAY;
  const isNearer = on - time > 90 * DAY && time - (on - year) < on - time;
  return PAST.test(text.replaceAll(PASSIVE, '')) && !ARRANGED.test(text) && (isNearer || grain === 'month');
}

/** Whether what is said between the commas around a date is over. */
function isPastClause(text: string, { start, end }: DateAhead): boolean {
  const from = Math.max(...[',', ';', ':', '—', '–'].map((mark) => text.lastIndexOf(mark, start - 1))) + 1;
  const rest = text.slice(end).search(/[,;:—–]/u);
  const around = text.slice(from, rest < 0 ? undefined : end + rest);
  // `Monday: bought lavender` tells of the Monday.
  const clause = (around.trim().length <= end - start ? text : around).replaceAll(PASSIVE, '');
  return PAST.test(clause) && !ARRANGED.test(clause) && !FUTURE.test(clause);
}

const SIGNS = [
  ['deadline', DEADLINE],
  ['end', END],
  ['appointment', APPOINTMENT],
] as const;
const BY =
  /(?<!\p{L})(?:by|before|until|till|due|due on|no later than|on or before|latest|bis|bis spätestens|bis zum|spätestens(?: am)?|vor dem|avant(?: le)?|jusqu['’]au|d['’]ici(?: le)?|au plus tard le|antes del?|hasta el|expires(?: on)?|expiry|ends(?: on)?|within)[\s:]+(?:the\s+|le\s+|\p{L}+day,?\s+)?$/iu;

/** What a date is for: the sign that stands nearest; without one, a day that is said is something that takes place. */
function kindOf(
  text: string,
  { start, end, grain, text: said }: DateAhead,
): { what: Due['what']; by: string; near: number } | undefined {
  const around = text.slice(Math.max(0, start - 90), Math.min(text.length, end + 60));
  const before = text.slice(0, start);
  const direct =
    BY.exec(before)?.[0].trim() ?? (/^(?:within|binnen|innerhalb|sous)/iu.test(said) ? 'within' : undefined);
  if (grain === 'month' && direct === undefined && !IN_A_MONTH.test(before.slice(-28))) return undefined;
  for (const [what, pattern] of SIGNS) {
    const match = pattern.exec(around);
    if (match) return { what, by: (direct ?? match[0]).toLowerCase(), near: direct === undefined ? 1 : 2 };
  }
  if (direct !== undefined) return { what: 'deadline', by: direct, near: 2 };
  return grain === 'month' ? undefined : { what: 'event', by: 'on', near: 0 };
}

/** Of the dates of a sentence the one that it says to be the end; else one of the calendar, else the first. */
function bestOf(dues: readonly (Due & { near: number })[]): Due[] {
  const days = dues.filter(({ grain }) => grain === 'day');
  const clearest = ({ near, said }: Due & { near: number }) =>
    near - (/\d.*\p{L}{3}|\d{4}/u.test(said) ? 0 : 0.5);
  const [best] = (days.length > 0 ? days : dues).toSorted((a, b) => clearest(b) - clearest(a));
  return best ? [best] : [];
}

function endOfMonth(on: number): number {
  const date = new Date(on);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
}
