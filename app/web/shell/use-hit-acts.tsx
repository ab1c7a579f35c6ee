import { getMemory } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { latePart } from '../platform/late-part.ts';
import type { FieldEntry } from '../features/field/fitting.ts';
import type { FieldHit } from '../features/field/hit.ts';
import type { ActKind } from '../features/memories/acting/Acting.tsx';
import type { ActionTarget } from '../features/memories/acting/targets.ts';
import { useActs } from '../features/memories/acting/use-acts.ts';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { call } from '../platform/daemon/api.ts';
import { notify } from '../platform/notices.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';

const Acting = latePart(() => import('../features/memories/acting/Acting.tsx'));

interface HitActs {
  onOpen: (hit: FieldHit) => void;
  onEdit: (hit: FieldHit) => void;
  /** It was done, and the field can go. */
  onDone: () => void;
}

/** What the field can do to a memory that fits, and the window in which one of it is under way. */
export function useHitActs({ onOpen, onEdit, onDone }: HitActs): {
  actsOf: (hit: FieldHit) => FieldEntry[];
  acting: ReactNode;
} {
  const canWrite = allows(useStore(session), 'write');
  const { data: namespaces = [] } = useQuery(namespacesQuery);
  const [doing, setDoing] = useState<{ kind: ActKind; targets: readonly ActionTarget[] }>();
  const acts = useActs({
    canWrite,
    onOpen,
    onEdit,
    onDo: (kind, targets) => setDoing({ kind, targets }),
    onTrashed: onDone,
  });
  const entry = (of: Omit<FieldEntry, 'id' | 'group'>): FieldEntry => ({ ...of, id: of.label, group: 'Do' });
  return {
    actsOf: (hit) => [
      entry({ icon: 'note', label: 'Open', run: () => acts.open(hit) }),
      entry({
        icon: 'copy',
        label: 'Copy text',
        run: () => {
          onDone();
          copyText(hit);
        },
      }),
      entry({
        icon: 'share',
        label: 'Copy link',
        run: () => {
          onDone();
          acts.copyLink(hit);
        },
      }),
      ...(canWrite
        ? [
            entry({ icon: 'edit', label: 'Edit', words: ['change', 'write'], run: () => acts.edit(hit) }),
            entry({ icon: 'tag', label: 'Tag…', run: () => acts.tag([hit]) }),
            entry({ icon: 'folder', label: 'Move…', words: ['namespace'], run: () => acts.move([hit]) }),
            entry({
              icon: 'trash',
              label: 'Move to the trash',
              words: ['delete', 'remove'],
              run: () => acts.trash([hit]),
            }),
          ]
        : []),
    ],
    acting: doing && (
      <Acting
        {...doing}
        known={namespaces.map(({ namespace }) => namespace)}
        onDone={() => undefined}
        onMoved={() => undefined}
        onClose={() => {
          setDoing(undefined);
          onDone();
        }}
      />
    ),
  };
}

/** Puts what a memory says on the clipboard. */
function copyText({ namespace, key }: FieldHit): void {
  call(getMemory, { body: { namespace, key } })
    .then(({ value }) => navigator.clipboard.writeText(value))
    .then(
      () => notify('good', 'The text is on the clipboard.'),
      () => notify('bad', 'It was not copied: open it, and copy it there.'),
    );
}
