import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createThread, type Thread, ThreadEnded } from './thread.ts';

const workers: Worker[] = [];
function started(idle?: number): Thread<string, number, string> {
  return createThread({
    begin() {
      const worker = new Worker(new URL('./testing/echo-thread.ts', import.meta.url));
      workers.push(worker);
      return worker;
    },
    ended: 'the echo ended',
    idle,
  });
}
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

test('questions are answered in their order, and each hears what is said before its own answer', async () => {
  const thread = started();
  expect(workers).toHaveLength(0);
  const heard: string[] = [];
  const asked = ['a b c', 'd'].map(async (text, at) => {
    const count = await thread.ask(text, { hear: (word) => heard.push(`${at}${word}`) });
    heard.push(`${at}=${count}`);
  });
  await Promise.all(asked);
  expect(heard).toEqual(['0a', '0b', '0c', '0=3', '1d', '1=1']);
  expect(workers).toHaveLength(1);
});

test.each([
  ['end', 'the echo ended'],
  ['break', 'broken'],
])('all who wait hear of a thread that meets %s, and the next question begins another', async (text, why) => {
  const thread = started();
  // What it answered and nobody had heard is lost with it.
  expect(await thread.ask('a b')).toBe(2);
  for (const each of await Promise.allSettled([thread.ask(text), thread.ask('a')]))
    expect(each).toMatchObject({ status: 'rejected', reason: { message: why } });
  expect(await thread.ask('a')).toBe(1);
  expect(workers).toHaveLength(2);
});

test('one that is ended in the middle lets nobody wait, and what it may still say is not heard', async () => {
  const thread = started();
  const hung = thread.ask('hang');
  thread.rest();
  await expect(hung).rejects.toThrow(ThreadEnded);
  expect(await thread.ask('a b')).toBe(2);
});

test('a thread without questions ends after a while, and one that is asked does not', async () => {
  const thread = started(1);
  const ended = vi.fn();
  await thread.ask('a');
  workers[0]?.on('exit', ended);
  await vi.waitFor(() => expect(ended).toHaveBeenCalled());
  // Its words take many times as long.
  expect(await thread.ask('a '.repeat(500))).toBe(501);
  expect(workers).toHaveLength(2);
});
