import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { debounce } from '../../../platform/debounce.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import css from './SearchBox.module.css';

const PAUSE_MS = 150;

export interface SearchHandle {
  focus(): void;
}

interface SearchBoxProps {
  handle: Ref<SearchHandle>;
  namespace: string;
  /** What the address says is searched for. */
  query: string;
  onSearch: (query: string) => void;
  /** Down arrow or Enter: on to the results. */
  onLeave: (query: string) => void;
}

/** Searches as one types, after a short pause. */
export function SearchBox({ handle, namespace, query, onSearch, onLeave }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(query);
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  const [pause] = useState(() => debounce<string>(wallClock, PAUSE_MS, (text) => search.current(text)));
  useEffect(() => pause.cancel, [pause]);
  // The address changed by other means, such as the back button: it wins over what stands in the box.
  const [seen, setSeen] = useState(query);
  if (query !== seen) {
    setSeen(query);
    if (query !== typed.trim()) setTyped(query);
  }
  useImperativeHandle(handle, () => ({
    focus: () => {
      input.current?.focus();
      input.current?.select();
    },
  }));
  const now = (text: string) => {
    pause.cancel();
    setTyped(text);
    onSearch(text.trim());
  };
  return (
    <search className={css['box']}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        className={css['input']}
        dir="auto"
        aria-label={namespace === EVERY_NAMESPACE ? 'Search everywhere' : `Search in ${namespace}`}
        aria-keyshortcuts="/"
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          pause.push(event.target.value.trim());
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            if (typed === '') input.current?.blur();
            else now('');
          } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            if (event.key === 'Enter') now(typed);
            onLeave(typed.trim());
          }
        }}
      />
      {typed === '' ? (
        <kbd className={css['hint']} aria-hidden="true">
          /
        </kbd>
      ) : (
        <IconButton
          icon="close"
          label="Clear search"
          onClick={() => {
            now('');
            input.current?.focus();
          }}
        />
      )}
    </search>
  );
}
