import type { Memory } from '@reverie/shared/contract/memories';
import { Button } from '../../../ui/Button.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { Time } from '../../../ui/Time.tsx';
import { DiffView } from '../../../ui/DiffView.tsx';
import { printMetadata, type MemoryDraft } from './draft.ts';
import css from './Editor.module.css';

interface ConflictProps {
  mine: MemoryDraft;
  /** What is stored now; undefined where it was deleted. */
  theirs: Memory | undefined;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onBack: () => void;
}

/** The choice when a memory was changed elsewhere while it was being edited here. */
export function Conflict({ mine, theirs, onKeepMine, onTakeTheirs, onBack }: ConflictProps) {
  return (
    <div className={css['form']}>
      <Banner tone="warn">
        {theirs ? (
          <span>
            This memory was changed elsewhere while you were editing it (<Time at={theirs.updated_at} />
            ). Nothing was overwritten yet.
          </span>
        ) : (
          'This memory was deleted elsewhere while you were editing it. Nothing was stored yet.'
        )}
      </Banner>
      {theirs && (
        <section aria-label="What differs">
          <h3>From theirs to yours</h3>
          <DiffView before={theirs.value} after={mine.value} />
          {printMetadata(theirs.metadata) !== mine.metadata && (
            <DiffView before={printMetadata(theirs.metadata)} after={mine.metadata} />
          )}
        </section>
      )}
      <div className={css['actions']}>
        <Button look="strong" onClick={onKeepMine}>
          {theirs ? 'Keep mine' : 'Store mine again'}
        </Button>
        <Button onClick={onTakeTheirs}>{theirs ? 'Take theirs' : 'Leave it deleted'}</Button>
        <Button look="quiet" onClick={onBack}>
          Back to editing
        </Button>
      </div>
      {theirs && <p>If you keep yours, theirs stays in the history.</p>}
    </div>
  );
}
