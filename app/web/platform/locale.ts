/**
 * The language and region of the reader, in which dates, times and numbers are written; all other words are English. British
 * where there is no browser, as in tests.
 */
export const locale: string = 'document' in globalThis ? navigator.language : 'en-GB';
