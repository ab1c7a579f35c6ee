import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Author } from '../../db/change.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { createKnowledge, type KnowledgePart } from '../../compose/knowledge.ts';
import { insertAccount } from '../accounts/accounts.store.ts';
import type { MemoryDeps } from '../memories/deps.ts';
import { clearNamespace, deleteMemory, setMemory, storeBatch } from '../memories/memories.service.ts';
import { unfollowed } from '../memories/unfollowed.ts';
import { createBackgroundExtractor } from './background-extractor.ts';
import type { Fact } from './fact.ts';
import { factsOf, knowledge } from './knowledge.store.ts';

const START = Date.parse('2026-11-01T12:00:00Z');

/** One process for all tests: each minute of the clock would end it, and the next memory wait for another to load. */
const extractor = createBackgroundExtractor();
const background = { ...extractor, rest: () => undefined };
afterAll(() => extractor.rest());

let store: Store;
let knowing: KnowledgePart;
let stop: () => void;
let memories: MemoryDeps;
let clock: ReturnType<typeof createFakeClock>;
let author: Author;
let other: Author;

beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  clock = createFakeClock();
  clock.advance(START - clock.now());
  const log = pino({ level: 'silent' });
  knowing = createKnowledge({ store, clock, log, background });
  memories = unfollowed({ store, clock, facts: knowing });
  const account = (public_id: string) =>
    store.write((db) =>
      insertAccount(db, { public_id, kind: 'machine', tier: 'machine', created_at: START }),
    );
  const of = (id: AccountId): Author => ({
    account: id,
    actor: { kind: 'system', id: 'test' },
    origin: 'local',
  });
  author = of(account('acc_one'));
  other = of(account('acc_two'));
  stop = knowing.start();
});
afterEach(() => {
  stop();
  store.close();
});

/** Waits until the background has read every memory. */
async function idle(): Promise<void> {
  // With a rest: who asks without one keeps the core from the process that reads.
  while (knowing.pending() > 0) await pause(2);
}

async function say(value: string, key: string, at = author): Promise<void> {
  clock.advance(60_000);
  setMemory(memories, at, { key, value, namespace: 'default' });
  await idle();
}

function allFacts(asOf?: number, at = author): Fact[] {
  const of = knowledge({ account: at.account, namespace: 'default' }, { asOf, now: clock.now() });
  return store.read((db) => [...factsOf(db, of)]);
}

/** Facts that hold, as `subject predicate object`. */
function holding(asOf?: number, at = author): string[] {
  return allFacts(asOf, at)
    .filter(({ supersededBy }) => supersededBy === null)
    .map(shown);
}

function shown({ subjectNorm, negated, predicate, objectNorm }: Fact): string {
  return `${subjectNorm} ${negated ? 'not ' : ''}${predicate} ${objectNorm}`;
}

function look(
  entities: string[],
  terms: string[],
  { at = author, asOf }: { at?: Author; asOf?: number } = {},
): string[] {
  return store
    .read((db) => knowing.lookup(db, at.account, { namespace: 'default', entities, terms, asOf }))
    .map((fact) => `${shown(fact)}${fact.supersededBy === null ? '' : ' (was)'}`);
}

describe('facts', () => {
  it('are withdrawn in the transaction that overwrites or deletes their memory', async () => {
    await say('Bruno lives in Porto.', 'bruno');
    expect(holding()).toEqual(['bruno lives_in porto']);
    setMemory(memories, author, { key: 'bruno', value: 'Bruno works at Siemens.', namespace: 'default' });
    expect(allFacts()).toEqual([]);
    await idle();
    expect(holding()).toEqual(['bruno works_at siemens']);
    deleteMemory(memories, author, { namespace: 'default', key: 'bruno' });
    expect(allFacts()).toEqual([]);
    await say('Bruno speaks Czech.', 'bruno');
    clearNamespace(memories, author, 'default');
    const rows = (table: string) =>
      store.read((db) => db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    expect([rows('facts'), rows('fact_terms'), rows('facts_queue')]).toEqual([0, 0, 0]);
  });

  it('are not those of a value that was overwritten while it was read', async () => {
    setMemory(memories, author, { key: 'bruno', value: 'Bruno lives in Porto.', namespace: 'default' });
    // The first value is with the process by now or waits; the second one comes before its facts are back.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    setMemory(memories, author, { key: 'bruno', value: 'Bruno lives in Rome.', namespace: 'default' });
    await idle();
    expect(allFacts().map(shown)).toEqual(['bruno lives_in rome']);
  });

  it('are not those of a memory that was hidden while it was read', async () => {
    const { id } = setMemory(memories, author, {
      key: 'bruno',
      value: 'Bruno lives in Porto.',
      namespace: 'default',
    });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    store.write((db) => knowing.withdrawn(db, { id }));
    // What is read after it has its facts, so what was read before had its turn.
    await say('Anna lives in Rome.', 'anna');
    expect(allFacts().map(shown)).toEqual(['anna lives_in rome']);
  });

  it('give way to newer ones, which are asked as of then, and come back when those are withdrawn', async () => {
    await say('Bruno lives in Lisbon.', 'a');
    const then = clock.now();
    await say('Bruno lives in Porto.', 'b');
    await say('Bruno likes chess and olives.', 'c');
    await say("Bruno doesn't like olives.", 'd');
    expect(holding()).toEqual(['bruno lives_in porto', 'bruno likes chess', 'bruno not likes olives']);
    expect(holding(then)).toEqual(['bruno lives_in lisbon']);
    const [first] = allFacts();
    expect([first?.validFrom, first?.validTo]).toEqual([then, then + 60_000]);
    deleteMemory(memories, author, { namespace: 'default', key: 'b' });
    expect(holding()).toContain('bruno lives_in lisbon');
  });

  it('of which one holds at a time end when they are denied, though nothing takes their place', async () => {
    await say('Bruno lives in Lisbon.', 'a');
    const then = clock.now();
    await say('Bruno no longer lives in Lisbon.', 'b');
    expect(holding()).toEqual(['bruno not lives_in lisbon']);
    expect(holding(then)).toEqual(['bruno lives_in lisbon']);
    const [first, denial] = allFacts();
    expect([first?.validTo, first?.supersededBy]).toEqual([then + 60_000, denial?.id]);
    // To deny that it is somewhere else ends nothing.
    await say('Anna lives in Rome.', 'c');
    await say('Anna does not live in Kiel.', 'd');
    expect(holding()).toContain('anna lives_in rome');
  });

  it('hold from the day that they name', async () => {
    await say('Bruno moved to Rome in March 2025.', 'old');
    await say('Bruno moved to Porto in June 2024.', 'older');
    expect(holding()).toEqual(['bruno lives_in rome']);
    await say('The staging database listens on port 5433.', 'db');
    expect(holding(Date.parse('2026-01-01'))).toEqual([]);
  });

  it('of one account are of no other', async () => {
    await say('Bruno lives in Lisbon.', 'a');
    await say('Bruno lives in Porto.', 'a', other);
    expect(holding()).toEqual(['bruno lives_in lisbon']);
    expect(holding(undefined, other)).toEqual(['bruno lives_in porto']);
    expect(look(['Bruno'], ['live'], { at: other })).toEqual(['bruno lives_in porto']);
    expect(knowing.pending(other.account)).toBe(0);
  });

  it('are looked up by names and by what is asked', async () => {
    await say('Bruno Weber lives in Lisbon.', 'a');
    await say('Bruno Weber lives in Porto. He works at Siemens.', 'b');
    await say('Anna lives in Rome.', 'c');
    await say('My favourite colour is blue. The staging database listens on port 5433.', 'd');
    expect(look(['Bruno'], ['live'])).toEqual([
      'bruno weber lives_in porto',
      'bruno weber lives_in lisbon (was)',
      'bruno weber works_at siemens',
    ]);
    expect(look(['Bruno'], ['work'])[0]).toBe('bruno weber works_at siemens');
    expect(look([], ['favourite', 'colour'])).toEqual(['user favourite_colour blue']);
    expect(look(['staging database'], ['port'])).toEqual(['staging database port 5433']);
    expect(look(['Rome'], [])).toEqual(['anna lives_in rome']);
    expect(look(['Clara'], ['live'])).toEqual([]);
    expect(look([], [])).toEqual([]);
    expect(look(['Bruno'], ['live'], { asOf: START })).toEqual([]);
  });

  it('of very long values are those of their beginning, and the others do not wait for them', async () => {
    const long = `Bruno lives in Porto. ${'It rained in the mountains and we walked on. '.repeat(20_000)}Anna lives in Rome.`;
    await say(long, 'long');
    expect(holding()).toEqual(['bruno lives_in porto']);
  });
});

type Step =
  | { kind: 'set'; key: string; value: string }
  | { kind: 'batch'; items: { key: string; value: string }[] }
  | { kind: 'delete'; key: string }
  | { kind: 'clear' }
  | { kind: 'restart' };

describe('any sequence of writes', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const value = fc.constantFrom(
    'Bruno lives in Lisbon.',
    'Bruno lives in Porto.',
    'Bruno no longer lives in Lisbon.',
    'Anna works at Siemens. She likes chess.',
    'We switched from yarn to pnpm.',
    'We use yarn.',
    'port: 5433',
    'nothing of note',
  );
  const item = fc.record({ key, value });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: item.map((one) => ({ kind: 'set' as const, ...one })) },
    {
      weight: 2,
      arbitrary: fc
        .array(item, { minLength: 1, maxLength: 4 })
        .map((items) => ({ kind: 'batch' as const, items })),
    },
    { weight: 3, arbitrary: key.map((one) => ({ kind: 'delete' as const, key: one })) },
    { weight: 1, arbitrary: fc.constant({ kind: 'clear' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  );
  const namespace = 'default';

  function run(one: Step): void {
    clock.advance(1000);
    if (one.kind === 'set') setMemory(memories, author, { key: one.key, value: one.value, namespace });
    else if (one.kind === 'batch')
      storeBatch(
        memories,
        author,
        one.items.map((each) => ({ ...each, namespace })),
      );
    else if (one.kind === 'clear') clearNamespace(memories, author, namespace);
    else if (one.kind === 'delete') {
      const known = store.read((db) =>
        db.prepare<[string], { id: number }>('SELECT id FROM memories WHERE key = ?').get(one.key),
      );
      if (known) deleteMemory(memories, author, { namespace, key: one.key });
    } else {
      stop();
      knowing = createKnowledge({ store, clock, log: pino({ level: 'silent' }), background });
      memories = { ...memories, facts: knowing };
      stop = knowing.start();
    }
  }

  /** Facts without their ids, which reading again changes; the one that superseded as it stands. */
  function bare(): unknown[] {
    const facts = allFacts();
    const byId = new Map(facts.map((fact) => [fact.id, shown(fact)]));
    return facts
      .map(({ id: _, supersededBy, ...fact }) => ({
        ...fact,
        by: supersededBy === null ? null : byId.get(supersededBy),
      }))
      .sort(
        (a, b) =>
          a.memoryId - b.memoryId ||
          shown({ id: 0, supersededBy: null, ...a }).localeCompare(
            shown({ id: 0, supersededBy: null, ...b }),
          ),
      );
  }

  it('ends with the facts that reading all memories anew finds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        clearNamespace(memories, author, namespace);
        for (const one of steps) {
          run(one);
          // Some steps come while the process reads, some after it.
          await new Promise((resolve) => setImmediate(resolve));
        }
        await idle();
        const kept = bare();
        store.write((db) => {
          const all = db
            .prepare<[], { id: number; account: AccountId }>('SELECT id, account FROM memories')
            .all();
          for (const memory of all) knowing.changed(db, memory);
        });
        expect(allFacts()).toEqual([]);
        await idle();
        expect(bare()).toEqual(kept);
      }),
      { numRuns: 12 },
    );
  });
});
