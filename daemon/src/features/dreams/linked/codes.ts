import { listed } from '../../../language/word-lists.ts';

/** A part number, an error code, an identifier, as it stands in a text. */
export interface FoundCode {
  /** Small letters and figures only, so that `KB 4471` and `kb-4471` are one. */
  readonly id: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly hasFigures: boolean;
}

const TOKEN = /(?<![\p{L}\p{N}_])[\p{L}\p{N}](?:[\p{L}\p{N}_.:/@#+-]*[\p{L}\p{N}])?(?![\p{L}\p{N}_])/gu;
/** Letters and a number that only belong together: `GGL 308`. */
const SPACED = /(?<![\p{L}\p{N}_/.-])(\p{Lu}{2,5}) (\d{2,6}[A-Z]?)(?![\p{L}\p{N}_]|[.,:]\d)/gu;
/** Figures in groups: `058 045 3021`. */
const GROUPED = /(?<![\p{L}\p{N}_/.,:-])\d{2,4}(?:[ -]\d{2,5}){2,5}(?![\p{L}\p{N}_]|[.,:]\d)/gu;
/** Numbers and times, which two texts share by chance. */
const NUMBER =
  /^\d{1,5}$|^[\d.,:/+-]+$|^v?\d+(?:\.\d+|\.x)*$|^\d{4}-\d{2}(?:-\d{2})?(?:t.*)?$|^\d+(?:h|m|min)\d+$/iu;
const MEASURE = /^\d+(?:[.,]\d+)?(\p{L}+)$/u;
const UNITS = new Set(listed('dreams/measure-units'));
/** Short names that everybody uses: `#` is one figure, `*` one or more. */
const EVERYBODYS = new Set(listed('dreams/everybodys-codes'));
/** Codes of operating systems, databases, runtimes and protocols: each has its cause, and everybody meets them. */
const EVERYBODYS_ERRORS = new Set(listed('dreams/everybodys-errors'));
const FAMILIES = /^(?:SQLITE_\p{Lu}[\p{Lu}_]*|SIG\p{Lu}{2,6}|ERR_[\p{Lu}\d_]+|HTTP_?\d{3})$/u;
const EXCEPTIONS = new Set(listed('dreams/exceptions'));
const FILES = new Set(listed('dreams/file-words'));
const SHORTENED = /^(?:e\.?g\.?|i\.?e\.?|z\.?b\.?|\p{L}{1,4}\/\p{L}{1,4})$/iu;

function isEverybodys(id: string): boolean {
  return [id, id.replaceAll(/\d/gu, '#'), id.replaceAll(/\d+/gu, '*')].some((row) => EVERYBODYS.has(row));
}

function isEverybodysError(code: string): boolean {
  const exception = /^(\p{L}+)(?:Error|Exception)$/u.exec(code)?.[1];
  return (
    EVERYBODYS_ERRORS.has(code) ||
    FAMILIES.test(code) ||
    (exception !== undefined && EXCEPTIONS.has(exception))
  );
}

function isMeasure(text: string): boolean {
  return NUMBER.test(text) || UNITS.has(MEASURE.exec(text)?.[1]?.toLowerCase() ?? '');
}

/** `README.md`, `and/or`. */
function isFile(text: string): boolean {
  const name = /^(\p{L}+)(?:[./_-]|$)/u.exec(text)?.[1] ?? '';
  return FILES.has(name.toLowerCase()) || SHORTENED.test(text);
}
export function codesIn(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  const push = (written: string, start: number): void => {
    const id = idOf(written);
    // Longer ones are keys and digests: they stand in no title.
    if (id.length < 3 || id.length > 40 || isEverybodys(id)) return;
    found.push({ id, text: written, start, end: start + written.length, hasFigures: /\d/u.test(written) });
  };
  for (const { 0: whole, index } of text.matchAll(SPACED)) push(whole, index);
  for (const { 0: whole, index } of text.matchAll(GROUPED))
    if (whole.replaceAll(/\D/gu, '').length >= 7) push(whole, index);
  for (const { 0: whole, index } of text.matchAll(TOKEN)) {
    const bare = whole.replace(/['’]s$/u, '');
    if (isEverybodysError(bare)) continue;
    if (isMeasure(bare) || isFile(bare)) {
      if (/^\d{6,}$/u.test(bare) && !/^(?:19|20)\d{6}$/u.test(bare)) push(bare, index);
      continue;
    }
    if (/\d/u.test(bare) && /\p{L}/u.test(bare)) {
      // `ward-3` and `mid-2026` are words with a number; `KB-4471` and `E24` are written in capitals.
      if (/^\p{Ll}{2,}[-/]\d+$|^\d+-\p{Ll}+|^\p{Lu}\p{Ll}+-?\d{1,2}$|:\/\/|^\d+\p{Ll}+$/u.test(bare))
        continue;
      push(bare, index);
      // A part number, and one of its kinds: `OP-1042-K`.
      const shorter = /^(.*[-/].*)[-/][\p{L}\p{N}]+$/u.exec(bare)?.[1];
      if (shorter !== undefined && /\d/u.test(shorter) && /\p{L}/u.test(shorter)) push(shorter, index);
    } else if (/_\p{L}|\p{Ll}\p{Lu}\p{Ll}|\p{L}-\p{L}+-\p{L}/u.test(bare) && /[_]|\p{Lu}/u.test(bare)) {
      if (
        /_/u.test(bare) ||
        /\p{Ll}\p{Lu}/u.test(bare) ||
        /^\p{Lu}[\p{L}]*(?:-\p{Lu}\p{Ll}+){2,}$/u.test(bare)
      )
        push(bare, index);
    }
  }
  return found;
}

function idOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
