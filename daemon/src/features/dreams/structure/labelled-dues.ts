import { structuredFacts, type StructuredFact } from '../../../language/notes/structured-facts.ts';
import { daysIn, isOfSpan, type NamedDay } from './days.ts';
import { DUE_LABEL } from './due-words.ts';
import { isTemplate, type Note } from './notes.ts';
import { isGrammar, wordsIn } from './words.ts';

/** Something due: a day or month, and the note that says so. */
export interface Due {
  readonly of: Note;
  readonly quote: string;
  readonly title: string;
  readonly on: number;
  readonly grain: NamedDay['grain'];
  /** The words that say what it is. */
  readonly about: ReadonlySet<string>;
}

/** A word that is in a label of `DUE_LABEL`. */
const MAY_BE_DUE =
  /due|deadline|expir|valid|renew|ends|until|fällig|frist|ablauf|gültig|läuft|bis|échéance|limite|valable|venc|caduca|scadenza|verv|geldig|prazo/iu;
const STATE = /^(?:status|state|done|stand|statut|estado|stato)$/iu;
const OVER =
  /^(?:true|yes|x|done|closed|completed?|finished|archived|cancell?ed|paid|resolved|erledigt|bezahlt|terminé|payé|hecho|fatto|klaar|feito)$/iu;

/** Dues that the properties, tables and labelled lines of a note name: `expires: 2027-03-14`. */
export function labelledDues(note: Note): Due[] {
  const { value, time } = note.memory;
  if (!MAY_BE_DUE.test(value) || isTemplate(note.memory)) return [];
  const facts = /^\s*\{/u.test(value) ? fieldsOf(note) : structuredFacts(value);
  if (facts.some(({ label, value: said }) => STATE.test(label) && OVER.test(said))) return [];
  return facts.flatMap(({ path, label, value: said, quote, from }): Due[] => {
    if (!DUE_LABEL.test(label) || /^\[[^ ]\]/u.test(quote) || !value.includes(quote)) return [];
    const [day, ...more] = daysIn(said, note.ownDay ?? time);
    if (!day || day.isWithoutYear || more.length > 0 || isOfSpan(said, day)) return [];
    const thing = from === 'property' ? note.title : (path.at(-1) ?? note.title);
    const isSaid = thing === '' || quote.startsWith(thing) || thing.startsWith(label);
    const about = wordsIn(`${thing} ${said.slice(0, day.start)} ${said.slice(day.end)}`);
    return [
      {
        of: note,
        quote,
        on: day.on,
        grain: day.grain,
        title: isSaid ? `${label}: ${said}` : `${thing}: ${label}: ${said}`,
        about: new Set(about.flatMap((word) => (isGrammar(word) ? [] : [word.norm]))),
      },
    ];
  });
}

/** The fields of a note that is JSON: `"expires":"2026-12-02"`. */
function fieldsOf({ memory: { key, value } }: Note): StructuredFact[] {
  return [...value.matchAll(/"([\w -]{2,40})"\s*:\s*"([^"\\\n]{4,60})"/gu)].map(
    ([quote, label = '', said = '']) => ({
      path: [key],
      label: label.replaceAll(/[_-]/gu, ' '),
      value: said,
      quote,
      from: 'line',
    }),
  );
}
