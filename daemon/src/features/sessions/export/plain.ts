import { stripVTControlCharacters } from 'node:util';

/** A text without what commands a terminal: colours of tools, and other control characters than lines and tabs. */
export function plain(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    '',
  );
}

/** A text in one line, not longer than so many characters. */
export function oneLine(text: string, longest: number): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).toWellFormed()}…`;
}
