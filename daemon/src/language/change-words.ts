/**
 * Words of a sentence that tells a change, by language, in small letters and in their order: what stands in it took the place of something else.
 * Phrases have one blank.
 */
export const CHANGE_WORDS: Readonly<Record<string, readonly string[]>> = {
  de: [
    'ab jetzt',
    'ab sofort',
    'geändert',
    'gewechselt',
    'jetzt',
    'künftig',
    'neu',
    'neue',
    'neuen',
    'neuer',
    'neues',
    'nicht mehr',
    'nun',
    'seit',
    'statt',
    'umgestellt',
    'umgezogen',
  ],
  en: [
    'anymore',
    'as of',
    'changed',
    'correction',
    'dropped',
    'edit',
    'from now on',
    'instead',
    'latest',
    'lowered',
    'moved',
    'new',
    'no longer',
    'now',
    'raised',
    'renamed',
    'replaced',
    'replaces',
    'since',
    'switched',
    'these days',
    'update',
    'updated',
    'went from',
    'went up',
  ],
  fr: [
    'au lieu',
    'changé',
    'depuis',
    'désormais',
    'dorénavant',
    'déménagé',
    'maintenant',
    'ne plus',
    'nouveau',
    'nouvel',
    'nouvelle',
    'plutôt que',
    'remplacé',
  ],
};

const SHAPE = new RegExp(`(?<!\\p{L})(?:${Object.values(CHANGE_WORDS).flat().join('|')})(?!\\p{L})`, 'iu');

/** Whether a text tells of a change. */
export function tellsChange(text: string): boolean {
  return SHAPE.test(text.replace(/\s+/gu, ' '));
}
