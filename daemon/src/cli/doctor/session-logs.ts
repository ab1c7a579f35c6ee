import { listSources } from '@reverie/shared/contract/sessions/session-sources';
import { isHeld } from '../../platform/home/lock.ts';
import { connect } from '../connection.ts';
import { unreadLines } from '../sessions/unread-lines.ts';
import { type DoctorFinding, fine, type Patient, warning } from './finding.ts';

/** Whether the logs of agents that are followed could be read whole. */
export async function checkSessionLogs({ home, env }: Patient): Promise<DoctorFinding> {
  const check = 'Session logs';
  if (!isHeld(home)) return fine(check, 'not looked at, for the daemon does not run');
  const { client } = await connect(home, env);
  const { sources } = await client(listSources, {});
  const damaged = sources.filter(({ unread_lines }) => unread_lines > 0);
  if (damaged.length > 0)
    return warning(
      check,
      damaged.map(({ name, unread_lines }) => `${name}: ${unreadLines(unread_lines)}`).join('; '),
      'A program that is killed leaves such lines; all else was read. `reverie sessions` says in which sessions.',
    );
  const followed = sources.filter(({ enabled }) => enabled).length;
  return fine(check, followed === 0 ? 'none are followed' : 'every line could be read');
}
