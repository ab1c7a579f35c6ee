/** One element of an array: its JSON, and the name of the array (empty where it is the document itself). */
interface JsonElement {
  array: string;
  json: Buffer;
}

export class JsonStreamError extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/** Elements that are larger are no memories; also what is held of a document at most. */
const MAX_ELEMENT = 128 * 1024 * 1024;

/**
 * The elements of a JSON document that is an array, or of those arrays of an object that are called one of
 * `names`. Holds one element at a time. Only brackets and quotes are looked at: whoever parses the elements
 * sees what is wrong inside.
 */
export async function* elementsOf(
  chunks: AsyncIterable<Uint8Array>,
  names: readonly string[],
): AsyncGenerator<JsonElement> {
  const scanner = new Scanner(names);
  for await (const chunk of chunks) {
    scanner.scan(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    yield* scanner.found.splice(0);
  }
  scanner.finish();
}

/** Follows the nesting of a document from chunk to chunk. */
class Scanner {
  readonly found: JsonElement[] = [];
  private readonly names: ReadonlySet<string>;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private rootIsArray = false;
  /** The depth inside of the array whose elements are yielded, 0 outside of one. */
  private arrayDepth = 0;
  private array = '';
  /** The text at depth 1 of an object that came last: before a `[` it is the array's name. */
  private name: number[] = [];
  private pieces: Buffer[] = [];
  private heldBytes = 0;

  constructor(names: readonly string[]) {
    this.names = new Set(names);
  }

  scan(chunk: Buffer): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.inString) {
        this.inText(byte);
        continue;
      }
      const begun = this.arrayDepth;
      if (byte === QUOTE) this.openText();
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.open(byte);
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (this.arrayDepth > 0 && this.depth === this.arrayDepth) {
          this.keep(chunk.subarray(start, at));
          this.end();
          this.arrayDepth = 0;
        }
        this.depth--;
        if (this.depth < 0) throw new JsonStreamError('has more closing brackets than opening ones');
      } else if (byte === COMMA && this.arrayDepth > 0 && this.depth === this.arrayDepth) {
        this.keep(chunk.subarray(start, at));
        this.end();
        start = at + 1;
      }
      if (begun === 0 && this.arrayDepth > 0) start = at + 1;
    }
    if (this.arrayDepth > 0) this.keep(chunk.subarray(start));
  }

  finish(): void {
    if (this.depth > 0 || this.inString) throw new JsonStreamError('ends in the middle');
  }

  private openText(): void {
    this.inString = true;
    if (this.depth === 1) this.name = [];
  }

  private inText(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.inString = false;
    if (this.inString && this.depth === 1 && this.name.length < 64) this.name.push(byte);
  }

  private open(byte: number): void {
    if (this.depth === 0) this.rootIsArray = byte === OPEN_BRACKET;
    this.depth++;
    if (this.arrayDepth > 0 || byte !== OPEN_BRACKET) return;
    const name = Buffer.from(this.name).toString('utf8');
    if (this.rootIsArray ? this.depth === 1 : this.depth === 2 && this.names.has(name)) {
      this.arrayDepth = this.depth;
      this.array = this.rootIsArray ? '' : name;
    }
  }

  private keep(piece: Buffer): void {
    this.heldBytes += piece.length;
    if (this.heldBytes > MAX_ELEMENT)
      throw new JsonStreamError(`has an element of more than ${MAX_ELEMENT} bytes`);
    if (piece.length > 0) this.pieces.push(piece);
  }

  private end(): void {
    const json = Buffer.concat(this.pieces);
    this.pieces = [];
    this.heldBytes = 0;
    if (!isBlank(json)) this.found.push({ array: this.array, json });
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every(
    (byte) =>
      byte === 0x20 ||
      byte === 0x0a ||
      byte === 0x0d ||
      byte === 0x09 ||
      byte === 0xef ||
      byte === 0xbb ||
      byte === 0xbf,
  );
}
