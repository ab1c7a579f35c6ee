import { botSignup, getMail, listAccounts, listOutbox } from '@reverie/shared/contract/accounts/accounts';
import { createClient } from '@reverie/shared/client';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose } from '../pages/memories.ts';
import { stopTime } from '../pages/time.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('accounts in the page', () => {
  const stage = setStage();
  const signUp = async (email: string) => {
    const { api_key } = await stage.world.daemon.call(botSignup, { body: { email } });
    return createClient({ origin: stage.world.daemon.origin, key: () => api_key });
  };

  test('an agent signs up; the owner sees it, its quotas and its mail, looks into it, and adopts a memory', async () => {
    const agent = await signUp('ada@example.org');
    await agent(setMemory, { body: { key: 'port', value: 'the agent says 5432' } });
    await agent(setMemory, { body: { key: 'only-theirs', value: 'kept by the agent' } });
    await stage.store('default', { port: 'I say 5433' });

    const page = await stage.signedInAt('/');
    await choose(page, 'Accounts');
    const accounts = page.getByRole('list', { name: 'Accounts' });
    await accounts.getByRole('button', { name: /ada@example\.org/ }).click();
    await page.getByRole('meter', { name: 'Memories stored this month' }).waitFor();
    await page.getByText('2 of 100').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await button(page, 'Look into it').click();
    await page.getByRole('list', { name: 'Its memories' }).getByText('the agent says 5432').waitFor();

    await button(page, 'Adopt its memories…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 memory will be copied').waitFor();
    await dialog.getByText('port in default: left out').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await stopTime(page);
    await dialog.getByRole('button', { name: 'Adopt', exact: true }).click();
    await page.getByText('1 memory was adopted.').waitFor();
    const own = (key: string) => stage.world.daemon.call(getMemory, { body: { key, namespace: 'default' } });
    expect((await own('only-theirs')).value).toBe('kept by the agent');
    expect((await own('port')).value).toBe('I say 5433');
  });

  test('an account without memories says why nothing can be adopted', async () => {
    await signUp('empty@example.org');
    const page = await stage.signedInAt('/accounts');
    await page
      .getByRole('list', { name: 'Accounts' })
      .getByRole('button', { name: /empty@example\.org/ })
      .click();
    const adopt = button(page, 'Adopt its memories…');
    await page.getByText('It holds no memories that could be adopted.').waitFor();
    expect(await adopt.isDisabled()).toBe(true);
    const why = (await adopt.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${why}"]`).innerText()).toContain('no memories');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the link of a mail that nobody sent confirms the account, by a button only', async () => {
    await signUp('grace@example.org');
    const page = await stage.signedInAt('/accounts');
    await page
      .getByRole('list', { name: 'E-mails' })
      .getByRole('button', { name: /grace@example\.org/ })
      .click();
    await page.getByRole('heading', { name: 'The link that it is for' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const { mails } = await stage.world.daemon.call(listOutbox, {});
    const id = mails.find(({ to }) => to === 'grace@example.org')?.id ?? '';
    const { link } = await stage.world.daemon.call(getMail, { params: { id } });
    const status = async () =>
      (await stage.world.daemon.call(listAccounts, {})).accounts.find(
        ({ email }) => email === 'grace@example.org',
      )?.status;

    const reader = await stage.visit({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await reader.goto(link ?? '');
    await reader.getByRole('button', { name: /confirm/i }).waitFor();
    expect(await status()).toBe('provisional');
    expect(await pageWidth(reader)).toBe(360);
    expect(await axeFindings(reader)).toEqual([]);
    await reader.getByRole('button', { name: /confirm/i }).click();
    await expect.poll(status).toBe('confirmed');
  });

  test('a tier can be set and taken back; an account can be deleted; it all fits a narrow window', async () => {
    await signUp('narrow@example.org');
    const page = await stage.signedInAt('/accounts', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await page
      .getByRole('list', { name: 'Accounts' })
      .getByRole('button', { name: /narrow@example\.org/ })
      .click();
    const tier = page.getByRole('combobox', { name: 'Tier' });
    await stopTime(page);
    await tier.selectOption('pro');
    await page.getByText('The tier is pro now.').waitFor();
    await button(page, 'Undo').click();
    await expect.poll(() => tier.inputValue()).toBe('free');
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Delete…').click();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The account is deleted.').waitFor();
    const { accounts } = await stage.world.daemon.call(listAccounts, {});
    expect(accounts.filter(({ email }) => email === 'narrow@example.org')).toEqual([]);
  });
});
