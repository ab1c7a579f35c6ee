import { type AskedVector, Rows } from '../../../models/rows.ts';
import { DenseIds } from './dense-ids.ts';

/** The id of a chunk, and of the memory that it belongs to for good. */
export interface ChunkOf {
  readonly id: number;
  readonly memoryId: number;
}

/** A chunk's id and the cosine of its vector with the query's. */
export interface VectorHit {
  readonly id: number;
  readonly cosine: number;
}

/**
 * The vectors of one account and namespace, in memory: int8 with a scale. Every one is compared with a query: 100,000 of 128
 * dimensions take 3 ms (bench/calibration/vector-recall.ts). About 160 bytes a vector, and at most a quarter more of room to grow.
 */
export class VectorIndex {
  readonly dimensions: number;
  readonly #rows: Rows;
  readonly #ids = new DenseIds();
  #scales = new Float32Array(0);
  #memories = new Float64Array(0);

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rows = new Rows(dimensions);
  }

  get size(): number {
    return this.#ids.size;
  }

  /** Memory held, in bytes. */
  get bytes(): number {
    return this.#rows.bytes + this.#scales.byteLength + this.#memories.byteLength + this.#ids.bytes;
  }

  has(id: number): boolean {
    return this.#ids.placeOf(id) >= 0;
  }

  /** The memory of a chunk; undefined for one that has no vector here. */
  memoryOf(id: number): number | undefined {
    const slot = this.#ids.placeOf(id);
    return slot < 0 ? undefined : this.#memories[slot];
  }

  /** Adds a chunk's vector, or replaces the one that it has; throws where its dimensions are not the index's. */
  add({ id, memoryId }: ChunkOf, data: Int8Array, scale: number): void {
    if (data.length !== this.dimensions)
      throw new RangeError(`a vector of ${data.length} in an index of ${this.dimensions}`);
    let slot = this.#ids.placeOf(id);
    if (slot < 0) {
      // First: where there is no memory for it, the index stays as it is.
      if (this.#ids.size === this.#memories.length) this.#grow();
      slot = this.#ids.add(id);
    }
    this.#memories[slot] = memoryId;
    this.#rows.at(slot).set(data);
    this.#scales[slot] = scale;
  }

  /** Forgets a vector; false where there was none. */
  remove(id: number): boolean {
    const slot = this.#ids.remove(id);
    if (slot < 0) return false;
    const last = this.#ids.size;
    if (slot !== last) {
      this.#rows.at(slot).set(this.#rows.at(last));
      this.#scales[slot] = this.#scales[last] ?? 0;
      this.#memories[slot] = this.#memories[last] ?? -1;
    }
    // Permanent means permanent: nothing of a deleted text stays in memory.
    this.#rows.at(last).fill(0);
    return true;
  }

  /** Forgets the vectors of some chunks. */
  removeWhere(isGone: (id: number) => boolean): void {
    for (const id of this.#ids.all.slice(0, this.size)) if (isGone(id)) this.remove(id);
  }

  /** Readies a query's vector for `cosine`. */
  ask(query: Float32Array, slot = 0): AskedVector {
    if (query.length !== this.dimensions)
      throw new RangeError(`a query of ${query.length} in an index of ${this.dimensions}`);
    return this.#rows.ask(query, slot);
  }

  /** The cosine with one vector of the index (for candidates that the words found); undefined where it has none. */
  cosine(asked: AskedVector, id: number): number | undefined {
    const slot = this.#ids.placeOf(id);
    return slot < 0 ? undefined : this.#rows.dot(asked, slot) * (this.#scales[slot] ?? 0);
  }

  /** The `k` nearest, best first, equal ones by id; none for a query vector that is all zero. */
  search(query: Float32Array, k: number, allow?: (id: number) => boolean): VectorHit[] {
    return this.searchAll([{ vector: query, k }], allow)[0] ?? [];
  }

  /** The nearest of each of up to eight queries, found in one pass over all vectors. */
  searchAll(
    queries: readonly { readonly vector: Float32Array; readonly k: number }[],
    allow?: (id: number) => boolean,
  ): VectorHit[][] {
    const all = queries.map(({ vector, k }, slot) => ({
      asked: this.ask(vector, slot),
      best: new Best(k),
      isLooked: k >= 1 && vector.some((x) => x !== 0),
    }));
    if (!all.some(({ isLooked }) => isLooked)) return all.map(() => []);
    const scales = this.#scales;
    const ids = this.#ids.all;
    const asked = all.map((one) => one.asked);
    this.#rows.scan(asked, this.size, ({ first, rows, which }, sums) => {
      const one = all[which];
      if (!one?.isLooked) return;
      const { best } = one;
      const { step } = one.asked;
      let { least } = best;
      for (let i = 0; i < rows; i++) {
        const cosine = (sums[i] ?? 0) * step * (scales[first + i] ?? 0);
        if (cosine < least) continue;
        const id = ids[first + i] ?? -1;
        if (allow && !allow(id)) continue;
        best.offer(id, cosine);
        least = best.least;
      }
    });
    return all.map(({ best }) => best.sorted());
  }

  #grow(): void {
    const capacity = Math.max(64, Math.ceil(this.#memories.length * 1.25));
    this.#rows.reserve(capacity);
    this.#scales = grown(this.#scales, new Float32Array(this.#rows.capacity));
    this.#memories = grown(this.#memories, new Float64Array(this.#rows.capacity));
  }
}

function grown<T extends Float32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The `k` best seen so far: a heap whose root is the worst of them. */
class Best {
  readonly #k: number;
  readonly #heap: VectorHit[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  /** What is below it is none of the best. */
  get least(): number {
    return this.#heap.length < this.#k ? -Infinity : (this.#heap[0]?.cosine ?? -Infinity);
  }

  offer(id: number, cosine: number): void {
    const heap = this.#heap;
    const root = heap[0];
    if (heap.length < this.#k) {
      heap.push({ id, cosine });
      this.#up(heap.length - 1);
    } else if (root && (cosine > root.cosine || (cosine === root.cosine && id < root.id))) {
      heap[0] = { id, cosine };
      this.#down();
    }
  }

  sorted(): VectorHit[] {
    return [...this.#heap].sort(betterFirst);
  }

  #up(from: number): void {
    for (let i = from; i > 0;) {
      const parent = (i - 1) >> 1;
      if (!this.#swapIfWorse(i, parent)) return;
      i = parent;
    }
  }

  #down(): void {
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const worse = this.#worse(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfWorse(worse, i)) return;
      i = worse;
    }
  }

  #worse(a: number, b: number): boolean {
    const x = this.#heap[a];
    const y = this.#heap[b];
    return x !== undefined && y !== undefined && betterFirst(x, y) > 0;
  }

  #swapIfWorse(child: number, parent: number): boolean {
    const a = this.#heap[child];
    const b = this.#heap[parent];
    if (!a || !b || betterFirst(a, b) <= 0) return false;
    this.#heap[parent] = a;
    this.#heap[child] = b;
    return true;
  }
}

function betterFirst(a: VectorHit, b: VectorHit): number {
  return b.cosine - a.cosine || a.id - b.id;
}
