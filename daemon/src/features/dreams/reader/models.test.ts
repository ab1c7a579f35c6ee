import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listInsights } from '@reverie/shared/contract/dreams';
import { importMemories } from '@reverie/shared/contract/portable';
import {
  type Behaviour,
  type FakeModelServer,
  said,
  startFakeModelServer,
} from '../../../models/testing/fake-model-server.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { dream } from '../testing.ts';
import { promptIn, quotesBelow, quotesOn } from '../testing/quoting.ts';

let fake: FakeModelServer;
/** For most; what another setting needs has one of its own. */
let common: TestDaemon;
let own: TestDaemon | undefined;
beforeAll(async () => {
  fake = await startFakeModelServer(() => said('{}'));
  common = await startOf({});
});
beforeEach(() => fake.asked.splice(0));
afterEach(async () => {
  await own?.stop();
  own = undefined;
});
afterAll(async () => {
  await common.stop();
  await fake.stop();
});

function startOf(env: Record<string, string>): Promise<TestDaemon> {
  return startTestDaemon({
    env: { REVERIE_LLM_BASE_URL: fake.baseUrl, REVERIE_LLM_MODEL: 'judge', ...env },
  });
}

/** Two links by a rare name each, told months apart. */
const MEMORIES = [
  ['plumber', '2026-01-03', 'Zdeněk Horák fixed the drain in the bathroom, took 90 euro in cash.'],
  ['sump', '2026-02-04', 'The dishwasher needs the sump seal, part 00631780.'],
  ['letter', '2026-06-20', 'A collection agency claims money on behalf of Z. Horák.'],
  ['cellar', '2026-07-21', 'Cellar shelf: two tins of paint, a bag marked 00631780.'],
] as const;

function itemsOf(namespace: string) {
  return MEMORIES.map(([key, day, value]) => {
    const at = `${day}T12:00:00Z`;
    return { key, value, namespace, created_at: at, updated_at: at };
  });
}

async function dreamOf(behaviour: Behaviour, env?: Record<string, string>) {
  const daemon = env ? (own = await startOf(env)) : common;
  fake.behave(behaviour);
  // A server that failed before is asked again.
  daemon.clock.advance(3_600_000);
  const namespace = randomUUID();
  await daemon.call(importMemories, { body: { items: itemsOf(namespace) } });
  const dreamed = () => dream(daemon.call, { namespace, strategies: ['connect'] });
  const job = await dreamed();
  const { insights } = await daemon.call(listInsights, { query: { namespace, limit: 200 } });
  return { job, insights: insights.reverse(), connect: job.strategies[0], dreamed };
}

/** Keeps or drops each link by what it is about. */
const judge =
  (answers: { horak: object; seal: object }): Behaviour =>
  (asked) => {
    const prompt = promptIn(asked);
    const blocks = prompt.split(/^(?=p\d+:)/mu).slice(1);
    const verdicts = blocks.map((block) => {
      const id = block.split(':')[0] ?? '';
      return {
        ...{ id, quotes: quotesBelow(prompt, id), why: '' },
        ...(block.includes('00631780') ? answers.seal : answers.horak),
      };
    });
    return said(JSON.stringify({ verdicts }));
  };
const [keep, drop] = [{ holds: true }, { holds: false }];

describe('a dream with a language model', () => {
  it('does not spend the owner’s model on an account that signed up, unless the owner says so', async () => {
    const asksFor = async (daemon: TestDaemon) => {
      fake.behave(judge({ horak: keep, seal: keep }));
      fake.asked.splice(0);
      const { key, publicId } = daemon.addAccount('write');
      await daemon.as(daemon.ownerKey, publicId)(importMemories, { body: { items: itemsOf('default') } });
      const { strategies } = await dream(daemon.as(key), { namespace: 'default', strategies: ['connect'] });
      expect(strategies[0]?.insights).toBe(2);
      return fake.asked.length;
    };
    expect(await asksFor(common)).toBe(0);
    own = await startOf({ REVERIE_LLM_FOR_SIGNED_UP: 'true' });
    expect(await asksFor(own)).toBe(1);
  });

  it('drops a link that the model refutes, takes reasons that the memories bear out, and does not ask again', async () => {
    const why = 'The agency claims money for Horák, who took cash';
    const { job, insights, connect, dreamed } = await dreamOf(judge({ horak: { ...keep, why }, seal: drop }));
    expect(insights.map((one) => [one.body.split('\n')[0], one.evidence])).toEqual([
      [why, ['plumber', 'letter']],
    ]);
    const note = 'judge judged 2 of 2, dropped 1, gave a reason for 1';
    expect(connect).toMatchObject({ insights: 1, note });
    expect(job).toMatchObject({ status: 'complete', tokens: { used: 12, budget: 20_000 } });
    // One question, of the memories of the proposals and no others.
    const asked = fake.asked.map(({ body }) => JSON.stringify(body['messages']));
    expect(
      asked.map((text) => text.match(/(?<=\| )(?:plumber|sump|letter|cellar)(?= \|)/gu)?.sort()),
    ).toEqual([['cellar', 'letter', 'plumber', 'sump']]);
    const again = await dreamed();
    expect(again).toMatchObject({ status: 'complete', insights: 0, tokens: { used: 0 } });
    expect(fake.asked).toHaveLength(1);
  });

  it.each<{ how: string; behaviour: Behaviour; tokens: number; note: RegExp }>([
    { how: 'is down', behaviour: () => 'cut', tokens: 0, note: /judged 0 of 2.*no model server answers/ },
    {
      how: 'answers rubbish',
      behaviour: () => said('certainly, here you are'),
      tokens: 12,
      note: /answered nothing of use to 1$/,
    },
    {
      how: 'names what does not exist',
      behaviour: () => said(JSON.stringify({ verdicts: [{ id: 'p9', quotes: [], why: '', holds: false }] })),
      tokens: 12,
      note: /answered nothing of use to 1$/,
    },
  ])('that $how proposes what it would without one, and says so', async ({ behaviour, tokens, note }) => {
    const { job, insights, connect } = await dreamOf(behaviour);
    expect(job).toMatchObject({ status: 'complete', error: null, tokens: { used: tokens } });
    expect(insights.map(({ title }) => title.split(':')[0]).sort()).toEqual(['00631780', 'Horák']);
    expect(connect?.note).toMatch(note);
  });

  it('that is too slow is asked once, and counts as if it had written all of it', async () => {
    const { job, insights, connect } = await dreamOf(() => 'never', { REVERIE_LLM_TIMEOUT_MS: '100' });
    expect([job.status, insights.length]).toEqual(['complete', 2]);
    // On a busy machine its time may be over before the question is on its way.
    expect(fake.asked.length).toBeLessThanOrEqual(1);
    expect(job.tokens.used).toBeGreaterThan(160);
    expect(connect?.note).toMatch(/judged 0 of 2.*did not answer within 0\.1 s/);
  });

  it('finds by reading what no rule does, goes on where the budget ended, and reads nothing twice', async () => {
    /** A greedy one: it takes what it may at most for each answer. */
    const greedy: Behaviour = ({ body }) => {
      const words = Math.ceil(JSON.stringify(body['messages']).length / 3);
      const used = words + Number(body['max_tokens']);
      const prompt = promptIn({ body });
      const lines = prompt.split('\n');
      const of = (said: string) => /n\d+/u.exec(lines.find((line) => line.includes(said)) ?? '')?.[0];
      const notes = [of('thirty minutes'), of('Gleisdorf')].filter((id) => id !== undefined);
      const reply = said(
        JSON.stringify({
          found: notes.length === 2 ? [{ quotes: quotesOn(prompt, notes), what: 'the car' }] : [],
        }),
      );
      const usage = { prompt_tokens: words, completion_tokens: used - words, total_tokens: used };
      return { body: { ...(reply.body as object), usage } };
    };
    // A short sheet takes some 3,500 tokens of it, a long one some 6,000.
    const daemon = (own = await startOf({ REVERIE_DREAM_BUDGET_TOKENS: '8000' }));
    fake.behave(greedy);
    const filler = Array.from(
      { length: 70 },
      (_, at) => [`filler-${at}`, '2026-03-01', fillerText(at)] as const,
    );
    const told = [
      ['drive', '2026-01-29', 'I drive to the office in the Polo, thirty minutes.'],
      ['sold', '2026-07-06', 'A student from Gleisdorf bought my Polo.'],
      ...filler,
    ] as const;
    await daemon.call(importMemories, {
      body: {
        items: told.map(([key, day, value]) => ({
          key,
          value,
          namespace: 'n',
          created_at: `${day}T12:00:00Z`,
          updated_at: `${day}T12:00:00Z`,
        })),
      },
    });
    const dreamed = () => dream(daemon.call, { namespace: 'n', strategies: ['contradict'] });
    const jobs = [await dreamed()];
    while ((jobs.at(-1)?.tokens.used ?? 0) > 0 && jobs.length < 6) jobs.push(await dreamed());
    expect(jobs[0]?.strategies[0]?.note).toMatch(
      /read [1-3] of \d+ sheets.*the budget of this dream is used up/,
    );
    for (const { tokens } of jobs) expect(tokens.used).toBeLessThanOrEqual(8_000);
    expect(jobs.length).toBeGreaterThan(2);
    expect(jobs.at(-1)?.tokens.used).toBe(0);
    expect(jobs.at(-1)?.strategies[0]?.note).toMatch(/read 0 of 0 sheets, found 0$/);
    const { insights } = await daemon.call(listInsights, { query: { namespace: 'n', limit: 200 } });
    const found = insights.filter(({ evidence }) => evidence.includes('sold'));
    expect(found.map(({ evidence, status }) => [evidence, status])).toEqual([
      [['drive', 'sold'], 'proposed'],
    ]);
  });
});

/** Notes about nothing in particular that share a word now and then. */
function fillerText(at: number): string {
  const things = ['cellar', 'violin', 'printer', 'garden', 'invoice', 'bicycle', 'kettle', 'harbour'];
  const ways = ['smells of rain', 'needs oil', 'stands by the door', 'is blue inside', 'costs too much'];
  return `The ${things[at % things.length]} number ${at} ${ways[at % ways.length]}, says neighbour ${at % 7}.`;
}
