import type { DaemonState } from '../daemon/state.ts';
import type { Facts } from './facts.ts';

/** What the icon at the tray says at a glance. */
export const trayStates = ['dormant', 'syncing', 'dreaming', 'needs-you', 'error'] as const;
export type TrayState = (typeof trayStates)[number];

/** What the tray knows: how the daemon is, and what it said last. */
export interface KnownDaemon {
  daemon: DaemonState;
  facts: Facts | undefined;
}

/** The state and its sentence. What is wrong comes first, then what goes on, then what waits. */
export function trayStateOf({ daemon, facts }: KnownDaemon): { state: TrayState; words: string } {
  switch (daemon.kind) {
    case 'refused':
      return { state: 'error', words: 'Reverie does not start' };
    case 'waiting':
      return { state: 'error', words: 'Reverie ended and is started again' };
    case 'stopped':
      return { state: 'dormant', words: 'Reverie is stopping' };
    case 'looking':
    case 'starting':
      return { state: 'dormant', words: 'Reverie is starting' };
    case 'running':
      return facts ? said(facts) : { state: 'dormant', words: 'Reverie is starting' };
  }
}

function said({ dream, proposals, sync, waiting, isDiskFull }: Facts): { state: TrayState; words: string } {
  if (isDiskFull) return { state: 'error', words: 'The disk is full: nothing new can be kept' };
  if (sync.state === 'error' || sync.state === 'unauthorized')
    return { state: 'error', words: sync.error ?? 'Devices are not in step' };
  if (dream?.status === 'running') return { state: 'dreaming', words: `Dreaming of ${dream.namespace}` };
  if ((sync.state === 'syncing' || (sync.state === 'live' && sync.pending > 0)) && !sync.paused)
    return {
      state: 'syncing',
      words: sync.pending > 0 ? `Sending ${counted(sync.pending, 'change')}` : 'Syncing',
    };
  if (waiting.length > 0)
    return { state: 'needs-you', words: `${counted(waiting.length, 'device')} asked to be let in` };
  if (proposals > 0) return { state: 'needs-you', words: `${counted(proposals, 'proposal')} to decide` };
  if (sync.paused) return { state: 'dormant', words: 'All saved here; sync is paused' };
  return { state: 'dormant', words: 'All saved' };
}

/** A number with its word: `1 memory`, `1,200 memories`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;
}
