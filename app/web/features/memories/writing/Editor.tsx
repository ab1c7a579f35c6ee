import type { Memory } from '@reverie/shared/contract/memories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useId, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { call } from '../../../platform/api.ts';
import { formatBytes } from '../../../platform/format.ts';
import { notify } from '../../../platform/notices.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { Conflict } from './Conflict.tsx';
import {
  checkDraft,
  draftBytes,
  draftId,
  draftOf,
  drafts,
  emptyDraft,
  isChanged,
  keepDraft,
  type Draft,
  type DraftErrors,
} from './draft.ts';
import css from './Editor.module.css';
import { refresh } from '../queries.ts';
import { hasEndlessLine } from '../../../ui/text-blocks.ts';
import { changeMemory, createMemory, type Saved } from './saving.ts';
import { trashing } from '../trash/trash.ts';

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
  const id = draftId(namespace, base?.key);
  const fresh = () => (base ? draftOf(base) : emptyDraft(namespace));
  const [draft, setDraft] = useState<Draft>(() => drafts.get().get(id) ?? fresh());
  const [errors, setErrors] = useState<DraftErrors>({});
  const [theirs, setTheirs] = useState<{ memory: Memory | undefined }>();
  const queries = useQueryClient();

  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    setErrors({});
    keepDraft(id, isChanged(next) ? next : undefined);
  };
  const discard = () => {
    keepDraft(id, undefined);
    if (isChanged(draft))
      notify('good', 'Your changes were discarded.', { label: 'Undo', run: () => keepDraft(id, draft) });
    onCancel();
  };
  const done = async (saved: Saved) => {
    if (saved.kind === 'conflict') return setTheirs({ memory: saved.theirs });
    if (saved.kind === 'taken')
      return setErrors({
        key: 'A memory with this key exists already. Choose another key, or edit that one.',
      });
    keepDraft(id, undefined);
    await refresh(queries, [draft.namespace]);
    notify('good', base ? 'Saved.' : 'Remembered.');
    onSaved({ namespace: draft.namespace, key: saved.key });
  };
  const save = useMutation({
    mutationFn: async (sent: Draft) => {
      const checked = checkDraft(sent);
      if (!checked.ok) {
        setErrors(checked.errors);
        return undefined;
      }
      // A memory of the same key that is on its way to the trash would otherwise take this one's place.
      await trashing.settle(sent);
      const ready = { ...sent, parsed: checked.metadata };
      return sent.base ? changeMemory(call, ready) : createMemory(call, ready);
    },
    onSuccess: (saved) => (saved ? done(saved) : undefined),
  });
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault();
    save.mutate(draft);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
    else if (event.key === 'Escape') onCancel();
    else return;
    event.preventDefault();
  };
  const keepMine = () => {
    const onto = { ...draft, base: theirs?.memory };
    setDraft(onto);
    setTheirs(undefined);
    save.mutate(onto);
  };
  const takeTheirs = async () => {
    keepDraft(id, undefined);
    await refresh(queries, [namespace]);
    onCancel();
  };

  if (theirs)
    return (
      <Conflict
        mine={draft}
        theirs={theirs.memory}
        onKeepMine={keepMine}
        onTakeTheirs={() => void takeTheirs()}
        onBack={() => setTheirs(undefined)}
      />
    );
  return (
    <form
      className={css['form']}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      aria-label={base ? 'Edit memory' : 'New memory'}
    >
      {save.isError && (
        <Banner tone="bad">Not saved: {save.error.message}. Your text is still here; try again.</Banner>
      )}
      {!base && <WhereFields draft={draft} errors={errors} known={known} onChange={change} />}
      <Field label="Value" error={errors.value} hint={<Size draft={draft} />}>
        {(control) => (
          <textarea
            {...control}
            className={`${control.className} ${css['value']}`}
            dir="auto"
            autoFocus
            wrap={hasEndlessLine(draft.value) ? 'off' : 'soft'}
            value={draft.value}
            placeholder={base ? '' : 'What should be remembered?'}
            onChange={(event) => change({ value: event.target.value })}
          />
        )}
      </Field>
      <Field label="Metadata" error={errors.metadata} hint="A JSON object, such as tags. May stay empty.">
        {(control) => (
          <textarea
            {...control}
            className={`${control.className} ${css['metadata']}`}
            spellCheck={false}
            value={draft.metadata}
            placeholder='{ "tags": ["idea"] }'
            onChange={(event) => change({ metadata: event.target.value })}
          />
        )}
      </Field>
      <div className={css['actions']}>
        <Button type="submit" look="strong" disabled={save.isPending || !isChanged(draft)} title="Ctrl+Enter">
          {save.isPending ? 'Saving…' : base ? 'Save' : 'Remember'}
        </Button>
        <Button onClick={discard}>{isChanged(draft) ? 'Discard' : 'Cancel'}</Button>
      </div>
    </form>
  );
}

interface WhereProps {
  draft: Draft;
  errors: DraftErrors;
  known: readonly string[];
  onChange: (part: Partial<Draft>) => void;
}

function WhereFields({ draft, errors, known, onChange }: WhereProps) {
  const list = useId();
  return (
    <div className={css['where']}>
      <Field
        label="Key"
        error={errors.key}
        hint="A name to find it by. Begin it with error:, skill: or dream: to class it. Empty: one is made."
      >
        {(control) => (
          <input
            {...control}
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            value={draft.key}
            onChange={(event) => onChange({ key: event.target.value })}
          />
        )}
      </Field>
      <Field label="Namespace" error={errors.namespace} hint="A new name makes a new namespace.">
        {(control) => (
          <>
            <input
              {...control}
              dir="auto"
              autoComplete="off"
              spellCheck={false}
              list={list}
              value={draft.namespace}
              onChange={(event) => onChange({ namespace: event.target.value })}
            />
            <datalist id={list}>
              {known.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </div>
  );
}

function Size({ draft }: { draft: Draft }) {
  const settled = useDeferredValue(draft);
  return <>{formatBytes(draftBytes(settled))} of 1 MiB</>;
}
