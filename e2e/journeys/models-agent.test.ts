import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { modelsState, stopUsingModels } from '@reverie/shared/contract/system/models';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installFakeAgents, LEASE, RENT } from '../../daemon/src/models/agents/testing/fake-agents.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { button } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';
import { stopTime } from '../pages/time.ts';

const CONSENT =
  'The notes that fit your question, or that a dream compares (some thousands of tokens each time), are sent to Anthropic through your own Claude Code login. Reverie sends nothing else, and you can turn it off at any time.';

const LOOKS = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const;

const agents = installFakeAgents(RENT);

// Told in order: the agent is offered once.
describe.skipIf(!hasBrowser || process.platform === 'win32')(
  'a coding agent as a model, in the page',
  { shuffle: false },
  () => {
    const stage = setStage({ PATH: agents.folder, HOME: agents.folder, REVERIE_MODELS_PORTS: '1' });

    beforeEach(() => agents.be(RENT));
    afterEach(() => stage.world.daemon.call(stopUsingModels, { query: {} }));
    afterAll(() => agents.remove());

    /** No finding of axe and no page wider than its window, in both sizes and schemes. */
    const looksRight = async (page: Page, name: string) => {
      const folder = process.env['REVERIE_TEST_SHOTS'];
      for (const { colorScheme, ...size } of LOOKS) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        await expect.poll(() => pageWidth(page), { message: name }).toBe(size.width);
        // Colours change over some frames.
        await expect.poll(() => axeFindings(page), { message: name }).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollHeight'), name).toBe(size.height);
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/agent-${name}-${size.width}-${colorScheme}.png` });
      }
    };
    const part = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
    const asked = () => agents.calls().length;

    test('is offered at the first start, agreed to, answers, and what left is there to read, until it is turned off', async () => {
      const page = await stage.signedInAt('/');
      await page.getByRole('heading', { name: 'Answers by Claude Code, which is on this machine' }).waitFor();
      await looksRight(page, 'start');
      await button(page, 'Use it (Claude Code)').click();
      const dialog = page.getByRole('dialog', { name: 'Use Claude Code' });
      await dialog.getByText(CONSENT, { exact: true }).waitFor();
      await dialog.getByText('Sent to Anthropic', { exact: true }).waitFor();
      expect(await dialog.getByRole('checkbox').count()).toBe(2);
      await looksRight(page, 'consent');
      expect(asked()).toBe(0);
      await button(page, 'Agree and use').click();
      await page.getByText('It is used for questions and dreams from now on.').waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('start-models');

      await stage.store('home', { lease: LEASE });
      await page.goto(`${stage.world.daemon.origin}/ask?namespace=home&q=How%20much%20is%20the%20rent%3F`);
      await page.getByText('Put into words by Claude Code').waitFor();
      await page
        .getByRole('region', { name: /answer/i })
        .getByText('940 euro')
        .first()
        .waitFor();

      await page.goto(`${stage.world.daemon.origin}/models`);
      const questions = part(page, 'Questions');
      await questions.getByText('Anthropic', { exact: true }).waitFor();
      await questions.getByText('Agreed', { exact: true }).waitFor();
      await questions.getByText(/tokens today/).waitFor();
      await questions.getByRole('button', { name: /^Limits…/ }).click();
      await page.getByLabel('Tokens a month').fill('500000');
      await button(page, 'Keep').click();
      await questions.getByRole('meter', { name: 'Tokens of this month' }).waitFor();
      await page.getByText('What left, question by question').click();
      await page.getByRole('button', { name: /^A question, to Claude Code/ }).click();
      await looksRight(page, 'in-use');
      await page.getByRole('link', { name: 'lease', exact: true }).click();
      await page.getByText(LEASE).first().waitFor();

      await page.goBack();
      for (const name of ['Questions', 'Dreams'])
        await part(page, name)
          .getByRole('button', { name: /^Turn off/ })
          .click();
      await page.getByText(/^No language model is used: Reverie answers/).waitFor();
      const { uses } = await stage.world.daemon.call(modelsState, {});
      expect(uses.every(({ consent }) => consent === null)).toBe(true);
      // Turned on again it asks again.
      await button(page, 'Use it (Claude Code)').click();
      await dialog.getByText(CONSENT, { exact: true }).waitFor();
    });

    test('that is not logged in says what to do, and nothing is used', async () => {
      agents.be({ kind: 'logged-out' });
      const page = await stage.signedInAt('/models');
      await page.getByText('Claude Code 2.1.332').waitFor();
      await looksRight(page, 'found');
      await button(page, 'Use it (Claude Code)').click();
      await button(page, 'Agree and use').click();
      await page
        .getByRole('alert')
        .getByText(/not logged in/)
        .waitFor();
      await looksRight(page, 'logged-out');
      const { uses } = await stage.world.daemon.call(modelsState, {});
      expect(uses.every(({ server }) => server === null)).toBe(true);
    });

    test('is offered first where a question had no model', async () => {
      await stage.store('home', { lease: LEASE });
      const page = await stage.signedInAt('/ask?namespace=home');
      await page.getByText('No language model is used for questions.').waitFor();
      await page.getByText('Claude Code is on this machine').waitFor();
      await looksRight(page, 'ask');
      await button(page, 'Use it (Claude Code)').click();
      await button(page, 'Agree and use').click();
      await page.getByText('No language model is used').waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('ask-title');
    });

    test('sees a namespace as its owner says, which is undone by one press', async () => {
      await stage.store('home', { lease: LEASE });
      const namespaces = async () =>
        (await stage.world.daemon.call(listNamespaces, {})).namespaces.find(
          ({ namespace }) => namespace === 'home',
        )?.models ?? 'any';
      const page = await stage.signedInAt('/models');
      await page.getByText('Which namespaces models may see').click();
      const choice = page.getByLabel('Models may see home');
      await stopTime(page);
      await choice.selectOption('On this machine');
      await page.getByText('Only models on this machine may see home.').waitFor();
      await looksRight(page, 'namespaces');
      await expect.poll(namespaces).toBe('local');
      await button(page, 'Undo').click();
      await expect.poll(namespaces).toBe('any');
      await expect.poll(() => choice.inputValue()).toBe('any');

      await page.goto(`${stage.world.daemon.origin}/memories?namespace=home`);
      await page.setViewportSize({ width: 1440, height: 900 });
      await button(page, 'Menu').first().click();
      await page.getByRole('menuitem', { name: 'About home…' }).click();
      await stopTime(page);
      await choice.selectOption('None');
      await page.getByText('No model may see home.').waitFor();
      await expect.poll(namespaces).toBe('none');
      await button(page, 'Done').click();
      await button(page, 'Undo').click();
      await expect.poll(namespaces).toBe('any');
    });
  },
);
