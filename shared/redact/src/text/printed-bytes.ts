/** A part of a text as it is written, by places in it. */
interface Place {
  start: number;
  end: number;
}

/** A text of which a program printed the bytes, and where each of its characters stands. */
export interface PrintedBytes {
  text: string;
  places: readonly Place[];
  /** All of a list with its brackets, in the place of which the text might stand. */
  list?: Place;
}

interface Byte extends Place {
  value: number;
}

/** Fewer bytes are no secret. */
const SHORTEST = 8;
const PRINTABLE = 0.8;

/** Lists of bytes: what an item looks like, how it is read, and what may stand between two. */
const LISTS: readonly { begins: RegExp; item: RegExp; base: number }[] = [
  // `[103, 104, …`, `"data":[103,104`.
  {
    begins: /(?<![\d.,])\d{1,3}(?:\s{0,4},\s{0,40}\d{1,3}){7}(?![\d.])/gu,
    item: /\s{0,4},?\s{0,40}(\d{1,3})(?![\d.])/uy,
    base: 10,
  },
  // `0x67, 0x68`.
  {
    begins: /(?<![\w.])0x[\da-f]{2}(?:[,;\s]{1,4}\s{0,40}0x[\da-f]{2}){7}(?!\w)/giu,
    item: /[,;\s]{0,4}\s{0,40}0x([\da-f]{2})(?!\w)/iuy,
    base: 16,
  },
  // `<Buffer 67 68 …`, `67:68:…`, what `od -An -tx1` prints.
  {
    begins: /(?<![\w:])[\da-f]{2}(?:(?:[ :]|\n[ \t]{0,8})[\da-f]{2}){7}(?!\w)/giu,
    item: /(?:[ :]|\n[ \t]{0,8})?([\da-f]{2})(?!\w)/iuy,
    base: 16,
  },
];

/** A row of a dump: where it begins, then what `xxd`, `hexdump` and `od` print. */
const ROW = /(?:^|\n)([ \t>|+-]{0,8}([\da-f]{4,16}):?)(?=[ \t]{1,8}\S)/giu;
const GROUP = /[ \t]{1,2}([\da-f]{2}|[\da-f]{4}|[\da-f]{8})(?=[ \t\n|]|$)/iuy;
const LETTER = /[ \t]{1,3}(\\[0abtnvfr\\]|[0-7]{3}|\S)(?=[ \t\n]|$)/uy;
const NAMED: Readonly<Record<string, number>> = {
  '0': 0,
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '\\': 92,
};

/** Texts that stand in a text as their bytes: lists of numbers, buffers, and dumps, whose rows are a place each. */
export function printedBytes(text: string): PrintedBytes[] {
  const lists = [...listsIn(text)].flatMap((bytes) => {
    const printed = asText(bytes);
    return printed ? [{ ...printed, list: wholeOf(text, bytes) }] : [];
  });
  return [...lists, ...[...dumpsIn(text)].flatMap((bytes) => asText(bytes) ?? [])];
}

/** What opens a list of bytes: `[`, `<Buffer `, `Buffer.from([`, `[]byte{`, `Uint8Array(16) [`, `{"type":"Buffer","data":[`. */
const OPENS =
  /(?:<Buffer |(?:\{\s{0,8}"type"\s{0,2}:\s{0,2}"Buffer",\s{0,8}"data"\s{0,2}:\s{0,2}|(?:new )?[\w.]{1,40}\((?:\d{1,6}\) )?|\[\]\w{1,8}|(?:new )?\w{1,8}\[\] ?)?[[{(]\s{0,40})$/u;
const CLOSES = /(?:\s\.{3}\s\d{1,9} more (?:bytes|items))?\s{0,40}(?:>|,?\s{0,40}[\]})]{1,2})/uy;

function wholeOf(text: string, bytes: readonly Byte[]): Place {
  const first = bytes[0]?.start ?? 0;
  const end = bytes.at(-1)?.end ?? first;
  const from = Math.max(0, first - 96);
  const opening = OPENS.exec(text.slice(from, first).replace(/0x$/u, '  '));
  CLOSES.lastIndex = end;
  return {
    start: opening ? from + opening.index : first,
    end: CLOSES.test(text) ? CLOSES.lastIndex : end,
  };
}

function asText(bytes: readonly Byte[]): PrintedBytes | undefined {
  if (bytes.length < SHORTEST) return undefined;
  // Zeros stand between the letters of UTF-16.
  const written = bytes.filter(({ value }) => value !== 0);
  const printable = written.filter(
    ({ value }) => (value >= 32 && value < 127) || (value >= 9 && value <= 13),
  );
  if (printable.length < SHORTEST || printable.length < written.length * PRINTABLE) return undefined;
  return { text: written.map(({ value }) => String.fromCharCode(value)).join(''), places: written };
}

function* listsIn(text: string): Generator<Byte[]> {
  for (const { begins, item, base } of LISTS) {
    let done = 0;
    for (const { index } of text.matchAll(begins)) {
      if (index < done) continue;
      const bytes: Byte[] = [];
      item.lastIndex = index;
      for (let match = item.exec(text); match; match = item.exec(text)) {
        const digits = match[1] ?? '';
        const value = Number.parseInt(digits, base);
        done = item.lastIndex;
        if (value > 255) break;
        bytes.push({ value, start: done - digits.length, end: done });
      }
      yield bytes;
    }
  }
}

interface Row extends Place {
  /** As it is printed, in hexadecimal or octal. */
  offset: string;
  /** Where what is printed of its bytes begins. */
  body: number;
}

function* dumpsIn(text: string): Generator<Byte[]> {
  let rows: Row[] = [];
  for (const match of text.matchAll(ROW)) {
    const start = match.index + (match[0].startsWith('\n') ? 1 : 0);
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const last = rows.at(-1);
    if (last && last.end + 1 !== start) {
      yield* bytesOf(text, rows);
      rows = [];
    }
    rows.push({ offset: match[2] ?? '', start, end, body: match.index + match[0].length });
  }
  yield* bytesOf(text, rows);
}

/** The bytes of a dump, by each way to read it: words of two bytes may be printed with the second first. */
function* bytesOf(text: string, rows: readonly Row[]): Generator<Byte[]> {
  if (rows.length === 0) return;
  const readings: { read: (row: string, width: number) => number[] }[] = [
    { read: (row, width) => groupsOf(row, width, false) },
    { read: (row, width) => groupsOf(row, width, true) },
    { read: lettersOf },
  ];
  for (const { read } of readings) {
    let width = 16;
    yield rows.flatMap(({ offset, start, end, body }, at) => {
      const step = Number.parseInt(rows[at + 1]?.offset ?? '', 16) - Number.parseInt(offset, 16);
      if (step > 0 && step <= 64) width = step;
      return read(text.slice(body, Math.min(end, body + 512)), width).map((value) => ({ value, start, end }));
    });
  }
}

function groupsOf(row: string, width: number, isSwapped: boolean): number[] {
  const bytes: number[] = [];
  GROUP.lastIndex = 0;
  for (let match = GROUP.exec(row); match && bytes.length < width; match = GROUP.exec(row)) {
    const group = [...Buffer.from(match[1] ?? '', 'hex')];
    bytes.push(...(isSwapped ? group.reverse() : group));
  }
  return bytes.slice(0, width);
}

function lettersOf(row: string): number[] {
  const bytes: number[] = [];
  LETTER.lastIndex = 0;
  for (let match = LETTER.exec(row); match && bytes.length < 64; match = LETTER.exec(row)) {
    const [, printed = ''] = match;
    if (printed.length === 3) bytes.push(Number.parseInt(printed, 8));
    else bytes.push(NAMED[printed.slice(1)] ?? printed.charCodeAt(0));
  }
  return bytes;
}
