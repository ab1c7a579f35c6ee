import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { beforeEach, expect, test } from 'vitest';
import { changeLane, type Lane, type LaneDeps, openLane } from './lane.ts';
import type { WebhookRow } from './webhooks.store.ts';

const webhook: WebhookRow = {
  id: 'wh_1',
  account: 1 as WebhookRow['account'],
  url: 'https://one.invalid/',
  events: ['*'],
  secret: 'old secret',
  description: '',
  ordered: false,
  origins: 'local',
  rate_per_s: 50,
  allow_loopback: false,
  allow_private_network: false,
  status: 'active',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_failure_at: null,
  last_delivery_at: null,
  cursor: 5,
  created_at: 0,
  updated_at: 0,
};
const deps: LaneDeps = {
  clock: createFakeClock(),
  rules: { resolve: () => Promise.reject(new Error('nothing is sent')), isOwn: () => false },
  timeoutMs: 1_000,
};

let lane: Lane;
beforeEach(() => {
  lane = openLane(deps, webhook);
});

test.each<[string, Partial<WebhookRow>]>([
  ['address', { url: 'https://two.invalid/' }],
  ['secret', { secret: 'new secret' }],
  ['leave to use the loopback', { allow_loopback: true }],
  ['leave to use the private network', { allow_private_network: true }],
])('with another %s what is under way is cut, and sent anew from there', (_, changed) => {
  const { cut, sender } = lane;
  changeLane(deps, lane, { ...webhook, ...changed });
  expect(cut.signal.aborted).toBe(true);
  expect(lane.cut.signal.aborted).toBe(false);
  expect(lane.sender).not.toBe(sender);
  expect(lane.webhook).toMatchObject(changed);
});

test('what changes nothing of the sending cuts nothing, and what was looked at is not looked at again', () => {
  const { cut, sender } = lane;
  lane.webhook = { ...webhook, cursor: 9 };
  changeLane(deps, lane, { ...webhook, description: 'mine', events: ['memory.*'], rate_per_s: 1 });
  expect([lane.cut, lane.sender]).toEqual([cut, sender]);
  expect(cut.signal.aborted).toBe(false);
  expect(lane.webhook).toMatchObject({ description: 'mine', cursor: 9 });
  expect(lane.window.room(0)).toBe(1);
});
