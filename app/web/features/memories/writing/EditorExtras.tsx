import { useId } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Chip, Chips } from '../../../ui/Chip.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TagInput } from '../acting/TagInput.tsx';
import {
  dayOfEnd,
  endOfDay,
  tagsOfDraft,
  withTags,
  type MemoryDraft,
  type DraftErrors,
} from './drafts/draft.ts';
import css from './Extras.module.css';

interface ExtrasProps {
  draft: MemoryDraft;
  errors: DraftErrors;
  onChange: (part: Partial<MemoryDraft>) => void;
}

/** Below the text: its tags, until when it is kept, and all other metadata as JSON. */
export function EditorExtras({ draft, errors, onChange }: ExtrasProps) {
  const id = useId();
  const tags = tagsOfDraft(draft.metadata);
  const setTags = (next: readonly string[]) => {
    const metadata = withTags(draft.metadata, next);
    if (metadata !== undefined) onChange({ metadata });
  };
  return (
    <>
      <div className={css['extras']}>
        {tags ? (
          <Chips label="Tags">
            {tags.map((tag) => (
              <Chip
                key={tag}
                removeLabel={`Remove the tag ${tag}`}
                onRemove={() => setTags(tags.filter((one) => one !== tag))}
              >
                <bdi>{tag}</bdi>
              </Chip>
            ))}
            <TagInput namespace={draft.namespace} has={tags} onAdd={(tag) => setTags([...tags, tag])} />
          </Chips>
        ) : (
          <p className={css['soft']}>Tags can be changed once the text below is right.</p>
        )}
        <div className={css['end']}>
          <label htmlFor={id}>Forget it after</label>
          <input
            id={id}
            type="date"
            className={css['date']}
            aria-invalid={errors.expires === undefined ? undefined : true}
            aria-describedby={errors.expires === undefined ? undefined : `${id}-error`}
            value={dayOfEnd(draft.expires)}
            onChange={(event) => onChange({ expires: endOfDay(event.target.value) })}
          />
          {draft.expires !== '' && (
            <Button look="quiet" onClick={() => onChange({ expires: '' })}>
              Keep it
            </Button>
          )}
          {errors.expires !== undefined && (
            <p id={`${id}-error`} className={css['wrong']} role="alert">
              {errors.expires}
            </p>
          )}
        </div>
      </div>
      <details className={css['advanced']} open={errors.metadata === undefined ? undefined : true}>
        <summary>Advanced</summary>
        <Field
          label="Metadata"
          error={errors.metadata}
          hint="A JSON object; tags stand in it, too. May stay empty."
        >
          {(control) => (
            <textarea
              {...control}
              className={`${control.className} ${css['metadata']}`}
              spellCheck={false}
              value={draft.metadata}
              placeholder='{ "source": "a talk with Mira" }'
              onChange={(event) => onChange({ metadata: event.target.value })}
            />
          )}
        </Field>
      </details>
    </>
  );
}
