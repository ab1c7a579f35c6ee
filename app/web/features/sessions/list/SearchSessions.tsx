import { useEffect, useMemo, useState } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { debounce } from '../../../platform/debounce.ts';
import { useGo } from '../../../platform/place.ts';
import { BareIconButton } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import css from './SessionsView.module.css';

/** How long one pauses before what was typed is looked for, ms. */
const PAUSE_MS = 200;

/** Where one types what is looked for in sessions; it stands in the address, so that the way back leads to it. */
export function SearchSessions({ q }: { q: string }) {
  const go = useGo('/sessions');
  const [typed, setTyped] = useState(q);
  const later = useMemo(
    () =>
      debounce<string>(wallClock, PAUSE_MS, (text) =>
        go({ q: text === '' ? undefined : text }, { replace: true }),
      ),
    [go],
  );
  useEffect(() => () => later.cancel(), [later]);
  const change = (text: string) => {
    setTyped(text);
    later.push(text);
  };
  return (
    <div className={css['search']} role="search">
      <Icon name="search" />
      <input
        type="search"
        data-search-sessions
        aria-label="Search in sessions"
        placeholder="Search in sessions"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== '') change('');
        }}
      />
      {typed !== '' && <BareIconButton icon="close" label="Clear the search" onClick={() => change('')} />}
    </div>
  );
}
