import { foldText } from '../../language/words.ts';

/** What people are called by their relation to someone: `my sister` is the user's sister, `our server` is the server. */
const RELATIONS =
  'wife|husband|partner|spouse|girlfriend|boyfriend|fiancee?|mother|mom|mum|mama|father|dad|papa|parents|sister|brother|son|daughter|child|kids?|children|aunt|uncle|cousin|nephew|niece|grandmother|grandma|grandfather|grandpa|mother-in-law|father-in-law|sister-in-law|brother-in-law|friend|best friend|neighbou?r|colleague|coworker|boss|manager|mentor|assistant|landlord|landlady|tenant|flatmate|roommate|doctor|dentist|vet|therapist|lawyer|teacher|trainer|coach|tutor|babysitter|accountant';
const RELATION = new RegExp(`(?:^|\\s)(?:${RELATIONS})$`, 'u');

/** Whether an attribute ends in what somebody is to a person, such as `sister` or `best friend`. */
export function isRelation(attribute: string): boolean {
  return RELATION.test(attribute);
}

/** Folded text with single blanks, without quotes and full stops at its ends. */
export function normaliseText(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replace(/[’`]/gu, "'")
    .replace(/\s+/gu, ' ')
    .replace(/^[\s"'“”„«».,;:!*_]+|[\s"'“”„«».,;:!*_]+$/gu, '');
}

/** A thing's name as it is compared: folded, without article and possessive; `user` for `I`, `me`, `my`, `we`, `our`. */
export function normaliseEntity(name: string): string {
  const text = normaliseText(name);
  if (/^(?:i|me|my|mine|myself|we|us|our|ours|user|the user)$/u.test(text)) return 'user';
  const own = /^(?:my|our)\s+(.+)$/u.exec(text)?.[1];
  if (own !== undefined) return isRelation(own) ? `user ${own}` : own;
  return text
    .replace(/^(?:the|a|an)\s+/u, '')
    .replace(/'s?(?=\s|$)/gu, '')
    .replace(/\b(dr|prof|mr|mrs|ms)\./gu, '$1');
}

/** An attribute as a predicate: `favourite colour` is `favourite_colour`. */
export function normalisePredicate(attribute: string): string {
  return normaliseText(attribute)
    .replace(/^(?:the|new|old|current|own)\s+/u, '')
    .replace(/\bcolor\b/gu, 'colour')
    .replace(/\bfavorite\b/gu, 'favourite')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/gu, '');
}
