import { lintSource } from '@secretlint/core';
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import type { Found } from './found.ts';
import { isMadeUp } from './made-up.ts';

const PREFIX = '@secretlint/secretlint-rule-';

/**
 * Rules of the preset that are not asked: a comment within a text must not end the search in it (`filter-comments`),
 * and passwords in addresses and private keys are found by our own, which know their ends.
 */
const OFF = ['filter-comments', 'basicauth', 'database-connection-string', 'privatekey'];
const CONFIG = {
  rules: [
    {
      id: `${PREFIX}preset-recommend`,
      rule: recommended,
      rules: OFF.map((name) => ({ id: `${PREFIX}${name}`, disabled: true })),
    },
  ],
};

/** What Secretlint's recommended rules find in a text. */
export async function presetIn(text: string): Promise<Found[]> {
  const { messages } = await lintSource({
    source: { filePath: 'entry.txt', content: text, ext: '.txt', contentType: 'text' },
    options: { config: CONFIG, noPhysicFilePath: true },
  });
  return messages
    .filter(
      ({ messageId, range: [start, end] }) =>
        messageId !== 'AWSAccountID' && !isMadeUp(text.slice(start, end)),
    )
    .map(({ ruleId, range: [start, end] }) => ({
      rule: ruleId.slice(PREFIX.length),
      start,
      end,
      least: end - start,
    }));
}
