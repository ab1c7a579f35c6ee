/** Where the text of a deleted memory may stand for longer than a minute or two, and until when; `docs/reliability.md` has all of it. */
export const keptLonger: readonly (readonly [where: string, until: string])[] = [
  [
    'Webhooks',
    'What tells other programs of the deletion carries the text, a day at most. What they got is theirs.',
  ],
  ['Other devices', 'Until they sync. A device that is off keeps it until it is on again.'],
  [
    'The relay',
    'Its own copy, until it tidies up that namespace; a small one it may never. Deleting it there takes it at once.',
  ],
  [
    'Dreams',
    'A dream memory that you accepted may quote it: delete that one, too. Proposals go with what they rest on.',
  ],
  ['Copies', 'Backups, exports, and the database that a restore set aside, until you delete those files.'],
  ['The event log', 'That there was a memory of this name, for 30 days; not what it said.'],
];
