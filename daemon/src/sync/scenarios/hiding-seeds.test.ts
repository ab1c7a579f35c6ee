import { hiddenKinds, listMemories } from '@reverie/shared/contract/memories/memories';
import { rebuildSync } from '@reverie/shared/contract/sync/sync';
import { randomOf } from '@reverie/shared/document/testing/simulation';
import { expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { proposeIn } from '../../features/dreams/testing.ts';
import { createRecorder } from '../../features/events/events.service.ts';
import { findMemory } from '../../features/memories/memories.store.ts';
import type { TestDaemon } from '../../testing.ts';
import { pause, startLinkedPair, together } from '../testing/linked-devices.ts';

const SEEDS = Number(process.env['REVERIE_HIDING_SEEDS'] ?? 2);
const KEYS = ['a', 'b', 'c', 'd', 'e'];
const namespace = 'n';

/** One that a test lets do whatever comes; what is refused is refused. */
function actor(device: TestDaemon, random: () => number) {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const accepted: string[] = [];
  const post = (path: string, body?: object) => device.ask({ method: 'POST', path: `/v1${path}`, body });
  const at = () => ({ key: pick(KEYS) ?? 'a', namespace });
  let said = 0;

  async function shown(): Promise<{ key: string; value: string }[]> {
    const { memories } = await device.call(listMemories, { body: { namespace, limit: 100 } });
    return memories.map(({ key, value = '' }) => ({ key, value }));
  }

  async function hide(): Promise<void> {
    const here = await shown();
    const [one, other] = [pick(here), pick(here)];
    if (!one || !other || one.key === other.key) return;
    const isArchive = random() < 0.2;
    const record = createRecorder({ clock: device.clock, written: () => undefined });
    const id = proposeIn(
      { ...device, find: findMemory, record },
      {
        strategy: 'refine',
        title: 'one',
        body: '',
        confidence: 0.9,
        content: `${random()}`,
        evidence: [one, other].map(({ key, value }) => ({ key, sentence: value })),
        change: isArchive
          ? { kind: 'archive', keys: [one.key] }
          : { kind: 'merge', keep: other.key, hide: [one.key] },
      },
    );
    const { status } = await post(`/memory/dream/insights/${id}/accept`);
    if (status === 200) accepted.push(id);
  }

  return async function act(): Promise<void> {
    device.clock.advance(1 + Math.floor(random() * 5000));
    const dice = random();
    if (dice < 0.3) await post('/memory-set', { ...at(), value: `It is ${(said += 1)} of ${device.host}.` });
    else if (dice < 0.65) await hide();
    else if (dice < 0.75) await post(`/memory/dream/insights/${pick(accepted) ?? 'none'}/undo`);
    else if (dice < 0.82) await post('/memory/trash', { items: [at()] });
    else if (dice < 0.88) await post('/memory/trash/restore', { items: [at()] });
    else if (dice < 0.92) await post('/memory-delete', at());
    else await post('/memory/rename', { ...at(), to: { key: at().key } });
  };
}

/** What a device shows, and what it hides, with why. */
async function seen(device: TestDaemon): Promise<unknown[]> {
  const list = { namespace, limit: 100, include: [...hiddenKinds] };
  const { memories } = await device.call(listMemories, { body: list });
  return memories
    .map(({ key, value, merged_into = '', archived_at = '' }) => [key, value, merged_into, archived_at])
    .sort(([a = ''], [b = '']) => a.localeCompare(b));
}

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'whatever two devices hide, show, write, rename, trash and delete at once, both end with the same (seed %i)',
  async (seed) => {
    const world = await startLinkedPair();
    const { a, b } = world;
    const random = randomOf(seed);
    const acts = [actor(a, random), actor(b, random)];
    let hidden = 0;
    for (let round = 0; round < 6; round += 1) {
      await Promise.all([pause(a, true), pause(b, true)]);
      for (let n = 0; n < 12; n += 1) await acts[random() < 0.5 ? 0 : 1]?.();
      await Promise.all([pause(a, false), pause(b, false)]);
      await together([a, b]);
      await vi.waitFor(async () => expect(await seen(b)).toEqual(await seen(a)), { timeout: seconds(20) });
      for (const device of [a, b]) {
        expect(await device.call(rebuildSync, {})).toMatchObject({ differed: 0 });
        expect(verifyDatabase(device.home.database).problems).toEqual([]);
      }
      hidden += (await seen(a)).filter(
        (one) => Array.isArray(one) && (one[2] !== '' || one[3] !== ''),
      ).length;
    }
    await world.stop();
    // Of worlds that hide nothing it would show nothing.
    expect(hidden).toBeGreaterThan(0);
  },
  seconds(120),
);
