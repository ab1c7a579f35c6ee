import type { MemoryClass } from '@reverie/shared/contract/memories/memories';
import { Badge, type Tone } from '../../ui/Badge.tsx';

const TONES: Readonly<Record<MemoryClass, Tone>> = {
  note: 'plain',
  error: 'bad',
  dream: 'violet',
  skill: 'good',
};

/** What kind of memory it is. */
export function ClassBadge({ of }: { of: MemoryClass }) {
  return <Badge tone={TONES[of]}>{of}</Badge>;
}
