import { type KeyboardEvent, type SubmitEvent, useId, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Chip, Chips } from '../../../ui/Chip.tsx';
import type { NoteProperty, PropertyKind } from '../../../ui/reading/properties.ts';
import field from '../../../ui/Field.module.css';
import chip from '../../../ui/Chip.module.css';
import type { PropertyChange } from './use-property.ts';

type Kind = Exclude<PropertyKind, 'other'>;

const KINDS: Readonly<Record<Kind, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  checkbox: 'Checkbox',
  list: 'List',
};

interface PropertyFormProps {
  /** Left out for a new one. */
  property: NoteProperty | undefined;
  /** The names that are there. */
  taken: readonly string[];
  isBusy: boolean;
  failure: string | undefined;
  onSave: (change: PropertyChange) => void;
  onCancel: () => void;
}

/** Edits a property in its place, or a new one. Enter saves, Escape leaves it as it was. */
export function PropertyForm({ property, taken, isBusy, failure, onSave, onCancel }: PropertyFormProps) {
  const [name, setName] = useState(property?.name ?? '');
  const [kind, setKind] = useState<Kind>(property && property.kind !== 'other' ? property.kind : 'text');
  const [typed, setTyped] = useState(kind === 'list' ? '' : (property?.values[0] ?? ''));
  const [entries, setEntries] = useState<readonly string[]>(kind === 'list' ? (property?.values ?? []) : []);
  const [wrong, setWrong] = useState<string>();
  const id = useId();
  const withTyped =
    typed.trim() === '' || entries.includes(typed.trim()) ? entries : [...entries, typed.trim()];
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = property ? undefined : wrongName(name, taken);
    if (found !== undefined) return setWrong(found);
    if (kind === 'number' && !/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/iu.test(typed.trim()))
      return setWrong('Write a number, such as 3 or 1.5.');
    if (kind === 'date' && typed === '') return setWrong('Choose a day, or remove the property.');
    const value = {
      text: () => typed,
      date: () => typed,
      number: () => Number(typed),
      checkbox: () => typed.toLowerCase() === 'true',
      list: () => [...withTyped],
    }[kind]();
    onSave({ name: name.trim(), value });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && kind === 'list' && typed.trim() !== '' && isField(event.target)) {
      setEntries(withTyped);
      setTyped('');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const control = {
    id: `${id}-value`,
    'aria-label': property ? property.name : 'Value',
    'aria-invalid': wrong === undefined ? undefined : (true as const),
    'aria-describedby': wrong === undefined && failure === undefined ? undefined : `${id}-wrong`,
    autoFocus: property !== undefined,
  };
  const type = (next: string) => {
    setTyped(next);
    setWrong(undefined);
  };
  return (
    <form
      className={field['field']}
      aria-label={property ? `Edit ${property.name}` : 'Add a property'}
      noValidate
      onSubmit={save}
      onKeyDown={onKeyDown}
    >
      {!property && (
        <>
          <input
            className={field['control']}
            aria-label="Name"
            placeholder="Name"
            dir="auto"
            autoFocus
            autoComplete="off"
            maxLength={100}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              setWrong(undefined);
            }}
          />
          <select
            className={field['control']}
            aria-label="Kind"
            value={kind}
            onChange={({ target }) => {
              setKind(target.value as Kind);
              setTyped('');
              setWrong(undefined);
            }}
          >
            {Object.entries(KINDS).map(([one, label]) => (
              <option key={one} value={one}>
                {label}
              </option>
            ))}
          </select>
        </>
      )}
      {kind === 'list' && entries.length > 0 && (
        <Chips label={`Entries of ${name === '' ? 'the list' : name}`}>
          {entries.map((entry) => (
            <Chip
              key={entry}
              removeLabel={`Remove ${entry}`}
              onRemove={() => setEntries(entries.filter((one) => one !== entry))}
            >
              <bdi>{entry}</bdi>
            </Chip>
          ))}
        </Chips>
      )}
      {kind === 'checkbox' ? (
        <input
          {...control}
          type="checkbox"
          checked={typed.toLowerCase() === 'true'}
          onChange={({ target }) => type(String(target.checked))}
        />
      ) : (
        <input
          {...control}
          className={field['control']}
          type={kind === 'date' ? 'date' : 'text'}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          placeholder={kind === 'list' ? 'One more' : property ? undefined : 'Value'}
          dir="auto"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      )}
      {(wrong ?? failure) !== undefined && (
        <p id={`${id}-wrong`} className={field['error']} role="alert">
          {wrong ?? `Not saved: ${failure}.`}
        </p>
      )}
      <div className={chip['chips']}>
        <Button type="submit" look="strong">
          {isBusy ? 'Saving…' : 'Save'}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        {property && (
          <Button
            look="quiet"
            icon="trash"
            onClick={() => {
              if (!isBusy) onSave({ name: property.name, value: null });
            }}
          >
            Remove
          </Button>
        )}
      </div>
    </form>
  );
}

function isField(target: EventTarget): boolean {
  return target instanceof HTMLInputElement;
}

function wrongName(given: string, taken: readonly string[]): string | undefined {
  const name = given.trim();
  if (name === '') return 'Write a name for the property.';
  if (/^tags?$/iu.test(name)) return 'Tags stand above the text; add them there.';
  if (taken.some((one) => one.toLowerCase() === name.toLowerCase()))
    return 'There is such a property. Edit it, or choose another name.';
  return undefined;
}
