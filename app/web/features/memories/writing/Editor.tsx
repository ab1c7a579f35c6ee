import type { Memory } from '@reverie/shared/contract/memories';
import { lazy, Suspense, useDeferredValue, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { formatBytes } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Banner, Skeleton } from '../../../ui/Message.tsx';
import { ToggleGroup } from 'radix-ui';
import choice from '../../../ui/Choice.module.css';
import { hasEndlessLine } from '../../../ui/text-blocks.ts';
import { Conflict } from './Conflict.tsx';
import { draftBytes, isChanged, type MemoryDraft } from './draft.ts';
import css from './Editor.module.css';
import { EditorExtras } from './EditorExtras.tsx';
import { useWriting } from './use-writing.ts';
import { WhereFields } from './WhereFields.tsx';

const ValueText = lazy(() =>
  import('../reading/ValueText.tsx').then((part) => ({ default: part.ValueText })),
);

interface EditorProps {
  /** The memory to change; none to write a new one. */
  base?: Memory;
  namespace: string;
  /** Namespaces to choose from for a new memory. */
  known?: readonly string[];
  onSaved: (saved: { namespace: string; key: string }) => void;
  onCancel: () => void;
}

/** Writes a new memory or changes one. What is typed is kept while the tab lives, until it is saved or discarded. */
export default function Editor({ base, namespace, known = [], onSaved, onCancel }: EditorProps) {
  const writing = useWriting({ base, namespace, onSaved, onCancel });
  const { draft, errors, save, change } = writing;
  const [look, setLook] = useState<'write' | 'preview'>('write');
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault();
    save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
    else if (event.key === 'Escape') onCancel();
    else return;
    event.preventDefault();
  };
  if (writing.conflict)
    return (
      <Conflict
        mine={draft}
        theirs={writing.conflict.theirs}
        onKeepMine={writing.conflict.keepMine}
        onTakeTheirs={writing.conflict.takeTheirs}
        onBack={writing.conflict.back}
      />
    );
  return (
    <form
      className={css['form']}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      aria-label={base ? 'Edit memory' : 'New memory'}
    >
      {writing.failure && (
        <Banner tone="bad">Not saved: {writing.failure}. Your text is still here; try again.</Banner>
      )}
      {!base && <WhereFields draft={draft} errors={errors} known={known} onChange={change} />}
      <ToggleGroup.Root
        type="single"
        className={`${choice['group']} ${css['tabs']}`}
        aria-label="Write or preview"
        value={look}
        onValueChange={(next) => setLook(next === 'preview' ? 'preview' : 'write')}
      >
        <ToggleGroup.Item value="write" className={choice['one']}>
          Write
        </ToggleGroup.Item>
        <ToggleGroup.Item value="preview" className={choice['one']}>
          Preview
        </ToggleGroup.Item>
      </ToggleGroup.Root>
      {look === 'preview' ? (
        <div className={`${css['preview']} ${css['text']}`}>
          <Suspense fallback={<Skeleton lines={6} />}>
            {draft.value === '' ? (
              <p className={css['soft']}>Nothing is written yet.</p>
            ) : (
              <ValueText memory={{ ...draft, title: '' }} known={known} />
            )}
          </Suspense>
        </div>
      ) : (
        <Text draft={draft} error={errors.value} isNew={!base} onChange={change} />
      )}
      <EditorExtras draft={draft} errors={errors} onChange={change} />
      <div className={css['actions']}>
        <Button
          type="submit"
          look="strong"
          disabled={writing.isSaving || !isChanged(draft)}
          title="Ctrl+Enter"
        >
          {writing.isSaving ? 'Saving…' : base ? 'Save' : 'Remember'}
        </Button>
        <Button look="quiet" onClick={writing.discard}>
          {isChanged(draft) ? 'Discard' : 'Cancel'}
        </Button>
        <Size draft={draft} />
      </div>
    </form>
  );
}

interface TextProps {
  draft: MemoryDraft;
  error: string | undefined;
  isNew: boolean;
  onChange: (part: Partial<MemoryDraft>) => void;
}

function Text({ draft, error, isNew, onChange }: TextProps) {
  return (
    <div className={css['text']}>
      <textarea
        className={css['value']}
        aria-label="Text"
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : 'text-error'}
        dir="auto"
        autoFocus
        wrap={hasEndlessLine(draft.value) ? 'off' : 'soft'}
        value={draft.value}
        placeholder={isNew ? 'What should be remembered?' : ''}
        onChange={(event) => onChange({ value: event.target.value })}
      />
      {error !== undefined && (
        <p id="text-error" className={css['wrong']} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Above this a text is so long that its end is worth knowing, bytes. */
const NEAR_THE_END = 512 * 1024;

function Size({ draft }: { draft: MemoryDraft }) {
  const settled = useDeferredValue(draft);
  const bytes = draftBytes(settled);
  return (
    <span className={css['size']}>
      {bytes > NEAR_THE_END ? `${formatBytes(bytes)} of 1 MiB` : <kbd>Ctrl Enter</kbd>}
    </span>
  );
}
