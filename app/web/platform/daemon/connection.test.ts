import type { Event } from '@reverie/shared/contract/events/events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advance, livenessOf, type StreamConnection, type ConnectionInput } from './connection.ts';

const cursor = { since: 7, log_id: 'log_a' };
const event = (seq: number) => ({ type: 'memory.write', seq, namespace: 'a' }) as Event;

/** Goes through inputs from the beginning, and tells where that leads and what was to be done. */
function after(...inputs: ConnectionInput[]) {
  let connection: StreamConnection = { kind: 'stopped' };
  const effects: unknown[] = [];
  for (const input of inputs) {
    const step = advance(connection, input, () => 0.5);
    connection = step.next;
    effects.push(...step.effects);
  }
  return { connection, effects };
}

const live: ConnectionInput[] = [{ kind: 'start' }, { kind: 'cursor', cursor }, { kind: 'opened' }];

test('it asks for the end of the log, connects there, and passes events on', () => {
  const { connection, effects } = after(...live, { kind: 'message', message: event(9) });
  expect(effects).toEqual([{ kind: 'ask' }, { kind: 'connect', cursor }, { kind: 'event', event: event(9) }]);
  expect(connection).toEqual({ kind: 'live', failures: 0, cursor: { since: 9, log_id: 'log_a' } });
  expect(livenessOf(connection)).toBe('live');
});

test('a lost connection is resumed from the last event, after a wait, and the key is checked meanwhile', () => {
  const { connection, effects } = after(
    ...live,
    { kind: 'message', message: event(9) },
    { kind: 'closed' },
    { kind: 'waited' },
  );
  expect(effects.slice(3)).toEqual([
    { kind: 'probe' },
    { kind: 'wait', ms: 250 },
    { kind: 'connect', cursor: { since: 9, log_id: 'log_a' } },
  ]);
  expect(livenessOf(connection)).toBe('lost');
});

test('a reset asks for the end of the new log, and only then says that events were missed', () => {
  const reset = { type: 'reset', reason: 'other_log', log_id: 'log_b', oldest_seq: 1 } as const;
  const other = { since: 3, log_id: 'log_b' };
  const { effects } = after(...live, { kind: 'message', message: reset }, { kind: 'cursor', cursor: other });
  expect(effects.slice(2)).toEqual([
    { kind: 'disconnect' },
    { kind: 'ask' },
    { kind: 'connect', cursor: other },
    { kind: 'missed' },
  ]);
});

test('a message that is not understood may mean anything; a refusal changes nothing', () => {
  expect(after(...live, { kind: 'message', message: undefined }).effects.at(-1)).toEqual({ kind: 'missed' });
  const refusal = { type: 'error', code: 'x', detail: 'y' } as const;
  expect(after(...live, { kind: 'message', message: refusal })).toEqual(after(...live));
});

test('without an answer about the log it asks again, and then cannot know what it missed', () => {
  const { effects } = after(
    { kind: 'start' },
    { kind: 'cursor_failed' },
    { kind: 'retry' },
    { kind: 'cursor', cursor },
  );
  expect(effects).toEqual([
    { kind: 'ask' },
    { kind: 'wait', ms: 250 },
    { kind: 'ask' },
    { kind: 'connect', cursor },
    { kind: 'missed' },
  ]);
});

test('the wait is random below a bound that doubles up to 15 s, and a message begins it anew', () => {
  const waits: number[] = [];
  let connection = after(...live).connection;
  const put = (input: ConnectionInput) => {
    const { next, effects } = advance(connection, input, () => 1);
    connection = next;
    for (const effect of effects) if (effect.kind === 'wait') waits.push(effect.ms);
  };
  for (let round = 0; round < 7; round += 1) {
    put({ kind: 'closed' });
    put({ kind: 'waited' });
  }
  put({ kind: 'opened' });
  put({ kind: 'message', message: event(8) });
  put({ kind: 'closed' });
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 500]);
});

test('property: no order of inputs opens a second connection, or goes on after a stop', () => {
  const input = fc.constantFrom<ConnectionInput>(
    { kind: 'start' },
    { kind: 'cursor', cursor },
    { kind: 'cursor_failed' },
    { kind: 'opened' },
    { kind: 'closed' },
    { kind: 'waited' },
    { kind: 'retry' },
    { kind: 'message', message: event(8) },
    { kind: 'message', message: undefined },
  );
  fc.assert(
    fc.property(fc.array(input), (inputs) => {
      let connection: StreamConnection = { kind: 'stopped' };
      let open = 0;
      const put = (one: ConnectionInput) => {
        const { next, effects } = advance(connection, one, () => 0.5);
        // A socket that closed by itself is none any more.
        if (one.kind === 'closed' && (connection.kind === 'live' || connection.kind === 'connecting'))
          open -= 1;
        for (const effect of effects) {
          if (effect.kind === 'connect') open += 1;
          if (effect.kind === 'disconnect') open = 0;
        }
        connection = next;
        expect(open).toBeLessThanOrEqual(1);
      };
      for (const one of inputs) put(one);
      put({ kind: 'stop' });
      for (const one of inputs.filter(({ kind }) => kind !== 'start')) put(one);
      expect(open).toBe(0);
      expect(connection).toEqual({ kind: 'stopped' });
    }),
  );
});
