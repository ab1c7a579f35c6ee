const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;

function adapted(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

function digitOf(character: string | undefined): number | undefined {
  if (character === undefined) return undefined;
  if (/[a-z]/.test(character)) return character.charCodeAt(0) - 97;
  if (/[0-9]/.test(character)) return character.charCodeAt(0) - 48 + 26;
  return undefined;
}

/** The letters of a label without its `xn--`, in lower case (RFC 3492, 6.2); undefined where it is malformed. */
export function decodePunycode(encoded: string): string | undefined {
  const last = encoded.lastIndexOf('-');
  const output = [...(last > 0 ? encoded.slice(0, last) : '')].map((one) => one.charCodeAt(0));
  let [point, index, bias] = [128, 0, 72];
  for (let at = last > 0 ? last + 1 : 0; at < encoded.length;) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(encoded[at]);
      at += 1;
      if (digit === undefined) return undefined;
      index += digit * weight;
      if (index > 0x7fffffff) return undefined;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const points = output.length + 1;
    bias = adapted(index - before, points, before === 0);
    point += Math.floor(index / points);
    index %= points;
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    output.splice(index, 0, point);
    index += 1;
  }
  return String.fromCodePoint(...output);
}
