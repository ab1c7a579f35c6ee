import os from 'node:os';
import { signUpBot, unbound } from '../fuzz/furnish.ts';
import { send } from '../sending.ts';
import type { Row } from './row.ts';

/** Names and addresses of this machine, of private networks, and of nobody. */
const NAMES = [
  'localhost',
  'localhost.',
  os.hostname(),
  'nobody.invalid',
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '[::1]',
  '0.0.0.0',
  '2130706433',
];

/** Registering a webhook tells no agent what a name leads to: all that is refused is refused in the same words. */
export const webhookNames: Row = {
  name: 'row 9: names of webhooks',
  async run({ section, grounds }) {
    const daemon = await grounds.daemon('names');
    const bot = await unbound(daemon, await signUpBot(daemon, 'names@example.org'));
    const said = new Map<string, string>();
    for (const name of NAMES) {
      const url = `http://${name}:8/hook`;
      const { status, text } = await send(daemon.origin, {
        method: 'POST',
        path: '/v1/webhooks/register',
        headers: { Authorization: `Bearer ${bot.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url, events: ['*'], secret: 'a secret of the bot' }),
      });
      section.did('requests');
      if (status >= 500) section.found('failed', `registering ${url} answered ${status}`);
      const { detail = '', errors } = JSON.parse(text) as { detail?: string; errors?: unknown };
      const words = `${status} ${detail} ${JSON.stringify(errors ?? [])}`
        .replaceAll(url, 'URL')
        .replaceAll(name, 'NAME');
      said.set(words, [said.get(words), name].filter((one) => one !== undefined).join(', '));
    }
    if (said.size > 1)
      section.found(
        'wrong',
        `names are refused in ${said.size} ways: ${[...said].map(([words, names]) => `${names}: ${words}`).join(' / ')}`,
      );
  },
};
