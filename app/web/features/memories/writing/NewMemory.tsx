import { useRef, useState } from 'react';
import { useStore } from '../../../platform/store.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { hasRoom } from './drafts/unsaved.ts';
import { EditorExtras } from './EditorExtras.tsx';
import { QuietLine } from './QuietLine.tsx';
import type { Sheet } from './sheet/sheet.ts';
import { useNewMemory } from './use-new-memory.ts';
import { WhereFields } from './WhereFields.tsx';
import { WritingText } from './WritingText.tsx';
import css from './Writing.module.css';

interface NewMemoryProps {
  namespace: string;
  /** Namespaces to choose from. */
  known: readonly string[];
  onSaved: (saved: { namespace: string; key: string }) => void;
  onClose: () => void;
}

/** An empty sheet: one writes first, and says where it goes below, if at all. */
export default function NewMemory({ namespace, known, onSaved, onClose }: NewMemoryProps) {
  const sheet = useRef<Sheet>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const { draft, errors, state, ...writing } = useNewMemory({ namespace, sheet, onSaved, onClose });
  const isKept = useStore(hasRoom);
  const [isMore, setMore] = useState(false);
  const [first] = useState(draft.value);
  const hasMore = isMore || errors.metadata !== undefined || errors.expires !== undefined;
  return (
    <div ref={place} className={css['sheet']}>
      <WritingText
        text={first}
        title=""
        namespace={draft.namespace}
        label="Text"
        empty="What should be remembered?"
        entry={undefined}
        sheet={sheet}
        onTyped={writing.typed}
        onLeave={writing.store}
        onSave={writing.store}
      />
      {errors.value !== undefined && (
        <p className={css['wrong']} role="alert">
          {errors.value}
        </p>
      )}
      <div className={css['below']}>
        <div className={css['whereLine']}>
          <WhereFields draft={draft} errors={errors} known={known} onChange={writing.change} />
          <IconButton
            icon="more"
            label="Tags, and until when it is kept"
            aria-expanded={hasMore}
            onClick={() => setMore(!isMore)}
          />
        </div>
        {hasMore && <EditorExtras draft={draft} errors={errors} onChange={writing.change} />}
      </div>
      <QuietLine state={state} isKept={isKept} isNew>
        <Button look="quiet" onClick={writing.discard}>
          Throw away
        </Button>
        <Button look="strong" disabled={state.kind === 'saving'} onClick={writing.store} title="Ctrl+Enter">
          Remember
        </Button>
      </QuietLine>
    </div>
  );
}
