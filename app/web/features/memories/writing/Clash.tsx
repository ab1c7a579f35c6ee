import type { Memory } from '@reverie/shared/contract/memories/memories';
import { Button } from '../../../ui/Button.tsx';
import { DiffView } from '../../../ui/text/DiffView.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { Time } from '../../../ui/Time.tsx';
import css from './Writing.module.css';

interface ClashProps {
  mine: string;
  /** What is stored now; undefined where it was deleted. */
  theirs: Memory | undefined;
  onChoose: (choice: 'mine' | 'theirs' | 'both') => void;
  /** Where it was deleted: leaves it so. */
  onLeave: () => void;
}

/** The choice where a memory was changed elsewhere in the place where one writes. Until it is made nothing is stored. */
export function Clash({ mine, theirs, onChoose, onLeave }: ClashProps) {
  if (!theirs)
    return (
      <section aria-label="Deleted elsewhere" className={css['clash']}>
        <Banner tone="warn">
          This memory was deleted elsewhere while you were writing. Your text is still here.
        </Banner>
        <div className={css['actions']}>
          <Button look="strong" onClick={() => onChoose('mine')}>
            Store mine again
          </Button>
          <Button onClick={onLeave}>Leave it deleted</Button>
        </div>
      </section>
    );
  return (
    <section aria-label="Changed elsewhere" className={css['clash']}>
      <Banner tone="warn">
        <span>
          This memory was changed elsewhere in the same place (<Time at={theirs.updated_at} />
          ). Nothing was overwritten.
        </span>
      </Banner>
      <details>
        <summary>What differs, from theirs to yours</summary>
        <DiffView before={theirs.value} after={mine} />
      </details>
      <div className={css['actions']}>
        <Button look="strong" onClick={() => onChoose('both')}>
          Keep both
        </Button>
        <Button onClick={() => onChoose('mine')}>Keep mine</Button>
        <Button onClick={() => onChoose('theirs')}>Take theirs</Button>
      </div>
    </section>
  );
}
