import { useEffect, useState } from 'react';

export type Loaded<T> = { kind: 'loading' } | { kind: 'there'; value: T } | { kind: 'failed'; why: string };

/** Loads once when it is first shown, and again on demand. */
export function useLoaded<T>(load: () => Promise<T>): [Loaded<T>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isShown = true;
    setLoaded({ kind: 'loading' });
    load().then(
      (value) => isShown && setLoaded({ kind: 'there', value }),
      (cause: unknown) => isShown && setLoaded({ kind: 'failed', why: wordsOf(cause) }),
    );
    return () => {
      isShown = false;
    };
    // What is loaded follows from the key of the component.
  }, [attempt]);
  return [loaded, () => setAttempt(attempt + 1)];
}

/** What went wrong, for people. */
export function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
