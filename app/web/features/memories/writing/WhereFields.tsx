import { keyFrom } from '@reverie/shared/contract/memories/key-from';
import { useId } from 'react';
import type { MemoryDraft, DraftErrors } from './drafts/draft.ts';
import css from './Extras.module.css';

interface WhereProps {
  draft: MemoryDraft;
  errors: DraftErrors;
  known: readonly string[];
  onChange: (part: Partial<MemoryDraft>) => void;
}

/** Where a new memory goes, in one small line: a namespace, and a key that is made of its first words unless one is named. */
export function WhereFields({ draft, errors, known, onChange }: WhereProps) {
  const list = useId();
  const wrong = useId();
  const error = errors.namespace ?? errors.key;
  return (
    <div>
      <div className={css['where']}>
        <input
          className={css['place']}
          aria-label="Namespace"
          aria-invalid={errors.namespace === undefined ? undefined : true}
          aria-describedby={wrong}
          title="A new name makes a new namespace"
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
        <span aria-hidden="true">/</span>
        <input
          className={`${css['place']} ${css['key']}`}
          aria-label="Key"
          aria-invalid={errors.key === undefined ? undefined : true}
          aria-describedby={wrong}
          title="A name to find it by. Begin it with error: or skill: to sort it."
          placeholder={draft.value.trim() === '' ? 'key, from its first words' : keyFrom(draft.value)}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          value={draft.key}
          onChange={(event) => onChange({ key: event.target.value })}
        />
      </div>
      <p id={wrong} className={css['wrong']} role={error === undefined ? undefined : 'alert'}>
        {error}
      </p>
    </div>
  );
}
