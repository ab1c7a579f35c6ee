import fs from 'node:fs';
import path from 'node:path';
import { listMessages } from '@reverie/shared/contract/inbox';
import { setMemory } from '@reverie/shared/contract/memories';
import { seconds } from '@reverie/shared/testing/patience';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../../testing.ts';

const AT = path.join(import.meta.dirname, '../../../..');

interface Hooks {
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  'chat.message'(input: { sessionID: string }, output: { parts: object[] }): Promise<void>;
  'experimental.chat.system.transform'(
    input: { sessionID: string },
    output: { system: string[] },
  ): Promise<void>;
}
interface Plugin {
  Reverie: (input: { directory: string }) => Promise<Hooks>;
}

let daemon: TestDaemon;
let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  folder = temporaryFolder();
  const program = path.join(folder.folder, 'reverie');
  fs.writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${AT}/bin/reverie.cjs" "$@"\n`, {
    mode: 0o700,
  });
  vi.stubEnv('PATH', `${folder.folder}${path.delimiter}${process.env['PATH'] ?? ''}`);
  vi.stubEnv('REVERIE_HOME', daemon.home.folder);
  await daemon.call(setMemory, { body: { key: 'passport', value: 'The passport of Ada expires in 2031.' } });
  await daemon.call(setMemory, {
    body: { key: 'gate', value: 'The gate code of the garden is behind the boiler.' },
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await daemon.stop();
  folder.remove();
});

const load = async () => (await import(path.join(AT, 'data/agents/opencode-plugin.js'))) as Plugin;
const turn = async (hooks: Hooks, text: string): Promise<string> => {
  await hooks['chat.message']({ sessionID: 's1' }, { parts: [{ type: 'text', text }] });
  const output = { system: [] };
  await hooks['experimental.chat.system.transform']({ sessionID: 's1' }, output);
  return output.system.join('\n');
};

test.skipIf(process.platform === 'win32')(
  'the plugin of opencode tells the brief with each request, and proposes at the end of a turn',
  async () => {
    const hooks = await (await load()).Reverie({ directory: folder.folder });
    // A hook gives up after a second, which a busy machine needs for its start: the next prompt asks again, as the next end proposes again.
    await vi.waitFor(
      async () =>
        expect(await turn(hooks, 'From now on we write dates as year, month, day.')).toContain('[passport]'),
      seconds(2),
    );
    expect(await turn(hooks, 'thanks')).toContain('[passport]');
    await vi.waitFor(async () => {
      await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's1' } } });
      const { messages } = await daemon.call(listMessages, { params: { namespace: 'default' }, query: {} });
      expect(messages).toMatchObject([
        {
          from: 'opencode',
          kind: 'memory.proposal',
          payload: { value: expect.stringContaining('From now on') as string },
        },
      ]);
    }, seconds(2));
  },
  seconds(6),
);

test.skipIf(process.platform === 'win32')('without Reverie the plugin does nothing', async () => {
  vi.stubEnv('REVERIE_HOME', path.join(folder.folder, 'none'));
  const hooks = await (await load()).Reverie({ directory: folder.folder });
  expect(await turn(hooks, 'when does the passport of Ada expire')).toBe('');
});
