/**
 * Most levels and values that JSON may have before it is parsed, and fields of one object: parsing takes a microsecond for each value, and
 * reading an object of many fields by a schema some more for each of those, in one turn, however few bytes they are.
 */
export const jsonLimits = { levels: 1_000, values: 250_000, fields: 10_000 } as const;

/** Bytes that parse within a turn whatever they say. */
const SMALL = 32 * 1024;
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns why JSON in UTF-8 is too large to be parsed in one turn, undefined where it is not; it need not be valid. Looks at each byte once, and passes over texts. */
export function tooLargeToParse(json: Buffer): string | undefined {
  if (json.length < SMALL) return undefined;
  /** Of each object that is open how many fields it has so far; undefined for lists. */
  const open: (number | undefined)[] = [];
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === COMMA) {
      values += 1;
      const fields = open.at(-1);
      if (fields === undefined) continue;
      if (fields + 1 > jsonLimits.fields) return `has an object of more than ${jsonLimits.fields} fields`;
      open[open.length - 1] = fields + 1;
    } else if (byte === LIST_END || byte === OBJECT_END) open.pop();
    else if (byte === LIST || byte === OBJECT) {
      open.push(byte === OBJECT ? 1 : undefined);
      values += 1;
      if (open.length > jsonLimits.levels) return `is nested deeper than ${jsonLimits.levels} levels`;
    }
    if (values > jsonLimits.values) return `has more than ${jsonLimits.values} values`;
  }
  return undefined;
}

/** Where a text ends that begins at a quotation mark; the last byte where it does not end. */
function endOfText(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1);
  while (end > 0) {
    let before = end - 1;
    while (json[before] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
    end = json.indexOf(QUOTE, end + 1);
  }
  return json.length - 1;
}
