import type { SyncStatus } from '@reverie/shared/contract/sync/sync';
import { countOf } from '../../platform/format.ts';
import type { Tone } from '../../ui/Badge.tsx';

interface Standing {
  tone: Tone;
  word: string;
  sentence: string;
}

/** How sync stands, in a word and in a sentence that says what that means; never better than it is. */
export function standingOf(status: SyncStatus): Standing {
  const waiting = countOf(status.pending, 'change of this machine waits', 'changes of this machine wait');
  if (status.paused)
    return {
      tone: 'plain',
      word: 'paused',
      sentence: `Nothing goes out or comes in. ${sentenceOf(status, waiting)}`,
    };
  if (status.waiting_for === 'approval')
    return {
      tone: 'warn',
      word: 'waiting',
      sentence:
        'The relay knows this e-mail address already: open Devices on one that is linked, and approve this one there.',
    };
  switch (status.state) {
    case 'dormant':
      return { tone: 'plain', word: 'not linked', sentence: 'Your memories are on this machine only.' };
    case 'connecting':
      return { tone: 'plain', word: 'connecting', sentence: sentenceOf(status, waiting) };
    case 'syncing':
      return { tone: 'accent', word: 'syncing', sentence: sentenceOf(status, waiting) };
    case 'live':
      return liveStanding(status, waiting);
    case 'offline':
      return {
        tone: 'warn',
        word: 'offline',
        // Where it is told why, that says the rest.
        sentence: `${status.error ? '' : 'The relay does not answer; Reverie keeps trying. '}${sentenceOf(status, waiting)}`,
      };
    case 'unauthorized':
      return {
        tone: 'bad',
        word: 'not let in',
        sentence: `The relay does not let this device in. ${sentenceOf(status, waiting)}`,
      };
    case 'error':
      if (status.error?.code === 'another_relay')
        return {
          tone: 'bad',
          word: 'other relay',
          sentence: `Nothing is sent to it. ${sentenceOf(status, waiting)}`,
        };
      return { tone: 'bad', word: 'error', sentence: sentenceOf(status, waiting) };
  }
}

/** Of a link that is open: something may still be on its way, or have been left out. */
function liveStanding(status: SyncStatus, waiting: string): Standing {
  if (status.pending !== 0 || (status.behind ?? 0) !== 0)
    return { tone: 'accent', word: 'syncing', sentence: sentenceOf(status, waiting) };
  const left = leftOut(status);
  if (left > 0)
    return {
      tone: 'warn',
      word: 'in sync',
      sentence: `${countOf(left, 'namespace is', 'namespaces are')} not synced any more; everything else is.`,
    };
  return {
    tone: 'good',
    word: 'in sync',
    sentence: 'What you wrote here has been sent, and what your other devices sent is here.',
  };
}

/** Namespaces that left sync and that nobody has decided about. */
function leftOut({ lost }: SyncStatus): number {
  return lost.filter(({ kept }) => !kept).length;
}

function sentenceOf({ pending, behind, download }: SyncStatus, waiting: string): string {
  const parts = [
    ...(pending > 0 ? [`${waiting} for the relay`] : []),
    ...(behind !== null && behind > 0
      ? [`${countOf(behind, 'change of another device is', 'changes of other devices are')} still to come`]
      : []),
  ];
  // How far that is stands beside it.
  if (parts.length === 0 && download) return 'What the relay has is not all here yet.';
  return parts.length === 0 ? 'Nothing waits here.' : `${parts.join(', and ')}.`;
}
