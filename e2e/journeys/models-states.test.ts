import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cases, deepTest } from '@reverie/shared/testing/depth';
import { axeFindings } from '../pages/accessibility.ts';
import {
  CONSENT,
  examinationOf,
  foundWith,
  NO_MODEL,
  NOTHING,
  OFFERED,
  pullOf,
  QWEN,
  QWEN_FOUND,
  type Said,
  sayOfModels,
  useOf,
  withAgent,
} from '../pages/models.ts';
import { pageWidth, setStage, signIn } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const inUse = { ...QWEN, reach: 'local', state: 'ok', settings_from: 'file' } as const;
const spent = { tokens_today: 12_400, tokens_month: 345_678, calls_month: 310, failed_month: 4, by: [] };
const agentInUse = {
  server: 'agent:claude-code',
  name: 'default',
  reach: 'beyond',
  state: 'ok',
  settings_from: 'file',
  consent: { ...CONSENT, given_at: '2026-11-23T08:00:00.000Z' },
} as const;
const builtIn = useOf('vectors');
const AWAY = 'http://gpu-box.lan:11434';

/** Each state of the view, and words that stand there then. */
const STATES: Readonly<Record<string, Said & { says: readonly (string | RegExp)[] }>> = {
  looking: { state: NO_MODEL, found: 'never', says: ['Looking on this machine…'] },
  nothing: { state: NO_MODEL, found: NOTHING, says: [/runs models here/, /goes on by itself/] },
  'no-model-fits': {
    state: NO_MODEL,
    found: foundWith([]),
    says: ['It has no model yet.', 'Get a model', /4\.2 GiB · Apache-2.0 · for questions and dreams/],
  },
  getting: {
    state: { ...NO_MODEL, pull: pullOf({}) },
    found: foundWith([]),
    says: ['downloading', '1.2 GiB of 3.4 GiB'],
  },
  'getting-stopped': {
    state: { ...NO_MODEL, pull: pullOf({ status: 'stopped' }) },
    found: foundWith([]),
    says: [/what is there already is kept/, 'Resume'],
  },
  'getting-failed': {
    state: {
      ...NO_MODEL,
      pull: pullOf({
        status: 'failed',
        error: 'Ollama broke off: unexpected EOF. Try again goes on where it was.',
      }),
    },
    found: NOTHING,
    says: [/Ollama broke off/, 'Try again'],
  },
  found: { state: NO_MODEL, found: QWEN_FOUND, says: [/answers · keeps to a form/, 'Get another model'] },
  'found-many': {
    state: NO_MODEL,
    found: {
      servers: [
        ...foundWith([
          { name: 'gpt-oss:120b-cloud', bytes: null, context: 131_072, can: ['chat', 'tools'] },
          { name: 'nomic-embed-text', bytes: 274_302_450, context: 2_048, can: ['vectors'] },
        ]).servers,
        {
          kind: 'llama-cpp',
          url: 'http://127.0.0.1:8080',
          version: null,
          models: [
            {
              name: '/home/ada/models/a-very-long-name-of-a-file-that-somebody-got-Q4_K_M-imatrix-00001-of-00002.gguf',
              bytes: null,
              context: null,
              can: [],
            },
          ],
          needs_key: false,
          consent: null,
        },
        {
          kind: 'vllm',
          url: 'http://127.0.0.1:8000',
          version: '0.14.0',
          models: [],
          needs_key: true,
          consent: null,
        },
      ],
      offered: OFFERED,
      install: null,
    },
    says: ['leaves this machine', /It wants a key before it says more/, /does not say what it can do/],
  },
  examining: {
    state: {
      ...NO_MODEL,
      examination: examinationOf({
        status: 'running',
        done: 11,
        right: 10,
        wrong: 1,
        declined_rightly: 3,
        tokens: 11_020,
        fit_for: [],
        verdict: null,
        ended_at: null,
      }),
    },
    found: QWEN_FOUND,
    says: ['under way', /11 of 30 questions/],
  },
  'examined-fit': {
    state: { ...NO_MODEL, examination: examinationOf({}) },
    found: QWEN_FOUND,
    says: ['Use for questions and dreams', 'Answers well and declines what is not there.'],
  },
  'examined-slow': {
    state: {
      ...NO_MODEL,
      examination: examinationOf({
        seconds_median: 24.3,
        fit_for: ['dreams'],
        verdict: 'answers well, too slow while you wait: use it for dreams',
      }),
    },
    found: QWEN_FOUND,
    says: ['Use for dreams', '24'],
  },
  'examined-unfit': {
    state: {
      ...NO_MODEL,
      examination: examinationOf({
        right: 14,
        wrong: 16,
        declined_rightly: 0,
        fit_for: [],
        verdict: 'makes things up: not for use',
      }),
    },
    found: QWEN_FOUND,
    says: ['not fit', 'Use anyway…'],
  },
  'examination-failed': {
    state: {
      ...NO_MODEL,
      examination: examinationOf({
        status: 'failed',
        done: 4,
        right: 3,
        wrong: 1,
        fit_for: [],
        verdict: null,
        error: 'The model server does not answer any more',
      }),
    },
    found: NOTHING,
    says: ['The model server does not answer any more', 'Examine again'],
  },
  'in-use': {
    state: {
      uses: [
        useOf('ask', { ...inUse, spent }),
        useOf('dreams', { ...inUse, spent, tokens_per_day: 50_000 }),
        builtIn,
      ],
      pull: null,
      examination: examinationOf({}),
    },
    found: QWEN_FOUND,
    says: [
      /12,400 tokens today, 345,678 this month in 310 requests, 4 of them failed/,
      'It is used for questions and dreams.',
      /^Nothing\. What models are asked stays/,
    ],
  },
  'in-use-troubled': {
    state: {
      uses: [
        useOf('ask', {
          ...inUse,
          spent,
          state: 'down',
          since: '2026-11-23T08:00:00.000Z',
          error: 'The connection was refused',
        }),
        useOf('dreams', { ...inUse, spent, tokens_per_day: 12_000 }),
        useOf('vectors', {
          ...inUse,
          name: 'nomic-embed-text',
          state: 'catching_up',
          since: '2026-11-23T08:00:00.000Z',
        }),
      ],
      pull: null,
      examination: null,
    },
    found: NOTHING,
    says: [
      'does not answer',
      'resting',
      'catching up',
      /Answers are quoted meanwhile/,
      /No model answers here right now/,
    ],
  },
  'found-agent': {
    state: NO_MODEL,
    found: withAgent(foundWith([])),
    says: ['Claude Code 2.1.332', 'sends to Anthropic', 'Get a model'],
  },
  'in-use-agent': {
    state: {
      uses: [
        useOf('ask', {
          ...agentInUse,
          tokens_per_month: 345_678,
          spent: {
            ...spent,
            by: [
              { account: 'acc_1', name: 'this machine', tokens_month: 300_000 },
              {
                account: 'acc_2',
                name: 'ada.lovelace-with-a-long-name@analytical-engines.example.org',
                tokens_month: 45_678,
              },
            ],
          },
        }),
        useOf('dreams', {
          ...agentInUse,
          name: 'opus',
          state: 'down',
          consent: CONSENT,
          error: 'nobody agreed that Claude Code is asked: run `reverie models use claude-code`',
        }),
        builtIn,
      ],
      pull: null,
      examination: examinationOf({ server: 'agent:claude-code', name: 'default' }),
    },
    found: withAgent(QWEN_FOUND),
    says: [
      'resting',
      'Tokens of this month',
      /this machine 300,000 · ada\.lovelace/,
      'Claude Code (opus)',
      /nobody agreed that Claude Code is asked/,
      'Examination of Claude Code',
      /the memories that a dream reads, many at a time, to/,
    ],
  },
  'in-use-away': {
    state: {
      uses: [
        useOf('ask', { ...inUse, server: AWAY, reach: 'beyond', settings_from: 'variable' }),
        useOf('dreams'),
        useOf('vectors', { ...inUse, server: AWAY, reach: 'beyond', settings_from: 'flag' }),
      ],
      pull: null,
      examination: null,
    },
    found: NOTHING,
    says: [/Set by a variable/, /Set by a flag/, /the text of every memory, and of each search, to/],
  },
};

const LOOKS = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 380, height: 560, colorScheme: 'light' },
] as const;

describe.skipIf(!hasBrowser)('each state of the models', () => {
  const stage = setStage();
  const shown = async (page: Page, name: string) => {
    const folder = process.env['REVERIE_TEST_SHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/models-${name}.png` });
  };

  // One page for all of them: a browser session of its own for each would take most of the time.
  test('says what is so, in every size and scheme', async () => {
    const page = await stage.visit();
    const said: Said = { state: NO_MODEL, found: 'never' };
    await sayOfModels(page, said);
    await signIn(page, await stage.world.ticketAddress('/models'));
    for (const [at, [name, { says, ...next }]] of cases(Object.entries(STATES), 8).entries()) {
      Object.assign(said, next);
      await page.reload();
      for (const words of says) await page.getByText(words).filter({ visible: true }).first().waitFor();
      for (const [look, { colorScheme, ...size }] of cases(LOOKS).entries()) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        await expect.poll(() => pageWidth(page), { message: name }).toBe(size.width);
        // Every look has its turn among the states.
        if (at % cases(LOOKS).length === look) expect(await axeFindings(page), name).toEqual([]);
        await shown(page, `${name}-${size.width}-${colorScheme}`);
      }
    }
  });

  const open = async (said: Said, path = '/models') => {
    const page = await stage.visit({ viewport: { width: 390, height: 844 } });
    await sayOfModels(page, said);
    await page.goto(await stage.world.ticketAddress(path));
    return page;
  };
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement?.textContent ?? document.activeElement?.tagName');

  test('what it is fit for is ticked, what it is not is warned of, what it cannot is not offered', async () => {
    const page = await open({
      state: { ...NO_MODEL, examination: examinationOf({ fit_for: ['dreams'], verdict: 'too slow' }) },
      found: QWEN_FOUND,
    });
    await page.getByRole('button', { name: 'Choose…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use qwen3.5:4b' });
    const tick = (name: RegExp) => dialog.getByRole('checkbox', { name });
    await expect.poll(() => tick(/^Dreams/).isChecked()).toBe(true);
    expect(await tick(/^Questions/).isChecked()).toBe(false);
    expect(await tick(/^Search by meaning/).isDisabled()).toBe(true);
    await dialog.getByText('The examination advises against it: too slow.').waitFor();
    await dialog.getByText('It runs on this machine: nothing of your memories leaves it.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await shown(page, 'use');
    await dialog.getByRole('button', { name: 'Use', exact: true }).click();
    await dialog.getByText('Nothing was changed: Another one is under way').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await focused(page)).toBe('Choose…');
  });

  deepTest('a server beyond this machine is used only after a tick, and what is sent is named', async () => {
    const page = await open({ state: NO_MODEL, found: NOTHING });
    await page.getByText('Another server', { exact: true }).click();
    const form = page.getByRole('form', { name: 'Another server' });
    await form.getByRole('button', { name: 'Use…' }).click();
    await form.getByText('An address that begins with http://').waitFor();
    await form.getByLabel('Address').fill(AWAY);
    await form.getByLabel('Model, as its server names it').fill('qwen3.5:32b');
    await form.getByText('the made-up questions and notes of the examination').waitFor();
    expect(await form.getByRole('button', { name: 'Examine' }).isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Use…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use qwen3.5:32b' });
    await dialog.getByText('each question, and the passages that were found for it').waitFor();
    await dialog.getByText('The way there is not encrypted').waitFor();
    const use = dialog.getByRole('button', { name: 'Use', exact: true });
    expect(await use.isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await shown(page, 'use-beyond');
    await dialog.getByRole('checkbox', { name: 'I agree that this is sent there' }).check();
    expect(await use.isDisabled()).toBe(false);
  });

  deepTest('limits are checked as they are written', async () => {
    const page = await open({
      state: { ...NO_MODEL, uses: [useOf('ask', { ...inUse, spent }), useOf('dreams'), builtIn] },
      found: QWEN_FOUND,
    });
    await page.getByRole('button', { name: /^Limits…/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Limits of questions' });
    const seconds = dialog.getByLabel('Seconds that a request may take');
    await expect.poll(() => seconds.inputValue()).toBe('30');
    await seconds.fill('0');
    await dialog.getByText('Seconds from 0.1 to 600').waitFor();
    expect(await dialog.getByRole('button', { name: 'Keep' }).isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await shown(page, 'limits');
    await seconds.fill('12.5');
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await dialog.getByText('They were not kept: Another one is under way').waitFor();
  });

  test('a full disk is said where a model is got', async () => {
    const page = await open({
      state: NO_MODEL,
      found: foundWith([]),
      refusal: {
        status: 507,
        code: 'disk_full',
        detail:
          'gemma4:e4b takes 4.2 GiB, and the disk of Ollama has 1.1 GiB left. Free some space and try again',
      },
    });
    await page.getByRole('button', { name: 'Get Gemma 4 E4B' }).click();
    await page.getByText('It was not begun: gemma4:e4b takes 4.2 GiB').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('what is got goes on to what runs here, and the focus with it', async () => {
    const said: Said = { state: { ...NO_MODEL, pull: pullOf({}) }, found: foundWith([]) };
    const page = await open(said);
    await page.getByRole('button', { name: 'Stop' }).focus();
    said.state = { ...NO_MODEL, pull: pullOf({ status: 'done', bytes_done: 3_650_722_201 }) };
    said.found = QWEN_FOUND;
    await page.getByRole('button', { name: 'Examine qwen3.5:4b' }).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Getting qwen3.5:4b' }).count()).toBe(0);
    expect(await focused(page)).toBe('On this machine');
  });

  test('`g o` leads there from a question, which says quietly that no model is used', async () => {
    await stage.store('home', { tea: 'The green tea is in the left drawer.' });
    for (const [path, line] of [
      ['/ask?namespace=home', 'No language model is used for questions.'],
      ['/dreams?namespace=home', 'No language model is used for dreams.'],
    ] as const) {
      const page = await open({ state: NO_MODEL, found: NOTHING }, path);
      await page.getByText(line).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await shown(page, path.slice(1, 4));
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
    }
  });

  test('whose owner key is of another account is told that models are the machine’s', async () => {
    const page = await stage.visit();
    await page.route('**/v1/models', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 403, code: 'forbidden_scope', title: 'Not allowed' }),
      }),
    );
    await page.goto(await stage.world.ticketAddress('/models'));
    await page.getByRole('heading', { name: 'Only the owner of this machine may choose models' }).waitFor();
  });

  test('where a model is used nothing is said of it', async () => {
    const uses = [useOf('ask', { ...inUse }), useOf('dreams'), builtIn];
    const said: Said = { state: { ...NO_MODEL, uses }, found: NOTHING };
    const page = await open(said, '/ask?namespace=home');
    await page.getByRole('textbox', { name: 'Question' }).waitFor();
    await expect.poll(() => said.asked ?? 0).toBeGreaterThan(0);
    expect(await page.getByText('No language model is used').count()).toBe(0);
  });
});
