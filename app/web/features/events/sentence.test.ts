import { plainWords } from '@reverie/shared/contract/events/memory-words';
import { eventTypes, type Event, type EventType } from '@reverie/shared/contract/events/events';
import { describe, expect, test } from 'vitest';
import { rowOf } from './event-row.ts';
import { groupsOf } from './grouping.ts';
import { lineOf, sentenceOf } from './sentence.ts';

const names = new Map([
  ['key_01you', 'Page'],
  ['key_02claude', 'Claude Code'],
  ['dev_01', 'laptop'],
]);
const YOU = { kind: 'key', id: 'key_01you' } as const;
const CLAUDE = { kind: 'key', id: 'key_02claude' } as const;
const DREAM = { kind: 'job', id: 'dream_01abc' } as const;
const SYSTEM = { kind: 'system', id: 'webhooks' } as const;
const AT = Date.parse('2026-11-23T09:00:00.000Z');

interface Given {
  type: EventType;
  actor?: Event['actor'];
  author?: Event['author'];
  before?: Event['data']['before'] | undefined;
  after?: Event['data']['after'] | undefined;
  namespace?: string;
  /** Seconds after nine o'clock. */
  at?: number;
}

const events = (given: readonly Given[]): Event[] =>
  given.map(
    ({ type, actor = YOU, author, before = null, after = null, namespace = 'work', at = 0 }, index) => ({
      id: `evt_01k${index}`,
      seq: index + 1,
      type,
      namespace,
      actor,
      ...(author && { author }),
      data: { before, after },
      created_at: new Date(AT + at * 1_000).toISOString(),
    }),
  );
/** What the log says of these, the newest first. */
const said = (given: readonly Given[]) =>
  groupsOf(events(given).map(rowOf).reverse()).map((group) => plainWords(sentenceOf(group, names)));

const memory = (key: string, more: Record<string, unknown> = {}) => ({
  key,
  namespace: 'work',
  value: `# About ${key}\n\nText.`,
  metadata: {},
  ...more,
});
const wrote = (key: string, more: Partial<Given> = {}): Given => ({
  type: 'memory.write',
  after: memory(key),
  ...more,
});
const changed = (key: string, more: Partial<Given> = {}): Given => ({
  type: 'memory.update',
  before: memory(key),
  after: memory(key, { value: '# Deploy days' }),
  ...more,
});
const trashed = (key: string, more: Partial<Given> = {}): Given =>
  changed(key, { after: memory(key, { trashed_at: '2026-11-23T09:00:00.000Z' }), ...more });

/** What an event of each kind carries; a kind that is new in the contract is missed here by the compiler. */
const SAMPLES: Readonly<Record<EventType, Omit<Given, 'type'>>> = {
  'memory.write': { after: memory('k') },
  'memory.update': { before: memory('k'), after: memory('k', { value: 'other' }) },
  'memory.delete': { before: memory('k') },
  'memory.merge': { before: memory('k'), after: memory('k', { merged_into: 'other' }) },
  'memory.clear': { before: { count: 12 }, after: { count: 0 } },
  'dream.started': { actor: DREAM, after: { id: DREAM.id, status: 'running', strategies: ['rem'] } },
  'dream.step': { actor: DREAM, after: { id: DREAM.id, step: { strategy: 'rem', state: 'running' } } },
  'dream.insight': { actor: DREAM, after: { id: 'ins_01', job_id: DREAM.id, strategy: 'forecast' } },
  'dream.winner': { actor: DREAM, after: { id: DREAM.id, winner: { id: 'ins_01' } } },
  'dream.completed': { actor: DREAM, after: { id: DREAM.id, insights: 4, winner: 'ins_01' } },
  'dream.failed': { actor: DREAM, after: { id: DREAM.id, error: 'the model went away' } },
  'insight.generated': { actor: DREAM, after: { id: 'ins_01', job_id: DREAM.id, strategy: 'refine' } },
  'insight.accepted': { after: { id: 'ins_01', job_id: DREAM.id, strategy: 'refine' } },
  'insight.rejected': { after: { id: 'ins_01', job_id: DREAM.id, strategy: 'refine' } },
  'channel.publish': { after: { channel: 'builds', payload: { id: 'msg_01' } } },
  'channel.subscribe': { after: { topics: ['builds'], name: 'Claude Code' } },
  'channel.message': { after: { id: 'msg_01', from: 'ci', kind: 'build', payload: {} } },
  'session.entry': { after: { session: 'cs_01', agent: 'codex', seq: 4, entries: 2, kind: 'answer' } },
};
const ID = /\b(?:evt|msg|ins|dream|whk|dlv|key|dev)_[0-9a-z]+/;

describe('every kind of event has a sentence without an id in it', () => {
  test.each(eventTypes)('%s', (type) => {
    // As it is, as an older program may have written it, and after a deletion.
    for (const sample of [SAMPLES[type], { actor: SAMPLES[type].actor ?? YOU }])
      for (const known of [names, new Map<string, string>()])
        for (const row of events([{ type, ...sample }]).map(rowOf)) {
          for (const sentence of [lineOf(row, known), sentenceOf({ rows: [row] }, known)]) {
            expect(plainWords(sentence).trim().split(' ').length).toBeGreaterThan(1);
            expect(plainWords(sentence)).not.toMatch(ID);
            expect(plainWords(sentence)).not.toMatch(/undefined|null|NaN|\s\s|\.$/);
          }
        }
  });
});

describe('one sentence', () => {
  const of = (given: Given) => said([given])[0];
  test.each([
    [wrote('k', { actor: CLAUDE }), 'Claude Code wrote About k'],
    [changed('k', { actor: CLAUDE }), 'Claude Code changed Deploy days'],
    [trashed('k'), 'You moved About k to the trash'],
    [
      { ...trashed('k'), before: trashed('k').after, after: memory('k') },
      'You took About k out of the trash',
    ],
    [changed('k', { after: memory('k', { archived_at: 'x' }) }), 'You archived About k'],
    [changed('k', { after: memory('k', { superseded_by: 'l' }) }), 'You set About k aside for l'],
    [
      changed('k', { before: memory('k', { merged_into: 'l' }), after: memory('k') }),
      'You showed About k again',
    ],
    [changed('k', { after: memory('k2') }), 'You renamed About k2 to k2'],
    [changed('k', { after: memory('k', { namespace: 'home' }) }), 'You moved About k to home'],
    [{ type: 'memory.delete', before: memory('k') }, 'You deleted k for good'],
    [{ type: 'memory.delete' }, 'You deleted a memory for good'],
    [{ type: 'memory.write' }, 'You wrote a memory that was deleted since'],
    [
      { type: 'memory.delete', before: memory('k'), actor: { kind: 'system', id: 'expiry' } },
      'Reverie deleted k, which had expired',
    ],
    [
      { type: 'memory.merge', before: memory('k'), after: memory('k') },
      'A version of About k gave way to a later one',
    ],
    [
      { type: 'memory.merge', before: memory('k'), after: memory('k', { merged_into: 'l' }) },
      'You merged About k into l',
    ],
    [{ type: 'memory.clear', before: { count: 1 } }, 'You cleared work: 1 memory was deleted'],
    [{ type: 'dream.completed', actor: DREAM, after: { insights: 0 } }, 'A dream found nothing new'],
    [
      { type: 'insight.rejected', after: { strategy: 'forecast', status: 'retracted' } },
      'A proposal was withdrawn, for what it rested on is gone',
    ],
    [{ type: 'insight.accepted', after: { strategy: 'forecast' } }, 'You accepted a proposal: Coming up'],
    [{ type: 'channel.message', after: { from: 'ci', kind: 'build' } }, 'ci left a message: build'],
    [
      { type: 'channel.message', after: { from: 'ci', kind: 'reply', in_reply_to: 'msg_01' } },
      'ci answered a message',
    ],
  ] as const satisfies readonly (readonly [Given, string])[])('%#', (given, sentence) => {
    expect(of(given)).toBe(sentence);
  });

  test('of a webhook that was turned off says why', () => {
    const off = (reason: string): Given => ({
      type: 'channel.publish',
      actor: SYSTEM,
      after: {
        channel: 'webhooks',
        payload: { webhook_id: 'whk_01', host: 'build-bot.test', status: 'disabled', reason },
      },
    });
    expect(of(off('gone'))).toBe('The webhook to build-bot.test was turned off: its receiver is gone');
    expect(of(off('failing'))).toBe(
      'The webhook to build-bot.test was turned off: nothing was delivered for five days',
    );
  });
});

describe('one act is one row', () => {
  test('a batch, an import or a folder, with its count; what comes much later is another', () => {
    const folder = { kind: 'system', id: 'folders' } as const;
    expect(
      said([
        ...Array.from({ length: 12 }, (_, n) => wrote(`n${n}`, { actor: folder, at: n })),
        ...['n1', 'n2', 'o1'].map((key) => changed(key, { actor: folder, at: 20 })),
        wrote('late', { actor: folder, at: 7_200 }),
      ]),
    ).toEqual(['A followed folder wrote About late', 'A followed folder wrote 12 memories and changed 1']);
  });

  test('several that were moved to the trash', () => {
    expect(said(['a', 'b', 'c'].map((key) => trashed(key)))).toEqual(['You moved 3 memories to the trash']);
  });

  test('all changes of one memory by one who, also with others in between', () => {
    expect(
      said([
        changed('k', { actor: CLAUDE }),
        wrote('other', { at: 300 }),
        changed('k', { actor: CLAUDE, at: 600 }),
        changed('k', { actor: CLAUDE, at: 1_200 }),
      ]),
    ).toEqual(['Claude Code changed Deploy days 3 times', 'You wrote About other']);
    expect(said([wrote('k'), changed('k', { at: 900 })])).toEqual(['You wrote Deploy days']);
  });

  test('all of a dream, whatever happens meanwhile and however long it takes', () => {
    const step = (state: string): Given => ({
      type: 'dream.step',
      actor: DREAM,
      after: { id: DREAM.id, step: { strategy: 'refine', state, insights: 1 } },
    });
    const begun: Given[] = [
      { type: 'dream.started', actor: DREAM },
      step('running'),
      wrote('k', { actor: CLAUDE }),
      step('complete'),
      { type: 'insight.generated', actor: DREAM, after: { strategy: 'refine' } },
    ];
    expect(said(begun)).toEqual(['A dream is under way', 'Claude Code wrote About k']);
    const done: Given = { type: 'dream.completed', actor: DREAM, after: { insights: 4 }, at: 90_000 };
    expect(said([...begun, done])).toEqual(['A dream found 4 things', 'Claude Code wrote About k']);
    expect(said([...begun, { ...done, actor: { kind: 'job', id: 'dream_02' } }])).toHaveLength(3);
  });

  test('what a device sends, and what is decided at one sitting', () => {
    const laptop = { kind: 'device', id: 'dev_01' } as const;
    expect(
      said([wrote('a', { actor: laptop }), trashed('b', { actor: laptop, at: 200, namespace: 'home' })]),
    ).toEqual(['laptop sent 2 changes']);
    expect(said([{ type: 'insight.accepted' }, { type: 'insight.accepted', at: 99 }])).toEqual([
      'You accepted 2 proposals',
    ]);
  });

  test('a memory that moves is told of in both namespaces, and once here', () => {
    const move = {
      type: 'memory.update',
      before: memory('k'),
      after: memory('k', { namespace: 'home' }),
    } as const;
    expect(said([move, { ...move, namespace: 'home' }, wrote('k')])).toEqual([
      'You wrote About k',
      'You moved About k to home',
    ]);
  });

  test('a cleared namespace takes the deletions before along', () => {
    expect(
      said([
        { type: 'memory.delete', before: memory('a') },
        { type: 'memory.delete', before: memory('b') },
        { type: 'memory.clear', before: { count: 2 } },
      ]),
    ).toEqual(['You cleared work: 2 memories were deleted']);
  });

  test('newer events join a group without making it another one', () => {
    const given = [wrote('a'), wrote('b', { at: 5 }), wrote('c', { at: 9 })];
    const ids = [2, 3].map((count) => groupsOf(events(given.slice(0, count)).map(rowOf).reverse())[0]?.id);
    expect(ids[0]).toBe(ids[1]);
  });
});

describe('what others did', () => {
  const actor = { kind: 'device', id: 'dev_1' } as const;
  const anna = { id: 'dev_1', person: 'anna@example.org', device: 'laptop', self: false };
  const own = { id: 'dev_2', person: 'bob@example.org', device: 'desk', self: true };

  test('is told with the person and the device', () => {
    expect(said([changed('plan', { actor, author: anna })])).toEqual([
      'anna@example.org on laptop changed Deploy days',
    ]);
    expect(said([changed('plan', { actor, author: own })])).toEqual(['You on desk changed Deploy days']);
    const left = { ...anna, person: null, device: null };
    expect(said([changed('plan', { actor, author: left })])).toEqual([
      'Somebody who left changed Deploy days',
    ]);
  });

  test('and what both did says whose version stands', () => {
    const lost = { ...memory('plan'), author: own };
    expect(
      said([{ type: 'memory.merge', actor, author: anna, before: lost, after: memory('plan') }]),
    ).toEqual([
      'Two versions of About plan: that of anna@example.org (laptop) stands, yours (desk) is kept in conflicts',
    ]);
  });
});
