import type { ApiKey } from '@reverie/shared/contract/accounts/keys';
import { expect, test } from 'vitest';
import { agentKey } from './beginning.ts';

const key = (of: Partial<ApiKey>): ApiKey => ({
  id: 'key_1',
  name: 'api-key',
  scope: 'write',
  namespaces: ['*'],
  can: ['read', 'set', 'delete', 'clear'],
  key_prefix: 'rv_live_aaaa',
  created_at: '2026-11-24T08:00:00.000Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  kept_in_file: true,
  open_sessions: null,
  ...of,
});

test('an agent has connected once a key of its own was used; the owner and the page are none', () => {
  const at = '2026-11-24T09:00:00.000Z';
  expect(
    agentKey([
      key({}),
      key({ scope: 'owner', last_used_at: at }),
      key({ scope: 'owner', open_sessions: 1, last_used_at: at }),
    ]),
  ).toBeUndefined();
  const later = key({ name: 'codex', last_used_at: '2026-11-24T10:00:00.000Z' });
  expect(agentKey([key({ last_used_at: at }), later])).toBe(later);
});
