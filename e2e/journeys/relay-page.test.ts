import fs from 'node:fs';
import path from 'node:path';
import { linkDevice, syncStatus } from '@reverie/shared/contract/sync/sync';
import { seconds } from '@reverie/shared/testing/patience';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cases } from '@reverie/shared/testing/depth';
import { type RelayProcess, spawnRelay, temporaryHome } from '../../cloud/src/testing/process.ts';
import { hasBrowser } from '../chromium.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';

// Told in order: the last one moves the relay that the others look at.
describe.skipIf(!hasBrowser)(
  'a relay that is another one, that moved, and an account whose devices are lost, in the page',
  { shuffle: false },
  () => {
    const stage = setStage();
    const [own, emptied] = [temporaryHome(), temporaryHome()];
    let port: string;
    let relay: RelayProcess;

    const start = async (home: string) => {
      relay = spawnRelay(home, { RELAY_LOG_LEVEL: 'warn', RELAY_PORT: port });
      return relay.ready;
    };
    const end = async () => {
      relay.child.kill('SIGTERM');
      await relay.ended;
    };
    const state = async () => (await stage.world.daemon.call(syncStatus, {})).error?.code;

    const told = (isSo: () => Promise<boolean>) =>
      vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: seconds(60), interval: 50 });

    beforeAll(async () => {
      port = String(await steadyPort());
      const origin = await start(own.home);
      await stage.store('diary', { note: 'mine' });
      await stage.world.daemon.call(linkDevice, { body: { relay: origin, email: 'ada@example.org' } });
      await told(async () => (await stage.world.daemon.call(syncStatus, {})).state === 'live');
      await end();
      await start(emptied.home);
      await told(async () => (await state()) === 'another_relay');
    });
    afterAll(async () => {
      await end();
      own.remove();
      emptied.remove();
    });

    test.each(
      cases([
        ['wide and light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
        ['narrow and dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
      ] as const),
    )('another relay is told of, with what can be done: %s', async (_look, options) => {
      const page = await stage.signedInAt('/sync', options);
      await page.getByText('other relay', { exact: true }).waitFor();
      await page.getByText('Another relay, or an emptied one, answers').waitFor();
      expect(await pageWidth(page)).toBe(options.viewport.width);
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Relay moved…' }).click();
      await page.getByLabel('New address of the relay').fill(`http://localhost:${port}`);
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('Nothing was changed: Another relay').waitFor();
      expect(await pageWidth(page)).toBe(options.viewport.width);
    });

    test('the same relay at another address goes on, and a lost account is entered by the code of its mail', async () => {
      await end();
      port = String(await steadyPort());
      const moved = await start(own.home);
      const page = await stage.signedInAt('/sync', { viewport: { width: 390, height: 844 } });
      await page.getByRole('button', { name: 'Relay moved…' }).click();
      await page.getByLabel('New address of the relay').fill(moved);
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('It is the same relay: nothing is sent again.').waitFor();
      await page.getByText('in sync', { exact: true }).waitFor();

      const outbox = path.join(own.home, 'outbox');
      const mails = () =>
        fs
          .readdirSync(outbox)
          .map((name) =>
            fs.readFileSync(path.join(outbox, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='),
          )
          .join('\n');
      const token = /token=([\w-]+)/.exec(mails())?.[1];
      await fetch(`${moved}/v1/auth/confirm`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      });
      await page.getByRole('button', { name: 'Unlink…' }).click();
      await page.getByRole('button', { name: 'Unlink', exact: true }).click();
      await page.getByLabel('Address of the relay').fill(moved);
      await page.getByLabel('This is').selectOption('recover');
      await page.getByLabel('E-mail address').fill('ada@example.org');
      await page.getByRole('button', { name: 'Send a code' }).click();
      await page.getByLabel('Code of the mail').waitFor();
      await page.getByText('you trust whoever answers at its address').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await pageWidth(page)).toBe(390);
      await page.getByLabel('Code of the mail').fill('AAAA-AAAA-AAAA');
      await page.getByRole('button', { name: 'Link', exact: true }).click();
      await page.getByText('It was not linked: The code is wrong').waitFor();
      await page.getByLabel('Code of the mail').fill(/^ {4}([0-9A-Z-]{14})/m.exec(mails())?.[1] ?? '');
      await page.getByRole('button', { name: 'Link', exact: true }).click();
      await page.getByText('in sync', { exact: true }).waitFor();
      expect(await stage.count('diary')).toBe(1);
    });
  },
);
