import { isRelation, normaliseEntity, normaliseText } from './normalise.ts';
import { isThing, type PhraseReader } from './phrases.ts';

/** Who is meant by `I`, by `she`, and by verbs without a subject, in one memory. */
export interface Speaking {
  /** Norm of who says `I`: `user`, or a speaker's name; undefined where an assistant speaks. */
  readonly me: string | undefined;
  /** The only person that was spoken of so far, as written. */
  person: string | undefined;
}

export interface Subject {
  readonly text: string;
  readonly norm: string;
  readonly isPerson: boolean;
  /** How sure it is: less where it was taken from a sentence before. */
  readonly certainty: number;
}

const PERSON_NAME = /^(?:(?:Dr|Prof|Mr|Mrs|Ms|Frau|Herr)\.? )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,3}$/u;

/** Reads who or what a statement is about; undefined where that is not certain. */
export function readSubject(reader: PhraseReader, text: string, speaking: Speaking): Subject | undefined {
  const said = text.trim();
  if (/^(?:I|[Ww]e)$/u.test(said))
    return speaking.me === undefined
      ? undefined
      : { text: said, norm: speaking.me, isPerson: true, certainty: 1 };
  if (/^(?:[Hh]e|[Ss]he|)$/u.test(said)) {
    const { person } = speaking;
    return person === undefined
      ? undefined
      : { text: person, norm: normaliseEntity(person), isPerson: true, certainty: 0.85 };
  }
  const related =
    /^(?:[Mm]y|[Oo]ur|\p{Lu}[\p{L}-]+['’]s)\s+(?:\p{Ll}+\s+)?(?<relation>\p{Ll}+(?:-in-law)?)\s+(?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)$/u.exec(
      said,
    )?.groups;
  if (related && isRelation(related['relation'] ?? '')) {
    const name = related['name'] ?? '';
    return { text: name, norm: normaliseEntity(name), isPerson: true, certainty: 1 };
  }
  const own = /^(?:my|our)\s+/iu.test(said);
  if (own && speaking.me === undefined) return undefined;
  if (!isThing(reader, own ? said.replace(/^\S+\s+/u, '') : said)) return undefined;
  const norm = normaliseEntity(said).replace(/^user (?=.)/u, `${speaking.me ?? 'user'} `);
  if (norm === '' || norm.length < 2) return undefined;
  const isPerson = isRelation(normaliseText(said)) || (PERSON_NAME.test(said) && isPersonName(reader, said));
  return { text: said, norm, isPerson, certainty: 1 };
}

/** A name that may be a person's: not one that is known as a place or a firm, nor one of a machine. */
function isPersonName(reader: PhraseReader, name: string): boolean {
  const words = reader.tagWords(name);
  if (/\p{N}|\p{Ll}\p{Lu}|^\p{Lu}+$/u.test(name)) return false;
  return !words.some(
    ({ tags }) =>
      (tags.has('Plural') && !tags.has('Person')) ||
      ['Place', 'Organization', 'Month', 'WeekDay', 'Date'].some((tag) => tags.has(tag)),
  );
}
