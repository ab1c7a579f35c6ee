import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { startRecordedModel } from './recorded-model.ts';

const asked = (baseUrl: string, content: string) =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'x',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content },
      ],
    }),
  }).then(async (response) => {
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    return choices[0]?.message.content;
  });

test('what is pending can be answered, and is replayed from then on', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-recorded-'));
  onTestFinished(() => fs.rmSync(home, { recursive: true }));
  const file = path.join(home, 'replies.jsonl');
  const first = await startRecordedModel({ file, otherwise: (prompt) => `nothing on ${prompt}` });
  expect(await asked(first.baseUrl, 'Where?')).toBe('nothing on Where?');
  const [line] = first.pending();
  await first.stop();
  const { id, system, prompt } = JSON.parse(line ?? '') as Record<string, string>;
  expect({ system, prompt }).toEqual({ system: 'S', prompt: 'Where?' });

  fs.writeFileSync(file, `${JSON.stringify({ id, reply: 'Here' })}\n`);
  const second = await startRecordedModel({ file, otherwise: () => 'nothing' });
  expect([await asked(second.baseUrl, 'Where?'), await asked(second.baseUrl, 'When?')]).toEqual([
    'Here',
    'nothing',
  ]);
  expect(second.counts).toEqual({ answered: 1, missing: 1 });
  await second.stop();
});
