/** Where the text of a deleted memory may stand for longer than a minute or two, and until when; `docs/reliability.md` has all of it. */
export const keptLonger: readonly (readonly [where: string, until: string])[] = [
  [
    'Webhooks',
    'Deliveries of the deletion carry the text until they end, a day at most. What was received is the receiver’s.',
  ],
  ['Other devices', 'Until they sync. A device that is off keeps it until it is on again.'],
  [
    'The relay',
    'Its log, until the namespace begins a new epoch there; a small one may never. Deleting its room there takes it at once.',
  ],
  [
    'Dreams',
    'A dream memory that you accepted may quote it: delete that one, too. Proposals go with what they rest on.',
  ],
  ['Copies', 'Backups, exports, and the database that a restore set aside, until you delete those files.'],
  ['The event log', 'That there was a memory of this name, for 30 days; not what it said.'],
];
