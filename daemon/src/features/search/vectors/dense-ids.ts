/**
 * A set of ids, whole numbers up to 2^53, that gives each a place below the set's size, so that data about ids can stand in arrays. It
 * takes some 20 bytes an id; a Map takes 60 for numbers above 2^31.
 */
export class DenseIds {
  #ids = new Float64Array(16);
  /** Open addressing: the place of an id, or -1. At most half of it is taken. */
  #table = new Int32Array(32).fill(-1);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Memory held, in bytes. */
  get bytes(): number {
    return this.#ids.byteLength + this.#table.byteLength;
  }

  /** The id at each place; what lies behind the set's size means nothing. Not to be kept where ids are added later. */
  get all(): Float64Array {
    return this.#ids;
  }

  /** The place of an id; -1 for one that is not there. */
  placeOf(id: number): number {
    return this.#table[this.#slotOf(id)] ?? -1;
  }

  /** Adds an id that is not there yet; its place is the last one. */
  add(id: number): number {
    const place = this.#size++;
    if (place === this.#ids.length) {
      const larger = new Float64Array(Math.ceil(place * 1.25));
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[place] = id;
    if (2 * this.#size > this.#table.length) this.#rebuild();
    else this.#table[this.#slotOf(id)] = place;
    return place;
  }

  /** Takes an id out, and answers the place that it had: the last one has come to stand there. -1 where it was not there. */
  remove(id: number): number {
    const place = this.placeOf(id);
    if (place < 0) return -1;
    this.#free(this.#slotOf(id));
    const last = --this.#size;
    if (place !== last) {
      const moved = this.#ids[last] ?? -1;
      this.#table[this.#slotOf(moved)] = place;
      this.#ids[place] = moved;
    }
    return place;
  }

  clear(): void {
    this.#size = 0;
    this.#table.fill(-1);
  }

  /** Where an id stands in the table, or would. */
  #slotOf(id: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    let slot = startOf(id) & mask;
    for (;;) {
      const place = table[slot] ?? -1;
      if (place < 0 || this.#ids[place] === id) return slot;
      slot = (slot + 1) & mask;
    }
  }

  /** Empties a slot, and moves up those behind it that would not be found any more. */
  #free(from: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let free = from;
    for (let slot = (from + 1) & mask; ; slot = (slot + 1) & mask) {
      const place = table[slot] ?? -1;
      if (place < 0) break;
      const start = startOf(this.#ids[place] ?? -1) & mask;
      if (((slot - start) & mask) < ((slot - free) & mask)) continue;
      table[free] = place;
      free = slot;
    }
    table[free] = -1;
  }

  #rebuild(): void {
    this.#table = new Int32Array(2 * this.#table.length).fill(-1);
    for (let place = 0; place < this.#size; place++)
      this.#table[this.#slotOf(this.#ids[place] ?? -1)] = place;
  }
}

/** Mixes both halves of an id: those of one namespace differ in the lower one. */
function startOf(id: number): number {
  const hash = Math.imul((id | 0) ^ Math.imul((id / 4294967296) | 0, 0x85ebca6b), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
