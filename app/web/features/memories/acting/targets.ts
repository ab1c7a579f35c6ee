import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { MemoryAddress } from '../address.ts';

/** What is acted on: rows of a list, or the memory that is open. */
export type ActionTarget = Pick<Memory, 'namespace' | 'key' | 'title' | 'updated_at' | 'metadata'>;

/** What a dialog that acts on memories gets. */
export interface DialogProps {
  targets: readonly ActionTarget[];
  /** Namespaces that there are. */
  known: readonly string[];
  /** It was done. */
  onDone: () => void;
  /** Memories have another address now; what shows one of them goes there. */
  onMoved: (moved: readonly { from: MemoryAddress; to: MemoryAddress }[]) => void;
  onClose: () => void;
}
