import type { Caller } from '@reverie/shared/accounts/caller';
import type { statusLine as route } from '@reverie/shared/contract/agents/hooks';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { tooLargeToParse } from '@reverie/shared/http/json-size';
import { z } from 'zod';
import { refuseForeign } from '../../../platform/refuse-foreign.ts';
import { countRecalled } from '../recalls/recalls.store.ts';
import { isFolder } from './agents.ts';
import type { HooksDeps } from './hooks.service.ts';
import { countSaved, sessionBegan } from './hooks.store.ts';
import { oneLine } from './marked.ts';

/** The agent whose status line a command fills. */
const AGENT = 'claude-code';

const text = z.string().min(1).max(4096).optional().catch(undefined);

/** What of its input is of use, by code.claude.com/docs/en/statusline; what is missing or of another type is left out, for a line has to be there. */
const Input = z
  .object({
    session_id: text,
    cwd: text,
    workspace: z.object({ current_dir: text }).optional().catch(undefined),
    cost: z
      .object({ total_duration_ms: z.number().min(0).optional().catch(undefined) })
      .optional()
      .catch(undefined),
  })
  .catch({});

/** Says in one line where a session is, and what memory did for it. */
export function statusLine(
  { store, clock, world }: Pick<HooksDeps, 'store' | 'clock' | 'world'>,
  caller: Caller,
  call: Parsed<typeof route>['body'],
): Reply<typeof route> {
  const { account } = caller.key;
  refuseForeign(world, account);
  const { session_id, cwd, workspace, cost } = Input.parse(jsonOf(call.input));
  const folder = [workspace?.current_dir, cwd, call.cwd].find(isFolder);
  const namespace =
    call.namespace ?? (folder === undefined ? undefined : world.projectOf(folder)?.namespace) ?? 'default';
  if (!caller.readable(namespace))
    return { output: '', namespace: null, recalled: null, saved: null, waiting: 0 };
  const session = session_id ?? '';
  const lasted = cost?.total_duration_ms;
  const { unread: waiting } = world.unread(account, { namespace, notFrom: NOBODY });
  const counted = store.read((db) => {
    const since =
      sessionBegan(db, { account, session }) ?? (lasted === undefined ? undefined : clock.now() - lasted);
    if (since === undefined) return { recalled: null, saved: null };
    return {
      recalled: countRecalled(db, { account, agent: AGENT, namespace, session, since }),
      saved: countSaved(db, { account, namespace }, { since, keyId: caller.key.id }),
    };
  });
  const { recalled, saved } = counted;
  const parts = [
    oneLine(namespace),
    ...(recalled === null ? [] : [`${recalled} recalled`]),
    ...(saved === null ? [] : [`${saved} saved`]),
    `${waiting} waiting`,
  ];
  return { output: `reverie ${parts.join(' · ')}`, namespace, recalled, saved, waiting };
}

/** The name of no sender: proposals of the agent itself wait for the person, too. */
const NOBODY = '';

function jsonOf(input: string): unknown {
  if (tooLargeToParse(Buffer.from(input)) !== undefined) return {};
  try {
    return JSON.parse(input.trim());
  } catch {
    // The line is that of the folder then.
    return {};
  }
}
