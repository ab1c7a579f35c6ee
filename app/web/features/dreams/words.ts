import type { DreamJob, Insight, Resolution } from '@reverie/shared/contract/dreams/dreams';
import { formatCount, formatDecimal } from '../../platform/format.ts';
import type { Tone } from '../../ui/Badge.tsx';

/** What each decision on a proposal is called, by what accepting does and of which kind it is. */
export function choicesOf({ strategy, change }: Pick<Insight, 'strategy' | 'change'>): {
  accept: string;
  reject: string;
} {
  switch (change?.kind) {
    case 'disagree':
      return { accept: 'Keep the newer', reject: 'No conflict' };
    case 'merge':
      return { accept: 'Keep one', reject: 'Not the same' };
    case 'archive':
      return { accept: 'Put them away', reject: 'Leave them' };
    case 'update':
      return { accept: 'Bring it up to date', reject: 'Leave it' };
    case 'link':
      return { accept: 'Link them', reject: 'Not related' };
    case undefined:
      return strategy === 'forecast'
        ? { accept: 'Keep it in mind', reject: 'Not due' }
        : { accept: 'Keep as a note', reject: 'Not useful' };
  }
}

/** What deciding on all of one kind at once is called. */
export function groupChoicesOf(change: Insight['change']): { accept: string; reject: string } {
  const reject = 'None of them';
  switch (change?.kind) {
    case 'disagree':
      return { accept: 'Keep the newer of each', reject };
    case 'merge':
      return { accept: 'Keep one of each', reject };
    case 'archive':
      return { accept: 'Put all away', reject };
    case 'update':
      return { accept: 'Bring all up to date', reject };
    case 'link':
      return { accept: 'Link all', reject };
    case undefined:
      return { accept: 'Keep all as notes', reject };
  }
}

/** What accepting does, in a sentence. */
export function changeWords({ change }: Pick<Insight, 'change'>): string {
  switch (change?.kind) {
    case 'merge':
      return `Accepting hides ${change.hide.length === 1 ? 'the other note' : 'the other notes'} behind the one that stays. Nothing is deleted; undo brings it back.`;
    case 'archive':
      return `Accepting puts ${change.keys.length === 1 ? 'it' : 'them'} away: lists and searches leave ${change.keys.length === 1 ? 'it' : 'them'} out. Undo brings ${change.keys.length === 1 ? 'it' : 'them'} back.`;
    case 'update':
      return 'Accepting changes the note as it is shown above. Undo restores what it says now.';
    case 'disagree':
      return 'The note that you do not keep is hidden. Nothing is deleted; undo brings it back.';
    case 'link':
      return 'Accepting keeps a link between the two notes.';
    case undefined:
      return 'Accepting keeps this as a note of its own; what it rests on stays as it is.';
  }
}

/** What accepting does to one of several that are accepted at once, in a line. */
export function effectOf({ change }: Pick<Insight, 'change'>): string {
  switch (change?.kind) {
    case 'merge':
      return `${change.keep} stays, ${listed(change.hide)} hidden`;
    case 'archive':
      return `${listed(change.keys)} put away`;
    case 'update':
      return `${change.key} brought up to date`;
    case 'disagree':
      return `${change.newer.key} stays, ${change.older.key} hidden`;
    case 'link':
      return `${change.from} and ${change.to} linked`;
    case undefined:
      return 'kept as a note of its own';
  }
}

const KEPT: Readonly<Record<Resolution, string>> = {
  newer: 'The newer note is kept, the other one hidden.',
  older: 'The older note is kept, the other one hidden.',
  both: 'Both notes are kept; it will not be asked again.',
};

/** What was done by accepting, in a sentence. */
export function doneWords({ change, resolution }: Pick<Insight, 'change' | 'resolution'>): string {
  if (resolution !== null) return KEPT[resolution];
  switch (change?.kind) {
    case 'merge':
      return `One note is kept, the ${change.hide.length === 1 ? 'other one is' : 'others are'} hidden.`;
    case 'archive':
      return 'Put away, and found where it is asked for.';
    case 'update':
      return 'The note is up to date.';
    case 'link':
      return 'The two notes are linked.';
    case 'disagree':
    case undefined:
      return 'Kept as a note of its own.';
  }
}

/** How a strategy stands that does not run now. */
export function strategyState(
  { state, insights, ms }: DreamJob['strategies'][number],
  isUnderWay: boolean,
): string {
  if (state === 'waiting') return isUnderWay ? 'waits for its turn' : 'was skipped';
  if (state === 'running') return 'was stopped before the end';
  const found = insights === 0 ? 'nothing new' : `${formatCount(insights)} found`;
  return ms < 1000 ? found : `${found}, in ${formatDecimal(ms / 1000, 1, 1)} s`;
}

function listed(keys: readonly string[]): string {
  if (keys.length <= 3) return keys.join(', ');
  return `${keys.slice(0, 2).join(', ')} and ${keys.length - 2} others`;
}

/** How a job stands, in a word. */
export function stateOf(job: DreamJob): { tone: Tone; word: string } {
  if (job.status === 'complete') return { tone: 'good', word: 'done' };
  if (job.status === 'running') return { tone: 'accent', word: 'dreaming' };
  if (job.status === 'queued') return { tone: 'plain', word: 'waits' };
  return job.error?.code === 'cancelled'
    ? { tone: 'plain', word: 'cancelled' }
    : { tone: 'bad', word: 'failed' };
}

/** How far a job is, 0..1: finished strategies, and the share of the one that runs. */
export function progressOf(job: DreamJob): number {
  if (job.strategies.length === 0) return job.status === 'complete' ? 1 : 0;
  const shares = job.strategies.map(({ state, done, total }) =>
    state === 'complete' ? 1 : state === 'running' && total > 0 ? Math.min(1, done / total) : 0,
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
