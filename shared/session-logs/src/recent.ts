/** A map of the newest entries only, at most `most`: what is older is forgotten. */
export interface Recent<T> {
  get(name: string): T | undefined;
  /** Makes it the newest. */
  set(name: string, value: T): void;
  delete(name: string): void;
}

/** Makes a map of bounded size for what later lines need of earlier ones. */
export function createRecent<T>(most: number): Recent<T> {
  const held = new Map<string, T>();
  return {
    get: (name) => held.get(name),
    set(name, value) {
      held.delete(name);
      held.set(name, value);
      if (held.size <= most) return;
      const oldest = held.keys().next();
      if (!oldest.done) held.delete(oldest.value);
    },
    delete: (name) => void held.delete(name),
  };
}
