import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { RefObject } from 'react';
import type { ActKind } from '../acting/Acting.tsx';
import type { ActionTarget } from '../acting/targets.ts';
import type { MemoryAddress } from '../address.ts';
import type { RowActs } from '../list/RowMenu.tsx';

/** How an open memory is looked at. */
export type DetailMode = 'read' | 'edit' | 'history';

/** What an open memory needs of the view around it. */
export interface DetailProps {
  at: MemoryAddress;
  mode: DetailMode;
  /** The namespaces that links of a note may name. */
  known: readonly string[];
  acts: RowActs;
  /** Told what is shown, so that the keyboard can act on it. */
  shown: RefObject<Memory | undefined>;
  onMode: (mode: DetailMode) => void;
  onDo: (kind: ActKind, targets: readonly ActionTarget[]) => void;
  onClose: () => void;
}
