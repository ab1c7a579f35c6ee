import { useModel } from '@reverie/shared/contract/system/models';
import type { NamedModel } from '../words.ts';

export type NamedReading =
  { ok: true; named: NamedModel } | { ok: false; faults: { server?: string; name?: string } };

const { server: Server, name: Name } = useModel.body.shape;

/** Reads what somebody wrote as a model of a server, or says what is wrong by field. */
export function readNamed(draft: NamedModel): NamedReading {
  const server = Server.safeParse(draft.server.trim().replace(/\/+$/, ''));
  const name = Name.safeParse(draft.name.trim());
  const hasPath = server.success && new URL(server.data).pathname !== '/';
  if (server.success && !hasPath && name.success)
    return { ok: true, named: { server: server.data, name: name.data } };
  return {
    ok: false,
    faults: {
      ...((!server.success || hasPath) && {
        server:
          'An address that begins with http:// or https://, without a path: such as http://127.0.0.1:8081',
      }),
      ...(!name.success && { name: 'The name of a model, up to 300 characters' }),
    },
  };
}
