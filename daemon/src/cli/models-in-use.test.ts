import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type FakeOllama, startFakeOllama } from '../models/testing/fake-ollama.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { has, like, run } from './fake-terminal.ts';

// Goes to daemon/src/cli/models-in-use.test.ts once `finding` and `using` are merged: the CLI against the real daemon.

let ollama: FakeOllama;
let daemon: TestDaemon;

const Schema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
/** The smallest value that keeps to a schema: a model that says nothing, in the right form. */
function least(given: unknown): unknown {
  const { type, enum: values, properties = {} } = Schema.parse(given ?? {});
  if (values) return values[0];
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'string') return '';
  if (type === 'number' || type === 'integer') return 0;
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, least(field)]));
}

beforeEach(async () => {
  ollama = await startFakeOllama({
    library: [{ name: 'tiny:1b', layers: [3000, 400], context: 4096, capabilities: ['completion'] }],
    talk: ({ schema }) => ({ text: JSON.stringify(least(schema)) }),
  });
  daemon = await startTestDaemon({ env: { REVERIE_MODELS_PORTS: String(ollama.port) } });
});
afterEach(async () => {
  await daemon.stop();
  await ollama.stop();
});
const reverie = (...args: string[]) => run({ home: daemon.home.folder }, 'models', ...args);

test('from no model to one in use and back', async () => {
  expect(await reverie()).toMatchObject({ code: 0, err: has('has no models') });
  expect(await reverie('get', 'tiny:1b')).toMatchObject({ code: 0, out: has('Ollama has tiny:1b now') });
  expect(await reverie('use', 'tiny:1b', '--yes')).toMatchObject({ code: 0, out: has('not for use') });
  expect(await reverie()).toMatchObject({ out: like(/^Ask: +tiny:1b at /m) });
  expect(await reverie('off')).toMatchObject({ code: 0, out: like(/^Ask: +no model/m) });
});
