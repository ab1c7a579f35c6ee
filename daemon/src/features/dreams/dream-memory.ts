import type { JsonObject } from '@reverie/shared/contract/fields';
import type { MemoryClass } from '@reverie/shared/contract/memories/memories';

/** A memory as a dream sees it. Hidden memories, what dreams wrote, and text that was recalled are not among them. */
export interface DreamMemory {
  readonly id: number;
  readonly key: string;
  /** The first 8,192 characters, recalled text taken out; fewer of long ones where all together are more than 10 million. */
  readonly value: string;
  /** Whether `value` is not the whole of it. */
  readonly isCut: boolean;
  /**
   * SHA-256 (hex) of the whole value, spelled alike: NFKC, lower case, runs of white space one space. Two memories with the same one say the
   * same; numbers and punctuation count.
   */
  readonly digest: string;
  readonly class: MemoryClass;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  /** `metadata.session`; null where there is none. */
  readonly session: string | null;
  /** Milliseconds since 1970 of what it tells of: `metadata.timestamp`, else the day that it gives itself, else when it was created. */
  readonly time: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Whether it was recalled in the last 180 days. */
  readonly wasRecalled: boolean;
}
