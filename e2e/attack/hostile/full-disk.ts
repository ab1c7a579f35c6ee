import fs from 'node:fs';
import path from 'node:path';
import { ApiError } from '@reverie/shared/client';
import { getMemory, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { createBackup, health } from '@reverie/shared/contract/system/system';
import { canMount, createSmallDisks } from '@reverie/shared/testing/small-disk';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import { type Row, textWith } from './row.ts';

/** How much is left free on the disk when the daemon starts again. */
const FREE = [0, 8_192, 65_536, 262_144];

/** After a crash on a full disk the daemon starts, serves what is read, refuses what is written with 507, and goes on once there is space. */
export const fullDisk: Row = {
  name: 'row 3: a full disk',
  async run({ section, grounds }) {
    if (!canMount()) return section.skipped('this machine lets nobody mount a small disk');
    const disks = createSmallDisks();
    const folder = path.join(grounds.folder, 'small-disk');
    disks.mount(folder, '32m');
    try {
      const daemon = await grounds.daemon('small-disk');
      for (let n = 0; n < 8; n += 1)
        await daemon.call(storeBatch, {
          body: {
            items: Array.from({ length: 20 }, (_, k) => ({
              key: `${n} ${k}`,
              value: textWith('nothing', 8000),
            })),
          },
        });
      await daemon.call(setMemory, { body: { key: 'kept', value: 'was answered' } });
      for (const free of FREE) await crashOn(section, daemon, { disks, folder, free });
    } finally {
      disks.unmountAll();
    }
  },
};

/** What a request failed of. */
const failureOf = (cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause)));

interface Disk {
  disks: ReturnType<typeof createSmallDisks>;
  folder: string;
  free: number;
}

async function crashOn(
  section: Section,
  daemon: AttackedDaemon,
  { disks, folder, free }: Disk,
): Promise<void> {
  const release = disks.fill(folder);
  await daemon.kill();
  section.did('kills');
  const ballast = path.join(folder, fs.readdirSync(folder).find((name) => name.startsWith('ballast')) ?? '');
  fs.truncateSync(ballast, Math.max(0, fs.statSync(ballast).size - free));
  const at = `with ${free} bytes free`;
  try {
    await daemon.start();
  } catch (cause) {
    section.found('lost', `${at} the daemon does not start: ${(cause as Error).message.slice(0, 200)}`);
    release();
    await daemon.start();
    return;
  }
  const read = await daemon.call(getMemory, { body: { key: 'kept' } }).catch(failureOf);
  if (read instanceof Error) section.found('lost', `${at} a memory is not read: ${read.message}`);
  const { status, body } = await untilFull(daemon);
  if (status !== 507)
    section.found(status >= 500 ? 'failed' : 'wrong', `${at} a write is answered ${status}: ${body}`);
  const backup = await daemon.call(createBackup, { body: {} }).catch(failureOf);
  if (backup instanceof ApiError && backup.status !== 507)
    section.found('failed', `${at} a backup is answered ${backup.status}`);
  const drafts = fs.existsSync(daemon.home.backups)
    ? fs.readdirSync(daemon.home.backups).filter((name) => name.includes('.draft'))
    : [];
  if (drafts.length > 0) section.found('readable', `${at} a backup that failed leaves its draft`);
  const said = await daemon.call(health, {}).catch(failureOf);
  if (said instanceof Error) section.found('wrong', `${at} /healthz fails: ${said.message}`);
  else if (!/full|space|disk/i.test(JSON.stringify(said)))
    section.found('wrong', `${at} /healthz says nothing of the disk`);
  release();
  fs.rmSync(daemon.home.backups, { recursive: true, force: true });
  const goesOn = await eventually(
    async () => {
      const answer = await daemon
        .call(setMemory, { body: { key: 'after', value: 'there is space again' } })
        .catch(failureOf);
      return answer instanceof Error ? undefined : true;
    },
    { withinMs: 60_000, everyMs: 500 },
  );
  if (!goesOn) section.found('lost', `${at} it does not go on by itself within a minute once there is space`);
}

/** Writes until the disk takes no more. */
async function untilFull({ call }: AttackedDaemon): Promise<{ status: number; body: string }> {
  for (let n = 0; n < 200; n += 1)
    try {
      await call(setMemory, { body: { key: `fill ${n}`, value: textWith('nothing', 60_000) } });
    } catch (cause) {
      if (cause instanceof ApiError) return { status: cause.status, body: cause.message };
      throw cause;
    }
  return { status: 200, body: 'the disk never filled' };
}
