const OPEN = String.raw`(?:<|\\{1,8}u003c|\\{1,8}x3c|%3c|&(?:amp;)?lt;)`;
const CLOSE = String.raw`(?:>|\\{1,8}u003e|\\{1,8}x3e|%3e|&(?:amp;)?gt;)`;

/** Finds what a person marked as private, with its marks, which may be escaped; one that is not closed is private to its end. */
export const PRIVATE_TEXT = new RegExp(
  String.raw`${OPEN}\s{0,8}private\s{0,8}${CLOSE}[\s\S]*?(?:${OPEN}\s{0,8}\\{0,8}/\s{0,8}private\s{0,8}${CLOSE}|$)`,
  'giu',
);
