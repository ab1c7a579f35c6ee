import { expect, test } from 'vitest';
import { isWithoutOurs } from './files.ts';

const json = (value: object) => JSON.stringify(value);
const HOOK = { hooks: [{ type: 'command', command: "node '/opt/bin/reverie.cjs' hook start" }] };
const OWN = { startups: 3, hooks: { SessionStart: [{ hooks: [{ command: 'mine' }] }] } };
const WITH_OURS = {
  startups: 3,
  hooks: { SessionStart: [{ hooks: [{ command: 'mine' }] }, HOOK], SessionEnd: [HOOK] },
  mcpServers: { reverie: { command: 'node', args: ['/opt/bin/reverie.cjs', 'mcp'] } },
};

test.each([
  ['exactly ours is out', OWN, true],
  ['an empty table is left', { ...OWN, mcpServers: {} }, true],
  ['the server is left', { ...OWN, mcpServers: WITH_OURS.mcpServers }, false],
  ['a hook is left', { ...OWN, hooks: WITH_OURS.hooks }, false],
  ['something of the agent is gone', { hooks: OWN.hooks }, false],
])('JSON: %s', (_, left, isSo) => {
  expect(isWithoutOurs('settings.json', [json(WITH_OURS), json(left)])).toBe(isSo);
});

test('TOML is read, too', () => {
  const own = 'model = "a"\n';
  const ours = '[mcp_servers.reverie]\ncommand = "node"\nargs = ["/opt/bin/reverie.cjs", "mcp"]\n';
  expect(isWithoutOurs('config.toml', [own + ours, own])).toBe(true);
  expect(isWithoutOurs('config.toml', [own + ours, own + ours])).toBe(false);
});
