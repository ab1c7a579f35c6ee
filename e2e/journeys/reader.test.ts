import { listMemories } from '@reverie/shared/contract/memories/memories';
import { describe, expect, test } from 'vitest';
import { openMemory, rows } from '../pages/memories.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('what one reads', () => {
  const stage = setStage();

  test.each([
    { locale: 'de-DE', english: 'en-GB', timezoneId: 'Europe/Berlin' },
    { locale: 'de-DE', english: 'en-GB', timezoneId: 'America/Los_Angeles' },
    { locale: 'en-US', english: 'en-US', timezoneId: 'America/New_York' },
    { locale: 'en-GB', english: 'en-GB', timezoneId: 'Asia/Kolkata' },
  ])(
    'is English of the region and the zone of the reader: $locale, $timezoneId',
    async ({ locale, english, timezoneId }) => {
      await stage.store('times', { one: 'Something with a time' });
      const { memories } = await stage.world.daemon.call(listMemories, { body: { namespace: 'times' } });
      const at = new Date(memories[0]?.updated_at ?? '');
      const page = await stage.signedIn('times', { locale, timezoneId });
      await rows(page, 'Something with a time').waitFor();
      const time = rows(page, 'Something with a time').locator('time');
      const inZone = (style: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(english, { ...style, timeZone: timezoneId }).format(at);
      await expect.poll(() => time.innerText()).toBe(inZone({ timeStyle: 'short' }));
      expect(await time.getAttribute('title')).toBe(inZone({ dateStyle: 'medium', timeStyle: 'medium' }));
      expect(await time.getAttribute('lang')).toBe(english);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      await openMemory(page, 'one');
      await page
        .getByText(/^(?:just now|\d+ \w+ ago)$/)
        .first()
        .waitFor();
    },
  );

  test('on paper stands the note with its name, and nothing else', async () => {
    await stage.store('paper', { tea: '# How tea is made\n\nThe water has 80 degrees.', milk: 'Oat milk.' });
    const page = await stage.signedIn('paper');
    await openMemory(page, 'tea');
    await page.getByRole('region', { name: 'Text' }).locator('[data-print]').waitFor();
    await page.emulateMedia({ media: 'print' });
    const printed = (await page.locator('body').innerText()).replaceAll(/\s+/gu, ' ').trim();
    expect(printed).toBe('How tea is made The water has 80 degrees.');
  });
});
