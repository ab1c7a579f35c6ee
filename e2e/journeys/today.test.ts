import { listInsights } from '@reverie/shared/contract/dreams/dreams';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { propose } from '../pages/dreams.ts';
import { button, detail } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const DAY_MS = 86_400_000;

describe.skipIf(!hasBrowser)('today', () => {
  const stage = setStage();

  test('a thought is kept by Enter alone, opened, and taken back', async () => {
    await stage.store('home', { boiler: 'The boiler is serviced in May.' });
    const page = await stage.signedInAt('/?namespace=home');
    await page.getByRole('textbox', { name: 'A thought' }).fill('The spare key hangs behind the boiler');
    await page.keyboard.press('Enter');
    await page.getByText('Kept in default as').waitFor();
    expect(await stage.stored('default', 'the-spare-key-hangs-behind-the')).toMatchObject({
      value: 'The spare key hangs behind the boiler',
    });
    // The same words again are another memory: nothing is written over.
    await page
      .getByRole('textbox', { name: 'A thought' })
      .fill('The spare key hangs behind the boiler, no more');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'the-spare-key-hangs-behind-the-2' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Take back').click();
    await page.getByText('to the trash').waitFor();
    await expect.poll(() => stage.count('default')).toBe(1);
    await page.reload();
    await button(page, 'Menu').waitFor();
    await page.goto(`${stage.world.daemon.origin}/?namespace=default&key=the-spare-key-hangs-behind-the`);
    // An address of before there was a Today.
    await page.waitForURL(/\/memories\?/);
    await detail(page, 'the-spare-key-hangs-behind-the').waitFor();
  });

  test('it names what comes up, what is to be decided and what is unread, in every shape', async () => {
    const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    const tls = `The TLS certificate of api.example.test expires on ${day(5)}.`;
    const permit = `The parking permit is renewed before ${day(-2)}.`;
    await stage.store('work', {
      tls: `${tls} Renew it before that.`,
      permit,
      'payments-1': 'The payments API listens on port 8443.',
      'payments-2': 'The payments API listens on port 9443.',
    });
    await stage.world.daemon.call(sendMessage, {
      params: { namespace: 'work' },
      body: { from: 'Grace', kind: 'note', payload: { text: 'Halden asked again.' } },
    });
    await propose(stage, 'work', [
      {
        kind: 'due',
        title: 'The TLS certificate expires',
        why: '',
        due_on: day(5),
        evidence: [{ key: 'tls', quote: tls }],
      },
      { kind: 'due', title: permit, why: '', due_on: day(-2), evidence: [{ key: 'permit', quote: permit }] },
      {
        kind: 'disagree',
        title: 'The payments API: port 8443 or 9443?',
        why: 'They name two ports.',
        evidence: [
          { key: 'payments-1', quote: 'The payments API listens on port 8443.' },
          { key: 'payments-2', quote: 'The payments API listens on port 9443.' },
        ],
      },
    ]);
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const page = await stage.signedInAt('/', { viewport: { width, height: 900 }, colorScheme });
      // What comes up is no decision, and is not counted.
      await page
        .getByRole('heading', { level: 1, name: /One thing to decide, one is due within a week\.$/ })
        .waitFor();
      expect(await page.title()).toBe('(1) Today · Reverie');
      const part = (name: string) => page.getByRole('region', { name });
      await part('Coming up').getByText('In 5 days').waitFor();
      await part('Coming up').getByText('Overdue, 2 days ago').waitFor();
      await part('To decide').getByText('These two disagree').waitFor();
      await part('Unread').getByText('1 message').waitFor();
      await part('Since yesterday')
        .getByText(/wrote \w+ memories/)
        .first()
        .waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await pageWidth(page)).toBe(width);
    }
    const page = await stage.signedInAt('/');
    const views = page.getByRole('navigation', { name: 'Views' });
    // What waits in the inbox and on the desk is one number.
    const { waiting } = await stage.world.daemon.call(listInsights, { query: { limit: 1 } });
    await views.getByRole('link', { name: `Review ${waiting + 1} waiting` }).waitFor();
    // From a day of the calendar one reads its note, and keeps or dismisses it in place.
    const days = page.getByRole('list', { name: 'Days' });
    await days.getByRole('button', { name: /TLS/ }).click();
    await days.getByText('expires on').waitFor();
    expect(await days.getByRole('link', { name: 'tls' }).getAttribute('href')).toContain('key=tls');
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Not due').click();
    await page.getByText('Rejected: it will not be proposed again.').waitFor();
    await expect.poll(() => days.getByRole('listitem').count()).toBe(1);
    await page.getByRole('region', { name: 'To decide' }).getByRole('link', { name: /8443/ }).click();
    await page.waitForURL(/\/dreams\?.*insight=/);
  });
});
