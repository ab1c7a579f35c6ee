import type { OriginName, Secrets } from '../platform/secrets/secrets.ts';

/** The secrets that are keys of model servers. */
export type KeyName = 'llm' | 'embedding';

/** What stands in the place of the origin of a key that was kept before any server was set. */
export const NO_SERVER_YET = 'none';

/** The keys of model servers, each sent to the origin alone that it was kept for. */
export interface BoundKeys {
  /**
   * The key for a server; undefined where none is kept, or where it is another
   * server's. A key without a kept origin belongs to `configured`.
   */
  keyFor(name: KeyName, baseUrl: string, configured: string | undefined): Promise<string | undefined>;
  /** A key that was kept before any server was set: it may be tried where a person names a server that asks for one. */
  freeKey(name: KeyName): Promise<string | undefined>;
  bind(name: KeyName, baseUrl: string): Promise<void>;
  unbind(name: KeyName): Promise<void>;
  /** Called before another server is set: a key without a kept origin is bound to the server that was set until now, or to none. */
  settle(name: KeyName, baseUrl: string | undefined): Promise<void>;
}

/** Keeps the origin of each key among the secrets; a key that an older version kept without one belongs to the configured server. */
export function createBoundKeys(secrets: Pick<Secrets, 'get' | 'set'>): BoundKeys {
  const find = async (name: KeyName) => {
    const [key, origin] = await Promise.all([secrets.get(name), secrets.get(originName(name))]);
    return { key, origin };
  };
  const bind = (name: KeyName, baseUrl: string) => secrets.set(originName(name), originOf(baseUrl));
  return {
    async keyFor(name, baseUrl, configured) {
      const { key, origin = configured && originOf(configured) } = await find(name);
      return origin === originOf(baseUrl) ? key : undefined;
    },
    async freeKey(name) {
      const { key, origin } = await find(name);
      return origin === NO_SERVER_YET ? key : undefined;
    },
    bind,
    unbind: (name) => secrets.set(originName(name), NO_SERVER_YET),
    async settle(name, baseUrl) {
      const { key, origin } = await find(name);
      if (key === undefined || origin !== undefined) return;
      await secrets.set(originName(name), baseUrl === undefined ? NO_SERVER_YET : originOf(baseUrl));
    },
  };
}

/** Under which name the origin of a key is kept. */
export function originName(name: KeyName): OriginName {
  return `${name}_origin`;
}

export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
