import {
  type Examination,
  findModels,
  type FoundServer,
  type ModelConsent,
  type ModelPart,
  type ModelPull,
  type ModelUse,
  modelsState,
} from '@reverie/shared/contract/system/models';
import type { Page } from 'playwright-core';
import type { z } from 'zod';
import { fakeFetch } from './fake-fetch.ts';

type State = z.infer<typeof modelsState.response>;
type Found = z.infer<typeof findModels.response>;

/** What the daemon says of models, as a test wants to have it said. */
export interface Said {
  state: State;
  /** `never`: it is still looking. */
  found: Found | 'never';
  /** The reply to everything that changes something: a problem. */
  refusal?: { status: number; code: string; detail: string };
  /** How often the page has asked what is in use. */
  asked?: number;
}

/** Answers for the daemon whatever the page asks of models, by the contract: states that no server gets into at will. */
export async function sayOfModels(page: Page, said: Said): Promise<void> {
  await fakeFetch(page, async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === '/v1/models') {
      said.asked = (said.asked ?? 0) + 1;
      return Response.json(modelsState.response.parse(said.state));
    }
    if (pathname === '/v1/models/found')
      return said.found === 'never'
        ? new Promise<never>(() => undefined)
        : Response.json(findModels.response.parse(said.found));
    if (!/^\/v1\/models\/(use|pull|examine)/.test(pathname)) return undefined;
    const { status, code, detail } = said.refusal ?? {
      status: 409,
      code: 'conflict',
      detail: 'Another one is under way',
    };
    return Response.json({ type: 'about:blank', title: 'Refused', status, code, detail }, { status });
  });
}

export const OLLAMA = 'http://127.0.0.1:11434';
const AT = '2026-11-23T09:00:00.000Z';

export function useOf(part: ModelPart, changed: Partial<ModelUse> = {}): ModelUse {
  return {
    part,
    server: null,
    name: part === 'vectors' ? 'potion-base-8M' : null,
    reach: null,
    consent: null,
    state: part === 'vectors' ? 'ok' : 'off',
    since: null,
    error: null,
    timeout_ms: 30_000,
    tokens_per_day: null,
    tokens_per_month: null,
    spent: { tokens_today: 0, tokens_month: 0, calls_month: 0, failed_month: 0, by: [] },
    settings_from: 'default',
    ...changed,
  };
}

export const NO_MODEL: State = {
  uses: [useOf('ask'), useOf('dreams'), useOf('vectors')],
  pull: null,
  examination: null,
};

export const NOTHING: Found = {
  servers: [],
  offered: [],
  install: {
    text: 'Install Ollama with `curl -fsSL https://ollama.com/install.sh | sh`, which also starts it. Then this page goes on by itself.',
    url: 'https://ollama.com/download/linux',
  },
};

export const OFFERED: Found['offered'] = [
  {
    name: 'gemma4:e4b',
    title: 'Gemma 4 E4B',
    bytes: 4_509_715_661,
    licence: 'Apache-2.0',
    for: ['ask', 'dreams'],
    about: 'Answers surely and declines what is not there; wants 8 GiB of memory.',
  },
  {
    name: 'qwen3.5:4b',
    title: 'Qwen 3.5 4B',
    bytes: 3_650_722_201,
    licence: 'Apache-2.0',
    for: ['ask', 'dreams'],
    about: 'Good in many languages.',
  },
  {
    name: 'nomic-embed-text',
    title: 'Nomic Embed Text',
    bytes: 274_302_450,
    licence: 'Apache-2.0',
    for: ['vectors'],
    about: 'Small, for search by meaning.',
  },
];

export const QWEN = { server: OLLAMA, name: 'qwen3.5:4b' };

export function foundWith(models: Found['servers'][number]['models']): Found {
  return {
    servers: [{ kind: 'ollama', url: OLLAMA, version: '0.20.4', models, needs_key: false, consent: null }],
    offered: OFFERED.filter(({ name }) => !models.some((model) => model.name === name)),
    install: null,
  };
}

export const CONSENT: ModelConsent = {
  vendor: 'Anthropic',
  text: 'The notes are sent to Anthropic through your own Claude Code login. You can turn it off at any time.',
  given_at: null,
};

/** A coding agent before the servers of `found`. */
export function withAgent(found: Found): Found {
  const agent: FoundServer = {
    kind: 'claude-code',
    url: 'agent:claude-code',
    version: '2.1.332',
    needs_key: false,
    models: [{ name: 'default', bytes: null, context: null, can: ['chat', 'schema'] }],
    consent: CONSENT,
  };
  return { ...found, servers: [agent, ...found.servers] };
}

export const QWEN_FOUND: Found = foundWith([
  { name: QWEN.name, bytes: 3_650_722_201, context: 32_768, can: ['chat', 'schema', 'tools'] },
]);

export function pullOf(changed: Partial<ModelPull>): ModelPull {
  return {
    ...QWEN,
    status: 'running',
    bytes_done: 1_288_490_188,
    bytes_total: 3_650_722_201,
    error: null,
    started_at: AT,
    ended_at: null,
    ...changed,
  };
}

export function examinationOf(changed: Partial<Examination>): Examination {
  return {
    ...QWEN,
    status: 'done',
    done: 30,
    total: 30,
    right: 28,
    wrong: 2,
    declined_rightly: 7,
    seconds_median: 1.8,
    tokens: 31_240,
    fit_for: ['ask', 'dreams'],
    verdict: 'answers well and declines what is not there',
    error: null,
    started_at: AT,
    ended_at: AT,
    ...changed,
  };
}
