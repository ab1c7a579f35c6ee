import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { HomeSelect } from './HomeSelect.tsx';
import css from './QuickAdd.module.css';
import { useThoughtsHome } from './thoughts-home.ts';
import { useKeeping } from './use-keeping.ts';

/** A field to write at once: Enter keeps it where thoughts are kept, and what was kept can be taken back or opened. */
export function QuickAdd() {
  const [text, setText] = useState('');
  const home = useThoughtsHome();
  const { keep, kept, forget, takeBack, isPending } = useKeeping(home.settled, (value) =>
    setText((now) => (now.trim() === value ? '' : now)),
  );
  return (
    <form
      className={css['add']}
      aria-label="Write down a thought"
      onSubmit={(event) => {
        event.preventDefault();
        keep(text);
      }}
    >
      <div className={css['line']}>
        <Icon name="plus" />
        <textarea
          className={css['text']}
          aria-label="A thought"
          dir="auto"
          rows={1}
          placeholder="Write down a thought …"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            forget();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            keep(text);
          }}
        />
        <HomeSelect {...home} />
        <Button type="submit" look={text.trim() === '' ? 'quiet' : 'strong'} disabled={isPending}>
          Keep
        </Button>
      </div>
      <p className={css['kept']} role="status">
        {kept && (
          <>
            Kept in {kept.namespace} as{' '}
            <Link to="/memories" search={{ namespace: kept.namespace, key: kept.key }}>
              {kept.key}
            </Link>
            <Button look="quiet" onClick={() => takeBack(kept)}>
              Take back
            </Button>
          </>
        )}
      </p>
    </form>
  );
}
