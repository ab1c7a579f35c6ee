import { z } from 'zod';
import { DateTime } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'sync';

export const pairDevice = route({
  id: 'sync_pair',
  method: 'POST',
  path: '/sync/pair',
  scope: 'owner',
  tag,
  summary: 'A code with which one more device joins: one use, 10 minutes, dead after 5 wrong tries',
  status: 201,
  response: z.object({ code: z.string(), relay: z.string(), expires_at: DateTime }),
  problems: ['not_linked', 'relay_unreachable', 'relay_refused'],
});

export const Device = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: DateTime.nullable(),
    last_seen: DateTime.nullable(),
    online: z.boolean(),
    self: z.boolean().describe('Whether it is this machine'),
    status: z.enum(['active', 'waiting']).describe('`waiting` for the approval of a linked device'),
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

const DeviceId = z.strictObject({ id: z.string().min(1).max(64) });

export const listDevices = route({
  id: 'sync_devices',
  method: 'GET',
  path: '/sync/devices',
  scope: 'read',
  reach: { can: ['read'] },
  tag,
  summary: 'The devices of the account',
  status: 200,
  response: z.object({
    devices: z.array(Device),
    known_at: DateTime.nullable().describe('When the relay said so; older than now while it is out of reach'),
  }),
  problems: ['not_linked'],
});

export const approveDevice = route({
  id: 'sync_devices_approve',
  method: 'POST',
  path: '/sync/devices/{id}/approve',
  scope: 'owner',
  tag,
  summary: 'Let a device in that asked with the e-mail of the account',
  params: DeviceId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['not_linked', 'device_not_found', 'relay_unreachable', 'relay_refused'],
});

export const removeDevice = route({
  id: 'sync_devices_remove',
  method: 'DELETE',
  path: '/sync/devices/{id}',
  scope: 'owner',
  tag,
  summary: 'Cut a device off at once; what it holds stays on it',
  description:
    'It may know links of open invites: those to namespaces and sessions of this account become void, but for those that are for an e-mail address.',
  params: DeviceId,
  status: 200,
  response: z.object({
    success: z.literal(true),
    id: z.string(),
    invites_ended: z.int().describe('How many open invites became void with it'),
  }),
  problems: ['not_linked', 'device_not_found', 'relay_unreachable', 'relay_refused'],
});
