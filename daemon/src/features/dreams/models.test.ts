import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listInsights } from '@reverie/shared/contract/dreams';
import { importMemories } from '@reverie/shared/contract/memories';
import {
  type Behaviour,
  type FakeModelServer,
  said,
  startFakeModelServer,
} from '../../models/testing/fake-model-server.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { dream } from './testing.ts';

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

async function dreamOf(behaviour: Behaviour, env?: Record<string, string>) {
  const daemon = env ? (own = await startOf(env)) : common;
  fake.behave(behaviour);
  // A server that failed before is asked again.
  daemon.clock.advance(3_600_000);
  const namespace = randomUUID();
  const items = MEMORIES.map(([key, day, value]) => ({
    key,
    value,
    namespace,
    created_at: `${day}T12:00:00Z`,
    updated_at: `${day}T12:00:00Z`,
  }));
  await daemon.call(importMemories, { body: { items } });
  const dreamed = () => dream(daemon.call, { namespace, strategies: ['connect'] });
  const job = await dreamed();
  const { insights } = await daemon.call(listInsights, { query: { namespace, limit: 200 } });
  return { job, insights: insights.reverse(), connect: job.strategies[0], dreamed };
}

/** Answers by which link it is asked about. */
const judge =
  (answers: { horak: unknown; seal: unknown }): Behaviour =>
  ({ body }) =>
    said(
      JSON.stringify(JSON.stringify(body['messages']).includes('00631780') ? answers.seal : answers.horak),
    );
const keep = { keep: true, evidence: ['n1', 'n2'] };
const drop = { keep: false, evidence: ['n1', 'n2'] };

describe('a dream with a language model', () => {
  it('drops a link that the model refutes, and takes words that the memories bear out', async () => {
    const title = 'The agency claims money for Horák, who took cash';
    const { job, insights, connect, dreamed } = await dreamOf(
      judge({ horak: { ...keep, title }, seal: drop }),
    );
    expect(insights.map((one) => [one.title, one.evidence])).toEqual([[title, ['plumber', 'letter']]]);
    expect(connect).toMatchObject({ insights: 1, note: 'judge judged 2 of 2, dropped 1, reworded 1' });
    expect(job).toMatchObject({ status: 'complete', tokens: { used: 24, budget: 20_000 } });
    // It is shown nothing but the memories of a proposal.
    const asked = fake.asked.map(({ body }) => JSON.stringify(body['messages']));
    expect(
      asked.map((text) => MEMORIES.map(([key]) => key).filter((key) => text.includes(`"${key}\\" (`))),
    ).toEqual([
      ['plumber', 'letter'],
      ['sump', 'cellar'],
    ]);
    // Another wording is no other proposal.
    fake.behave(judge({ horak: { ...keep, title: 'Horák took cash and claims money' }, seal: drop }));
    expect(await dreamed()).toMatchObject({ status: 'complete', insights: 0 });
  });

  it.each<{ how: string; behaviour: Behaviour; tokens: number; note: RegExp }>([
    { how: 'is down', behaviour: () => 'cut', tokens: 0, note: /judged 0 of 2.*no model server answers/ },
    {
      how: 'answers rubbish',
      behaviour: () => said('certainly, here you are'),
      tokens: 24,
      note: /answered nothing of use to 2$/,
    },
    {
      how: 'cites what does not exist',
      behaviour: () => said(JSON.stringify({ keep: false, evidence: ['n9'] })),
      tokens: 24,
      note: /answered nothing of use to 2$/,
    },
  ])('that $how proposes what it would without one, and says so', async ({ behaviour, tokens, note }) => {
    const { job, insights, connect } = await dreamOf(behaviour);
    expect(job).toMatchObject({ status: 'complete', error: null, tokens: { used: tokens } });
    expect(insights.map(({ title }) => title)).toEqual([
      'Horák stands in "plumber" and in "letter"',
      '00631780 stands in "sump" and in "cellar"',
    ]);
    expect(connect?.note).toMatch(note);
  });

  it('that is too slow is asked once, and counts as if it had written all of it', async () => {
    const { job, insights, connect } = await dreamOf(() => 'never', { REVERIE_LLM_TIMEOUT_MS: '100' });
    expect([job.status, insights.length]).toEqual(['complete', 2]);
    // On a busy machine its time may be over before the question is on its way.
    expect(fake.asked.length).toBeLessThanOrEqual(1);
    expect(job.tokens.used).toBeGreaterThan(300);
    expect(connect?.note).toMatch(/judged 0 of 2.*did not answer within 0\.1 s/);
  });

  it('is asked as long as the budget lasts, and no longer', async () => {
    const budget = 1_300;
    // A greedy one: it takes what it may at most for each answer.
    const greedy: Behaviour = ({ body }) => {
      const words = Math.ceil(JSON.stringify(body['messages']).length / 3);
      const used = words + Number(body['max_tokens']);
      const reply = said(JSON.stringify(keep));
      const usage = { prompt_tokens: words, completion_tokens: used - words, total_tokens: used };
      return { body: { ...(reply.body as object), usage } };
    };
    const { job, insights, connect } = await dreamOf(greedy, { REVERIE_DREAM_BUDGET_TOKENS: String(budget) });
    expect(job).toMatchObject({ status: 'complete', tokens: { budget } });
    expect(job.tokens.used).toBeLessThanOrEqual(budget);
    expect(insights).toHaveLength(2);
    expect(connect?.note).toMatch(/judged 1 of 2.*the budget of this dream is used up/);
  });
});
