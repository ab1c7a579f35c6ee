import vm from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, openRoom, signUp } from '../testing/device.ts';
import { startRelay, type TestRelay } from '../testing/relay.ts';

let relay: TestRelay;
let invite: URL;
beforeEach(async () => {
  relay = await startRelay();
  const owner = await signUp(relay.origin, 'a@example.org');
  const room = await openRoom(relay.origin, owner, 'team');
  const path = `/rooms/${room}/invites`;
  const { body } = await call(relay.origin, {
    method: 'POST',
    path,
    key: owner.key,
    body: { role: 'viewer' },
  });
  invite = new URL(String(body['invite']));
});
afterEach(() => relay.stop());

interface Shown {
  hidden?: boolean;
  textContent: string;
}

/** What the script of the page makes of an address. */
async function opened(address: URL): Promise<Record<'command' | 'whole' | 'cut', Shown>> {
  const page = await (await fetch(address)).text();
  const script = /<script>([^]*)<\/script>/.exec(page)?.[1] ?? '';
  expect(script).not.toBe('');
  const parts = new Map<string, Shown>();
  const part = (id: string) => {
    const found = parts.get(id) ?? { textContent: '', addEventListener: () => undefined };
    parts.set(id, found);
    return found;
  };
  vm.runInNewContext(script, {
    location: address,
    navigator: {},
    document: { getElementById: part },
  });
  return { command: part('command'), whole: part('whole'), cut: part('cut') };
}

test('the command holds the whole link', async () => {
  const { command, whole, cut } = await opened(invite);
  expect(command.textContent).toBe(`reverie join "${invite.href}"`);
  expect([whole.hidden, cut.hidden]).toEqual([false, true]);
});

test('a link that would run something in the shell where its command is pasted gives no command', async () => {
  for (const tail of ['#$(touch${IFS}/tmp/x)', '#a;reboot', "#'", '#`id`', '']) {
    const { command, whole, cut } = await opened(new URL(invite.href.replace(/#.*$/, tail)));
    expect(command.textContent).toBe('');
    expect([whole.hidden, cut.hidden]).toEqual([true, false]);
  }
  const { command } = await opened(new URL(invite.href.replace('#', '?$(id)#')));
  expect(command.textContent).toBe(`reverie join "${invite.href}"`);
});
