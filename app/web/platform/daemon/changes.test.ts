import type { Event, EventType } from '@reverie/shared/contract/events/events';
import { expect, test } from 'vitest';
import { fakeClock } from '../../testing/fake-clock.ts';
import { gatherChanges } from './changes.ts';

function setUp() {
  const clock = fakeClock();
  const told: unknown[] = [];
  const changes = gatherChanges({
    clock,
    onChange: (changed) =>
      told.push(
        changed === 'all'
          ? 'all'
          : {
              memories: [...changed.memories],
              inboxes: [...changed.inboxes],
              webhooks: changed.webhooks,
              dreams: changed.dreams,
            },
      ),
  });
  const add = (type: EventType, namespace: string, after: Event['data']['after'] = null) =>
    changes.add({ type, namespace, data: { before: null, after } } as Event);
  return { clock, told, changes, add };
}

test('a burst is told once, soon; what follows a second later', () => {
  const { clock, told, add } = setUp();
  add('memory.write', 'a');
  add('memory.delete', 'b');
  add('memory.write', 'a');
  add('channel.message', 'c');
  clock.pass(100);
  expect(told).toEqual([{ memories: ['a', 'b'], inboxes: ['c'], webhooks: false, dreams: false }]);
  add('memory.write', 'd');
  clock.pass(500);
  expect(told).toHaveLength(1);
  clock.pass(500);
  expect(told[1]).toEqual({ memories: ['d'], inboxes: [], webhooks: false, dreams: false });
});

test('missed events mean that everything may have changed; other events change nothing that is shown', () => {
  const { clock, told, changes, add } = setUp();
  add('channel.publish', 'a');
  clock.pass(5_000);
  expect(told).toEqual([]);
  add('memory.write', 'a');
  changes.missed();
  clock.pass(5_000);
  expect(told).toEqual(['all']);
});

test('the channel of the daemon on which it tells of webhooks means that they changed', () => {
  const { clock, told, add } = setUp();
  add('channel.publish', 'default', { channel: 'webhooks', payload: {} });
  clock.pass(5_000);
  expect(told).toEqual([{ memories: [], inboxes: [], webhooks: true, dreams: false }]);
});

test('stopped, it tells nothing more', () => {
  const { clock, told, changes, add } = setUp();
  add('memory.write', 'a');
  changes.stop();
  clock.pass(5_000);
  expect(told).toEqual([]);
});

test('dreams and what was decided on their insights are told apart from memories', () => {
  const { clock, told, add } = setUp();
  add('dream.step', 'a');
  add('insight.accepted', 'a');
  clock.pass(100);
  expect(told).toEqual([{ memories: [], inboxes: [], webhooks: false, dreams: true }]);
});
