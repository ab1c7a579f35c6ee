import { useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { tagsQuery } from '../queries.ts';
import css from './TagInput.module.css';

/** How many tags are offered at once. */
const OFFERED = 6;

interface TagInputProps {
  namespace: string;
  /** Those that are there already, and so not offered. */
  has: readonly string[];
  onAdd: (tag: string) => void;
  /** Escape, or the focus went elsewhere while nothing was typed. */
  onLeave?: () => void;
  label?: string;
  isFirst?: boolean;
}

/** A field for one more tag; offers those that other memories have. */
export function TagInput({
  namespace,
  has,
  onAdd,
  onLeave,
  label = 'Add a tag',
  isFirst = false,
}: TagInputProps) {
  const { data: known = [] } = useQuery(tagsQuery(namespace));
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [hasFocus, setFocus] = useState(false);
  const id = useId();
  const sought = typed.trim().toLowerCase();
  const offered = known
    .map(([tag]) => tag)
    .filter((tag) => !has.includes(tag) && tag.toLowerCase().includes(sought))
    .slice(0, OFFERED);
  const add = (tag: string) => {
    setTyped('');
    if (tag !== '' && !has.includes(tag)) onAdd(tag);
  };
  const addTyped = () => {
    const pieces = typed.split(',').map((piece) => piece.trim());
    if (pieces.some((piece) => piece.length > 100)) return setWrong('A tag has 100 characters at most.');
    pieces.forEach(add);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) addTyped();
    else if (event.key === ',') addTyped();
    else if (event.key === 'Escape' && onLeave) onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span
      className={css['field']}
      onFocus={() => setFocus(true)}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setFocus(false);
        addTyped();
        onLeave?.();
      }}
    >
      <input
        className={css['input']}
        dir="auto"
        aria-label={label}
        placeholder={label}
        aria-describedby={wrong === undefined ? undefined : id}
        autoComplete="off"
        spellCheck={false}
        data-first={isFirst ? true : undefined}
        autoFocus={isFirst}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setWrong(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      {(hasFocus || isFirst ? offered : []).map((tag) => (
        <button
          key={tag}
          type="button"
          className={css['offer']}
          dir="auto"
          // The field keeps the focus, so that nothing moves below the pointer before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => add(tag)}
        >
          <span aria-hidden="true">+</span> {tag}
        </button>
      ))}
      {wrong !== undefined && (
        <span id={id} className={css['wrong']} role="alert">
          {wrong}
        </span>
      )}
    </span>
  );
}
