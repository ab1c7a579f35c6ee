import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretSpan } from '../secret-span.ts';
import { isMadeUp } from '../values/made-up.ts';

type Rule = (typeof rules)[number];
type Context = Parameters<Rule['create']>[0];
type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0];

const PREFIX = '@secretlint/secretlint-rule-';

/**
 * Rules of the preset that are not asked: a comment within a text must not end the search in it (`filter-comments`), and passwords in
 * addresses and private keys are found by our own, which know their ends.
 */
const OFF = new Set(['basicauth', 'database-connection-string', 'filter-comments', 'gcp', 'privatekey']);
const RULES = rules
  .map((rule) => ({ name: rule.meta.id.slice(PREFIX.length), rule }))
  .filter(({ name }) => !OFF.has(name));

const START = { line: 1, column: 0 };

/** The source of a rule; only rules that are not asked want to know lines and columns. */
function sourceOfRules(text: string): Source {
  return {
    hasBOM: false,
    content: text,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: START, end: START }),
    positionToIndex: () => 0,
    indexToPosition: () => START,
  };
}

/**
 * What Secretlint's recommended rules find in a text. They are called without `@secretlint/core`, which keeps the time of each call for
 * good: some 100 notes a text, which a daemon would never get rid of, and through which each further call searches.
 */
export async function presetIn(text: string): Promise<SecretSpan[]> {
  const found: SecretSpan[] = [];
  const source = sourceOfRules(text);
  for (const { name, rule } of RULES) {
    const context: Context = {
      sharedOptions: {},
      createTranslator: () => (messageId, data) => ({ message: '', messageId: String(messageId), data }),
      ignore: () => undefined,
      report({ message: { messageId }, range: [start, end] }) {
        // The number of an account is no secret.
        if (messageId === 'AWSAccountID' || isMadeUp(text.slice(start, end))) return;
        found.push({ rule: name, start, end, least: end - start });
      },
    };
    const looking = rule.create(context, {}).file?.(source);
    if (looking) await looking;
  }
  return found;
}
