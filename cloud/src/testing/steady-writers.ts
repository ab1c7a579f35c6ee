import { expect } from 'vitest';
import { connect, type Linked, pair, readAll } from './device.ts';
import { startWriter, type SteadyWriter } from './steady-writer.ts';

/** Whose room it is that writers write to. */
export interface WrittenRoom {
  first: Linked;
  room: string;
}

/** Devices of the room's owner that write until they are told to finish. */
export async function startWriters(
  origin: string,
  count: number,
  { first, room }: WrittenRoom,
): Promise<SteadyWriter[]> {
  const writers: SteadyWriter[] = [];
  for (let n = 0; n < count; n += 1) {
    const linked = await pair(origin, first, `writer ${n}`);
    writers.push(startWriter(origin, linked, { room, incarnation: `inc${n}` }));
  }
  return writers;
}

/** Waits until each was acknowledged some more. */
export async function more(writers: readonly SteadyWriter[], count: number): Promise<void> {
  const before = writers.map((writer) => writer.acknowledged.size);
  await expect
    .poll(() => writers.every((writer, n) => writer.acknowledged.size >= (before[n] ?? 0) + count))
    .toBe(true);
}

/** Ends the writers, and holds what they were told against the log: everything is there, at its place, once. */
export async function expectAllThere(
  origin: string,
  writers: readonly SteadyWriter[],
  { first, room }: WrittenRoom,
): Promise<void> {
  await Promise.all(writers.map((writer) => writer.finish()));
  const count = writers.reduce((sum, writer) => sum + writer.acknowledged.size, 0);
  expect(count).toBeGreaterThan(writers.length * 100);
  const reader = await connect(origin, first);
  await reader.next('welcome');
  const entries = await readAll(reader, room, count);
  reader.close();
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  const places = new Map(entries.map((one) => [`${one.device} ${one.incarnation} ${one.n}`, one.seq]));
  expect(places.size).toBe(entries.length);
  for (const { linked, incarnation, acknowledged, twice } of writers) {
    expect(twice).toEqual([]);
    for (const [n, seq] of acknowledged) expect(places.get(`${linked.device} ${incarnation} ${n}`)).toBe(seq);
  }
}
