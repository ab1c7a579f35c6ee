/** Ways of saying that a thing is so, against ways of saying that it is not, where neither is a plain denial. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/automatic|by itself|auto-|automatisch/iu, /by hand|manual|press|promote|approval|von Hand/iu],
  [/\bopen(?:s|ed)?\b|geöffnet|ouvert/iu, /\bclosed?s?\b|shut|geschlossen|fermé/iu],
  [
    /allerg|intoleran|vegetarian|vegan|coeliac|gluten-free|veggie|végétarien/iu,
    /\b(?:eats?|ate|had|has|loves?|fine|tolerates?|ordered|enjoys?|no reaction|isst|mange)\b/iu,
  ],
  [
    /hates?|can(?:no|['’])t stand|dislikes?|detests?|boring|can['’]t bear|mistake|hasst|déteste/iu,
    /loves?|likes?|enjoys?|favou?rite|best|keen|right choice|adores?|liebt|adore/iu,
  ],
  [
    /requires?|needs?|must|mandatory|obligatory|have to|muss|doit/iu,
    /without|no \p{L}+ (?:needed|required|necessary)|optional|not (?:needed|required|necessary)|needn['’]t|ohne|sans/iu,
  ],
  [
    /not allowed|forbidden|no \p{L}+ on|never|don['’]t|isn['’]t allowed|verboten|interdit/iu,
    /allowed|may|fine|welcome|okay|permitted|erlaubt|permis/iu,
  ],
  [/enabled|\bon for\b|active|running/iu, /disabled|\boff\b|inactive|switched off|stopped/iu],
  [/rents?|tenant/iu, /bought|own(?:s|ed)?/iu],
  [/single|alone/iu, /married|together|partner|boyfriend|girlfriend/iu],
];

/** Whether two texts stand on the two sides of an opposition. */
export function areOpposite(a: string, b: string): boolean {
  return OPPOSITES.some(
    ([one, other]) =>
      (one.test(a) && other.test(b) && !one.test(b)) || (other.test(a) && one.test(b) && !other.test(b)),
  );
}
