import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useRef, type ReactNode } from 'react';
import { useStore } from '../../../platform/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { Clash } from './Clash.tsx';
import type { Entry } from './entry.ts';
import { hasRoom } from './drafts/unsaved.ts';
import { QuietLine } from './QuietLine.tsx';
import type { Sheet } from './sheet/sheet.ts';
import { useAutosave } from './drafts/use-autosave.ts';
import css from './Writing.module.css';
import { WritingText } from './WritingText.tsx';

interface WritingSheetProps {
  memory: Memory;
  /** Whether it was deleted elsewhere. */
  isGone: boolean;
  entry: Entry | undefined;
  facts: ReactNode;
  onLeave: () => void;
}

/** A memory that is written where it is read, and saved by itself. */
export default function WritingSheet({ memory, isGone, entry, facts, onLeave }: WritingSheetProps) {
  const place = useRef<HTMLDivElement>(null);
  const sheet = useRef<Sheet>(undefined);
  const { autosave, first } = useAutosave({ memory, isGone, sheet });
  const state = useStore(autosave.state);
  const isKept = useStore(hasRoom);
  // It is saved when it is gone from the page, like all that is left in another way.
  const leave = () => {
    place.current?.closest('article')?.focus({ preventScroll: true });
    onLeave();
  };
  return (
    <div ref={place} className={css['open']}>
      {state.kind === 'conflict' && (
        <Clash
          mine={sheet.current?.text() ?? first}
          theirs={state.theirs}
          onChoose={(choice) => {
            void autosave.settle(choice);
            sheet.current?.view.focus();
          }}
          onLeave={() => {
            autosave.forget();
            onLeave();
          }}
        />
      )}
      <WritingText
        text={first}
        title={memory.title}
        namespace={memory.namespace}
        label="Text"
        empty=""
        entry={entry}
        facts={facts}
        sheet={sheet}
        onTyped={autosave.typed}
        onLeave={leave}
        onSave={() => void autosave.save()}
      />
      <QuietLine state={state} isKept={isKept}>
        <Button look="quiet" onClick={leave} title="Escape">
          Done
        </Button>
      </QuietLine>
    </div>
  );
}
