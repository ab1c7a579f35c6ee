import type { AccountId } from '@reverie/shared/accounts/caller';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { runs } from '@reverie/shared/testing/depth';
import fc from 'fast-check';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnowledge, type KnowledgePart } from '../../compose/search/knowledge.ts';
import type { Author } from '../../db/change.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertAccount } from '../accounts/accounts.store.ts';
import type { MemoryDeps } from '../memories/deps.ts';
import { hideMemory, showMemory } from '../memories/hiding.ts';
import { clearNamespace, deleteMemory, setMemory, storeBatch } from '../memories/memories.service.ts';
import { findMemory } from '../memories/memories.store.ts';
import { renameMemory } from '../memories/renaming.service.ts';
import { bringBack, moveToTrash } from '../memories/trash/trashing.ts';
import { findTrashedById } from '../memories/trash/trash.store.ts';
import { unfollowed } from '../memories/unfollowed.ts';
import { factLinks } from './links.store.ts';
import { pageOfFacts } from './knowledge.service.ts';

const START = Date.parse('2026-11-01T12:00:00Z');
const namespace = 'default';
const ROUTER = '# Router\nIP: 10.0.0.1\n\n| Port | Device |\n|-|-|\n| 2 | printer |\n';

let store: Store;
let knowing: KnowledgePart;
let memories: MemoryDeps;
let clock: ReturnType<typeof createFakeClock>;
let author: Author;
let other: Author;

beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  clock = createFakeClock();
  clock.advance(START - clock.now());
  knowing = createKnowledge({ store, clock, log: pino({ level: 'silent' }) });
  memories = unfollowed({ store, clock, facts: knowing });
  const of = (public_id: string): Author => ({
    account: store.write((db) =>
      insertAccount(db, { public_id, kind: 'machine', tier: 'machine', created_at: START }),
    ),
    actor: { kind: 'system', id: 'test' },
    origin: 'local',
  });
  author = of('acc_one');
  other = of('acc_two');
});
afterEach(() => store.close());

function say(value: string, key: string, { at = author, metadata = {} } = {}): number {
  clock.advance(60_000);
  return setMemory(memories, at, { key, value, namespace, metadata }).id;
}

type Query = Partial<Parameters<typeof pageOfFacts>[2]>;

function page(query: Query = {}, at: AccountId = author.account) {
  return pageOfFacts({ store }, at, { namespace, limit: 50, ...query });
}

/** Facts in short, in the order in which they stand: `Router IP 10.0.0.1`. */
const facts = (query: Query = {}, at?: AccountId) =>
  page(query, at)
    .facts.map(({ subject, said, object }) => `${subject} ${said} ${object}`)
    .reverse();

describe('facts', () => {
  it('stand with their memory, their path and their line', () => {
    say(ROUTER, 'router', { metadata: { tags: ['home', 'net'], people: [{ name: 'Anna' }], colour: 'red' } });
    expect(facts()).toEqual([
      'Router IP 10.0.0.1',
      '2 Device printer',
      'router people Anna',
      'router tags home',
      'router tags net',
    ]);
    expect(page({ subject: 'ROUTER', predicate: 'ip' }).facts).toEqual([
      {
        id: expect.stringMatching(/^fact_\d+$/u) as string,
        namespace,
        key: 'router',
        path: ['Router'],
        subject: 'Router',
        predicate: 'ip',
        said: 'IP',
        object: '10.0.0.1',
        sentence: 'IP: 10.0.0.1',
        origin: 'line',
        observed_at: new Date(clock.now()).toISOString(),
      },
    ]);
  });

  it('are those of the front matter that an import keeps as metadata', () => {
    const imported = { format: 'markdown', path: 'a.md' };
    const metadata = { rent: '940 EUR, warm', rooms: 3, keys: ['Anna', 'Bruno'], nested: { a: 1 }, imported };
    say('The flat.', 'flat', { metadata });
    expect(facts()).toEqual(['flat rent 940 EUR, warm', 'flat rooms 3', 'flat keys Anna, Bruno']);
    expect(page().facts[0]).toMatchObject({ origin: 'property', sentence: '' });
  });

  it('are listed by subject, label, key and time, in pages', () => {
    say('# Flat\nRent: 900 EUR\n', 'old');
    const then = new Date(clock.now()).toISOString();
    say('# Flat\nRent: 940 EUR\n', 'new');
    expect(facts({ subject: 'flat' })).toEqual(['Flat Rent 900 EUR', 'Flat Rent 940 EUR']);
    expect(facts({ as_of: then })).toEqual(['Flat Rent 900 EUR']);
    expect(facts({ key: 'new' })).toEqual(['Flat Rent 940 EUR']);
    expect(facts({ predicate: 'RENT' })).toHaveLength(2);
    const first = page({ limit: 1 });
    expect(first.facts.map(({ object }) => object)).toEqual(['940 EUR']);
    expect(page({ limit: 1, cursor: first.next ?? '' }).facts.map(({ object }) => object)).toEqual([
      '900 EUR',
    ]);
  });

  it('go with their memory: when it is overwritten, hidden, put into the trash, deleted or cleared', () => {
    const id = say(ROUTER, 'router');
    say('Nothing of note.', 'router');
    expect(facts()).toEqual([]);

    say(ROUTER, 'router');
    const how = { hidden: 'archived' } as const;
    store.write((db) => hideMemory(db, memories, { author, namespace, key: 'router', how }));
    expect(facts()).toEqual([]);
    const row = () => {
      const found = store.read((db) => findMemory(db, { account: author.account, namespace, key: 'router' }));
      if (!found) throw new Error('the memory is not there');
      return found;
    };
    store.write((db) => showMemory(db, memories, { author, row: row(), behind: null }));
    expect(facts()).toHaveLength(2);

    store.write((db) => moveToTrash(db, memories, { author, row: row(), at: clock.now() }));
    expect(facts()).toEqual([]);
    const trashed = store.read((db) => findTrashedById(db, id));
    if (trashed) store.write((db) => bringBack(db, memories, { author, trashed }));
    expect(facts()).toHaveLength(2);

    renameMemory(memories, author, { from: { namespace, key: 'router' }, to: { namespace: 'b', key: 'r' } });
    expect([facts(), facts({ namespace: 'b' })]).toEqual([[], ['Router IP 10.0.0.1', '2 Device printer']]);
    deleteMemory(memories, author, { namespace: 'b', key: 'r' });
    say(ROUTER, 'router');
    clearNamespace(memories, author, namespace);
    const kept = store.read((db) => db.prepare<[], { n: number }>('SELECT count(*) AS n FROM facts').get());
    expect(kept).toEqual({ n: 0 });
  });

  it('of one account are of no other', () => {
    say('# Flat\nRent: 900 EUR\n', 'a');
    const id = say('# Flat\nRent: 700 EUR\n', 'a', { at: other });
    expect(facts()).toEqual(['Flat Rent 900 EUR']);
    expect(facts({}, other.account)).toEqual(['Flat Rent 700 EUR']);
    const scope = { ...author, namespace, readable: undefined, asOf: undefined, among: undefined };
    expect(knowing.forAsk.lookup(scope, { ids: [id], words: ['rent'] })).toEqual([]);
  });
});

describe('what is found', () => {
  it('is told by its facts that have words of the question, in any form and with any accents', () => {
    const id = say('# Café Löwe\nOpening hours: 8 to 18\nOwner: Ms Okafor\n\n- Guest seats: 40\n', 'cafe');
    say(ROUTER, 'router');
    const scope = { ...author, namespace, readable: undefined, asOf: undefined, among: undefined };
    const lookup = (words: string[], asOf?: number) =>
      knowing.forAsk.lookup({ ...scope, asOf }, { ids: [id], words }).map(({ quote }) => quote);
    expect(lookup(['cafe', 'owners'])[0]).toBe('Owner: Ms Okafor');
    expect(lookup(['seat'])).toEqual(['Guest seats: 40']);
    expect(lookup(['router', 'printer'])).toEqual([]);
    expect(lookup([])).toEqual([]);
    expect(lookup(['seat'], START)).toEqual([]);
  });

  it('is linked where it has the same label below the same heading, unless many have', () => {
    const first = say('# Flat\nRent: 900 EUR\n', 'a');
    const second = say('## flat\n- Rent: 940 EUR\n', 'b');
    say('# Flat\nFloor: 3\n', 'c');
    say('Rent: 3 EUR', 'd');
    const namespaceId = store.read(
      (db) => findMemory(db, { ...author, namespace, key: 'a' })?.namespace_id ?? 0,
    );
    const links = () =>
      store.read((db) => factLinks(db, { account: author.account, namespaceId, memoryId: first, limit: 8 }));
    expect(links()).toEqual([{ memory_id: second, quote: 'Rent: 940 EUR' }]);
    for (let n = 0; n < 24; n++) say(`# Flat\nRent: ${n} EUR\n`, `more${n}`);
    expect(links()).toEqual([]);
  });
});

describe('memories of before', () => {
  /** Puts the store into the state in which the migration leaves a home with memories. */
  function forget(): void {
    store.write((db) => {
      db.prepare('DELETE FROM facts').run();
      db.prepare(
        "INSERT OR REPLACE INTO meta (name, value) SELECT 'facts_unread', max(id) FROM memories",
      ).run();
    });
    knowing = createKnowledge({ store, clock, log: pino({ level: 'silent' }) });
    memories = { ...memories, facts: knowing };
  }
  const long = `# Long\nSize: big\n\n${'It rained and we walked on. '.repeat(2000)}`;

  it('are read in the background, step by step, also after a stop', async () => {
    for (const key of ['a', 'b', 'c']) say(long, key);
    say('Weight: 3 kg', 'theirs', { at: other });
    forget();
    expect([knowing.pending(), knowing.pending(other.account)]).toEqual([4, 1]);
    const stop = knowing.start();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    stop();
    const left = knowing.pending();
    expect([left > 0, left < 4]).toEqual([true, true]);
    expect(facts({}, other.account)).toEqual(['theirs Weight 3 kg']);
    // What is written meanwhile is not read twice.
    say('# Long\nSize: small\n', 'a');
    const stopAgain = knowing.start();
    await expect.poll(() => knowing.pending()).toBe(0);
    stopAgain();
    expect(facts().sort()).toEqual(['Long Size big', 'Long Size big', 'Long Size small']);
  });

  it('are tried again where the disk was full', async () => {
    say(ROUTER, 'router');
    forget();
    const { write } = store;
    store.write = () => {
      throw new Error('database or disk is full');
    };
    const stop = knowing.start();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(knowing.pending()).toBe(1);
    store.write = write;
    clock.advance(30_000);
    await expect.poll(() => knowing.pending()).toBe(0);
    stop();
    expect(facts()).toHaveLength(2);
  });
});

describe('any sequence of writes', () => {
  type Step =
    | { kind: 'batch'; items: { key: string; value: string }[] }
    | { kind: 'delete'; key: string }
    | { kind: 'clear' };
  const key = fc.constantFrom('a', 'b', 'c');
  const value = fc.constantFrom(ROUTER, 'port: 5433', '---\na: 1\n---\n', 'nothing of note');
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(fc.record({ key, value }), { minLength: 1, maxLength: 3 })
        .map((items) => ({ kind: 'batch' as const, items })),
    },
    { weight: 3, arbitrary: key.map((one) => ({ kind: 'delete' as const, key: one })) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'clear' }) },
  );

  it('ends with the facts that reading all memories anew keeps', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        clearNamespace(memories, author, namespace);
        for (const one of steps) {
          clock.advance(1000);
          if (one.kind === 'clear') clearNamespace(memories, author, namespace);
          else if (one.kind === 'batch')
            storeBatch(
              memories,
              author,
              one.items.map((item) => ({ ...item, namespace })),
            );
          else if (store.read((db) => findMemory(db, { account: author.account, namespace, key: one.key })))
            deleteMemory(memories, author, { namespace, key: one.key });
        }
        const bare = () =>
          page({ limit: 1000 })
            .facts.map(({ id: _, ...fact }) => JSON.stringify(fact))
            .sort();
        const kept = bare();
        store.write((db) => {
          for (const { id } of db.prepare<[], { id: number }>('SELECT id FROM memories').all())
            knowing.changed(db, { id });
        });
        expect(bare()).toEqual(kept);
      }),
      { numRuns: runs(20, 300) },
    );
  });
});
