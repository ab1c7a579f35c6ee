import { useState, type SubmitEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner, Snippet } from '../../ui/Message.tsx';
import { isInApp } from '../../platform/desktop.ts';
import { openWithKey, inApp } from './open-session.ts';
import css from './SessionScreen.module.css';

/** Shown without a session: how to get one. */
export default function SessionScreen({ why }: { why: string | undefined }) {
  const [error, setError] = useState<string>();
  const [checking, setChecking] = useState(false);
  const [key, setKey] = useState('');

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setChecking(true);
    setError(await openWithKey(sessionStorage, key));
    setChecking(false);
  };

  return (
    <main className={css['screen']}>
      <div className={css['card']}>
        <header className={css['head']}>
          <img src="/icon.svg" alt="" width="36" height="36" />
          <h1>Reverie</h1>
        </header>
        {why !== undefined && (
          <div className={css['why']}>
            <Banner tone="warn">{why}</Banner>
          </div>
        )}
        {isInApp ? (
          <section>
            <h2>You signed out of this window</h2>
            <Button look="strong" onClick={() => void inApp().then(({ startInApp }) => startInApp(window))}>
              Sign in
            </Button>
          </section>
        ) : (
          <section>
            <h2>Open from a terminal</h2>
            <p>This page shows memories only to you. Run this on the machine that Reverie runs on:</p>
            <Snippet action={<CopyButton text="reverie open" what="command" />}>reverie open</Snippet>
          </section>
        )}
        <section>
          <h2>Or paste an API key</h2>
          <form onSubmit={(event) => void submit(event)} className={css['form']}>
            <Field
              label="API key"
              error={error}
              hint="Kept in the open tabs of this browser only, until you sign out or close them."
            >
              {(control) => (
                <input
                  {...control}
                  type="password"
                  name="key"
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="rv_live_…"
                  value={key}
                  onChange={(event) => setKey(event.target.value)}
                />
              )}
            </Field>
            <Button type="submit" look="strong" disabled={checking}>
              {checking ? 'Checking…' : 'Open with this key'}
            </Button>
          </form>
        </section>
      </div>
    </main>
  );
}
