import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { findModels } from '@reverie/shared/contract/system/models';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { startFakeOllama } from '../../models/testing/fake-ollama.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

/** Where sockets of this process were to lead, as address and port; names that were looked up stand among them. */
const tried = new Set<string>();
function watch(message: unknown): void {
  const { socket } = message as { socket: Socket };
  socket.on('connectionAttempt', (address, port) => tried.add(`${address} ${port}`));
  socket.on('lookup', (...looked: unknown[]) => tried.add(`name ${String(looked[3])}`));
}

let daemon: TestDaemon;
beforeEach(() => {
  tried.clear();
  diagnostics.subscribe('net.client.socket', watch);
});
afterEach(async () => {
  diagnostics.unsubscribe('net.client.socket', watch);
  await daemon.stop();
});

test('a daemon without a model connects to nothing, and finding models to the loopback alone', async () => {
  const ollama = await startFakeOllama();
  daemon = await startTestDaemon({
    env: { REVERIE_MODELS_PORTS: `${ollama.port},9`, OLLAMA_HOST: 'models.example.com:11434' },
  });
  const body = { key: 'lease', value: 'The lease of the office ends on 30 June 2027.' };
  await daemon.call(setMemory, { body });
  await daemon.call(askMemory, { body: { question: 'When does the lease end?' } });
  await daemon.call(searchMemories, { body: { query: 'lease' } });
  daemon.clock.advance(86_400_000);
  // Our own requests are in this process, too.
  expect([...tried]).toEqual([daemon.host.replace(':', ' ')]);
  await daemon.call(findModels, {});
  expect([...tried].slice(1).sort()).toEqual([`127.0.0.1 ${ollama.port}`, '127.0.0.1 9'].sort());
  await ollama.stop();
});
