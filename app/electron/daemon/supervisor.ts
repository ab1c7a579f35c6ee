import { advance, backOff, type DaemonEffect, type DaemonInput, type DaemonState } from './state.ts';

export interface SupervisorDeps {
  /** The daemon that proves itself, or undefined where none runs. Throws what a person may read where something else answers. */
  look: () => Promise<{ nonce: string } | undefined>;
  /** Starts one and waits until it is ready. Throws its refusal. */
  start: () => Promise<void>;
  /** Follows the daemon until it is gone, and then calls back; answers how to let go of it. */
  follow: (lost: () => void) => () => void;
  /** Calls back after a while; answers how to take that back. */
  after: (ms: number, run: () => void) => () => void;
  /** Milliseconds, always growing. */
  now: () => number;
  /** Shows a person why it does not start; `retry` looks again at once. */
  tell: (why: string, retry: () => void) => void;
  changed: (state: DaemonState) => void;
}

export interface Supervisor {
  state: () => DaemonState;
  /** Looks at once, as a person asks. */
  retry: () => void;
  /** Lets go of the daemon, which runs on. */
  stop: () => void;
}

/** Keeps a daemon running for as long as the app does: finds it, starts it, and starts it again. */
export function supervise(deps: SupervisorDeps): Supervisor {
  let state: DaemonState = { kind: 'looking', failures: 0 };
  let cancelWait: (() => void) | undefined;
  let letGo: (() => void) | undefined;
  /** What was told last, so that nobody has to close the same words twice. */
  let told: string | undefined;

  const retry = () => give({ kind: 'retry' });

  function give(input: DaemonInput): void {
    const { next, effects } = advance(state, input);
    const hasChanged = next !== state;
    state = next;
    if (next.kind === 'running' || input.kind === 'retry') told = undefined;
    if (hasChanged) deps.changed(next);
    for (const effect of effects) run(effect);
  }

  function run(effect: DaemonEffect): void {
    switch (effect.kind) {
      case 'look':
        return void look();
      case 'start':
        deps.start().then(
          () => give({ kind: 'started' }),
          (cause: unknown) => give({ kind: 'start_failed', why: wordsOf(cause) }),
        );
        return;
      case 'wait':
        cancelWait?.();
        cancelWait = deps.after(effect.ms, () => give({ kind: 'waited' }));
        return;
      case 'cancel_wait':
        cancelWait?.();
        cancelWait = undefined;
        return;
      case 'connect':
        letGo?.();
        letGo = deps.follow(() => give({ kind: 'lost', at: deps.now() }));
        return;
      case 'disconnect':
        letGo?.();
        letGo = undefined;
        return;
      case 'tell':
        if (told === effect.why) return;
        told = effect.why;
        deps.tell(effect.why, retry);
    }
  }

  async function look(): Promise<void> {
    // A daemon that lets go of every connection at once would be asked without end.
    if ('failures' in state && state.failures > 1)
      await new Promise<void>((resolve) => void deps.after(backOff(2), resolve));
    try {
      const found = await deps.look();
      give(found ? { kind: 'found', nonce: found.nonce, at: deps.now() } : { kind: 'absent' });
    } catch (cause) {
      give({ kind: 'unproved', why: wordsOf(cause) });
    }
  }

  void look();
  return { state: () => state, retry, stop: () => give({ kind: 'stop' }) };
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
