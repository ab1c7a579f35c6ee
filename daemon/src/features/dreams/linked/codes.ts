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
/** Numbers and times and measures, which two texts share by chance. */
const MEASURE =
  /^\d{1,5}$|^[\d.,:/+-]+$|^v?\d+(?:\.\d+|\.x)*$|^\d+(?:[.,]\d+)?(?:st|nd|rd|th|x|k|m|kg|g|mg|ml|cl|l|cm|mm|km|gb|mb|kb|tb|ms|s|min|h|hr|hrs|px|pm|am|w|kw|kwh|v|mah|hz|mhz|ghz|mbit|gbit|mib|kib|c|f|eur|usd|gbp|chf|pt|dpi|b|d|y|q|bar|er|s)$|^\d{4}-\d{2}(?:-\d{2})?(?:t.*)?$|^\d+(?:h|m|min)\d+$/iu;
/** Short names that everybody uses. */
const EVERYBODYS =
  /^(?:p\d\d|q[1-4]|h[1-6]|s3|ec2|r2|k8s|e2e|i18n|l10n|a11y|utf\d+|utf\d*|x64|x86|arm64|amd64|es\d+|ipv[46]|mp[34]|h26[45]|m[1-4]|a[0-6]|b[0-6]|a\d{1,3}|m\d{1,2}|b\d{4}|c\d|g\d|f\d|v\d+|sha\d+|md5|oauth2?|http\d|tls\d|b2b|b2c|covid19|4k|8k|3d|2d|5g|4g|2fa|mfa|us\d|eu\d|usb\d|python\d|node\d+|h2|r\d|s\d|week\d+|kw\d+|room\d+|d\d|e5|l\d|n\d|o2|co2|b12|d3|k2|pm25|ps[1-5]|win1[01]|wd40)$/u;
/** Codes of operating systems, databases, runtimes and protocols: each has its cause, and everybody meets them. */
const EVERYBODYS_ERRORS =
  /^(?:E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|INTR|INVAL|IO|ISDIR|LOOP|MFILE|NAMETOOLONG|NETUNREACH|NFILE|NOENT|NOMEM|NOSPC|NOSYS|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|NXIO|PERM|PIPE|PROTO|RANGE|RESOLVE|ROFS|SOCKETTIMEDOUT|TIMEDOUT|TXTBSY|WOULDBLOCK|XDEV|OF|USAGE|LIFECYCLE|BADENGINE|PEERINVALID)|E40[0-9]|SQLITE_\p{Lu}[\p{Lu}_]*|SIG\p{Lu}{2,6}|ERR_[\p{Lu}\d_]+|NXDOMAIN|SERVFAIL|OOM(?:Killed)?|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|HTTP_?\d{3}|(?:Null(?:Pointer|Reference)|IllegalArgument|IllegalState|OutOfMemory|StackOverflow|ClassNotFound|ClassCast|IndexOutOfBounds|ConcurrentModification|FileNotFound|Timeout|IO|Runtime|Key|Value|Type|Attribute|Index|Import|ModuleNotFound|Reference|Syntax|Range|ZeroDivision|Assertion|Permission|Connection|ConnectionReset|UnicodeDecode|Recursion|Memory|NotImplemented)(?:Error|Exception)|(?:23505|23503|40P01|40001|42P01|42601|53300|57014|55P03)|CORS|CSRF|XSS)$/u;
const FILES =
  /^(?:readme|changelog|license|package|index|main|app|config|dockerfile|makefile|test|tests|docs|src|lib|bin|dist|data|tmp|www|http|https)(?:[./_-]|$)|^e\.?g\.?$|^i\.?e\.?$|^and\/or$|^\p{L}{1,4}\/\p{L}{1,4}$|^z\.?b\.?$/iu;

/** The codes and identifiers of a text, in no order. */
export function codesIn(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  const push = (written: string, start: number): void => {
    const id = idOf(written);
    // Longer ones are keys and digests: they stand in no title.
    if (id.length < 3 || id.length > 40 || EVERYBODYS.test(id)) return;
    found.push({ id, text: written, start, end: start + written.length, hasFigures: /\d/u.test(written) });
  };
  for (const { 0: whole, index } of text.matchAll(SPACED)) push(whole, index);
  for (const { 0: whole, index } of text.matchAll(GROUPED))
    if (whole.replaceAll(/\D/gu, '').length >= 7) push(whole, index);
  for (const { 0: whole, index } of text.matchAll(TOKEN)) {
    const bare = whole.replace(/['’]s$/u, '');
    if (EVERYBODYS_ERRORS.test(bare)) continue;
    if (MEASURE.test(bare) || FILES.test(bare)) {
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
