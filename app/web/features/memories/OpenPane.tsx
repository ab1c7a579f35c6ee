import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode, type RefObject } from 'react';
import { latePart } from '../../platform/late-part.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import type { ActKind } from './acting/Acting.tsx';
import type { ActionTarget } from './acting/targets.ts';
import { type MemoryAddress, idOf } from './address.ts';
import type { RowActs } from './list/RowMenu.tsx';
import css from './MemoriesView.module.css';
import { MemoryDetail } from './reading/MemoryDetail.tsx';
import { trashQuery } from './trash/queries.ts';
import { DailyNote } from './writing/DailyNote.tsx';

const NewMemory = latePart(() => import('./writing/NewMemory.tsx'));
const TrashedMemory = latePart(() => import('./trash/TrashedMemory.tsx'));

interface OpenPaneProps {
  namespace: string;
  known: readonly string[];
  /** Where what is written goes while every namespace is shown. */
  home: string;
  open: MemoryAddress | undefined;
  canWrite: boolean;
  /** Told what is shown, so that the keyboard can act on it. */
  shown: RefObject<Memory | undefined>;
  acts: RowActs;
  onDo: (kind: ActKind, targets: readonly ActionTarget[]) => void;
  onClose: () => void;
}

/** What is open beside the list: a memory, a new one, one of the trash, or what to do. */
export function OpenPane({
  namespace,
  known,
  home,
  open,
  canWrite,
  shown,
  acts,
  onDo,
  onClose,
}: OpenPaneProps) {
  const { mode, key, day } = usePlace();
  const go = useGo();
  const waiting = <Skeleton lines={8} />;
  const written = namespace === EVERY_NAMESPACE ? home : namespace;
  if (day !== undefined && key === undefined)
    return (
      <Frame title="Today’s note" onClose={onClose}>
        <DailyNote listed={namespace} namespace={written} canWrite={canWrite} />
      </Frame>
    );
  if (mode === 'new')
    return (
      <Frame title="New memory" onClose={onClose}>
        <Suspense fallback={waiting}>
          <NewMemory
            key={namespace}
            namespace={written}
            known={known}
            onSaved={(saved) =>
              go(
                namespace === EVERY_NAMESPACE
                  ? { key: saved.key, in: saved.namespace, mode: undefined }
                  : { ...saved, mode: undefined },
                { replace: true },
              )
            }
            onClose={onClose}
          />
        </Suspense>
      </Frame>
    );
  if (mode === 'trash')
    return key === undefined ? (
      <OfTrash namespace={namespace} />
    ) : (
      <Suspense fallback={waiting}>
        <TrashedMemory
          key={key}
          namespace={namespace}
          known={known}
          id={key}
          canWrite={canWrite}
          onClose={onClose}
        />
      </Suspense>
    );
  if (open)
    return (
      <MemoryDetail
        key={idOf(open)}
        at={open}
        mode={mode ?? 'read'}
        known={known}
        acts={acts}
        shown={shown}
        onMode={(next) => go({ mode: next === 'read' ? undefined : next })}
        onDo={onDo}
        onClose={onClose}
      />
    );
  return (
    <Nothing title="Choose a memory to read it">
      <p className={css['keys']}>
        <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>x</kbd> selects, <kbd>?</kbd> shows all keys.
      </p>
      {canWrite && (
        <Button icon="plus" onClick={() => go({ key: undefined, mode: 'new' })}>
          New memory
        </Button>
      )}
    </Nothing>
  );
}

/** Beside a trash that holds something. */
function OfTrash({ namespace }: { namespace: string }) {
  const { data } = useQuery(trashQuery(namespace));
  return data && data.total > 0 && <Nothing title="Choose one to see what it said" />;
}

function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css['nothing']}>
      <Message title={title}>{children}</Message>
    </div>
  );
}
