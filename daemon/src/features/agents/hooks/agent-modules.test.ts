import fs from 'node:fs';
import path from 'node:path';
import { listMessages } from '@reverie/shared/contract/events/inbox';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { seconds } from '@reverie/shared/testing/patience';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../../testing.ts';

const AT = path.join(import.meta.dirname, '../../../..');
const MODULES = path.join(AT, '../shared/agent-connect/modules');

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
  await daemon.call(setMemory, { body: { key: 'passport', value: 'The passport of Ada expires in 2031.' } });
  await daemon.call(setMemory, {
    body: { key: 'gate', value: 'The gate code of the garden is behind the boiler.' },
  });
});
beforeEach(() => void vi.stubEnv('REVERIE_HOME', daemon.home.folder));
afterAll(async () => {
  vi.unstubAllEnvs();
  await daemon.stop();
  folder.remove();
});

const load = async () => (await import(path.join(MODULES, 'opencode-plugin.js'))) as Plugin;
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
      expect(messages.filter(({ from }) => from === 'opencode')).toMatchObject([
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

/** What pi's extension told with a prompt of a session, as pi calls it. */
async function loadPi(session: string) {
  const handlers = new Map<string, (event: object, context: object) => unknown>();
  const { default: extension } = (await import(path.join(MODULES, 'pi-extension.js'))) as {
    default: (pi: { on(name: string, handler: (event: object, context: object) => unknown): void }) => void;
  };
  extension({ on: (name, handler) => void handlers.set(name, handler) });
  const context = { cwd: folder.folder, sessionManager: { getSessionId: () => session } };
  const call = (name: string, event: object) => handlers.get(name)?.(event, context);
  return {
    call,
    prompt: async (prompt: string) => {
      const told = (await call('before_agent_start', { messageType: 'user', prompt })) as
        { message: { content: string; display: boolean } } | undefined;
      return told?.message.content ?? '';
    },
  };
}

test.skipIf(process.platform === 'win32')(
  'the extension of pi tells the brief once, again after compaction, and proposes at the end',
  async () => {
    const { call, prompt } = await loadPi('pi-1');
    await call('session_start', { reason: 'startup' });
    // As above: one that was late is asked for again.
    await vi.waitFor(
      async () => expect(await prompt('From now on we sign every letter by hand.')).toContain('[passport]'),
      seconds(2),
    );
    expect(await prompt('thanks')).toBe('');
    await call('session_compact', { reason: 'manual' });
    await vi.waitFor(async () => expect(await prompt('thanks')).toContain('[passport]'), seconds(2));
    await vi.waitFor(async () => {
      await call('session_shutdown', { reason: 'quit' });
      const { messages } = await daemon.call(listMessages, { params: { namespace: 'default' }, query: {} });
      expect(messages.filter(({ from }) => from === 'pi')).toMatchObject([{ kind: 'memory.proposal' }]);
    }, seconds(2));
  },
  seconds(6),
);

test.skipIf(process.platform === 'win32')('without Reverie the modules do nothing', async () => {
  vi.stubEnv('REVERIE_HOME', path.join(folder.folder, 'none'));
  const hooks = await (await load()).Reverie({ directory: folder.folder });
  expect(await turn(hooks, 'when does the passport of Ada expire')).toBe('');
  expect(await (await loadPi('pi-2')).prompt('when does the passport of Ada expire')).toBe('');
});
