import type { SharePreview } from '@reverie/shared/contract/sessions/session-sharing';
import { countOf, formatBytes } from '../../../platform/format.ts';

/** Names of the rules that find secrets, as they stand in the daemon; what is not here is told by its own name. */
const RULES: Readonly<Record<string, string>> = {
  private: 'parts marked as private',
  jwt: 'web tokens (JWT)',
  'private-key': 'private keys',
  'address-password': 'passwords in addresses',
  'api-key': 'API keys',
  password: 'passwords',
  cookie: 'cookies',
  authorization: 'authorization headers',
  'high-entropy': 'long random strings',
};

/** A rule as people read it: without the package that it comes from. */
export function ruleName(rule: string): string {
  const short = rule.replace(/^@?secretlint\/(?:secretlint-rule-)?/, '').replace(/^secretlint-rule-/, '');
  return RULES[short] ?? short.replaceAll(/[-_]/g, ' ');
}

/** How much would leave. */
export function leavesWords({ entries, bytes }: Pick<SharePreview, 'entries' | 'bytes'>): string {
  if (entries === 0) return 'Nothing leaves yet; what is said from now on does.';
  return `${countOf(entries, 'entry leaves', 'entries leave')} this machine, ${formatBytes(bytes)} together.`;
}

/** What is told of a session beside its title: `codex, acme/api, main`. */
export function sessionWords({ agent, project, branch, models }: SharePreview['session']): string {
  return [agent, project, branch, ...models].filter((part) => part !== null && part !== '').join(', ');
}

/** What is told of an entry beside its text: `Tool call by Claude Code: Bash, src/a.ts`. */
export function entryWords(
  kind: string,
  { author, tool, files }: Pick<SharePreview['sample'][number], 'author' | 'tool' | 'files'>,
): string {
  const about = [tool, ...files].filter((part) => part !== null).join(', ');
  return `${kind} by ${author.name}${about === '' ? '' : `: ${about}`}`;
}

/** What stays here, and why; empty where nothing does. */
export function staysWords(withheld: number): string {
  if (withheld === 0) return '';
  return (
    `${countOf(withheld, 'entry stays', 'entries stay')} here: attachments, records that are not known, ` +
    'and what could not be checked for secrets.'
  );
}

/** The kinds of secrets that were never shown before, by name. */
export function newRules({ by_rule }: Pick<SharePreview, 'by_rule'>): string[] {
  return by_rule.filter(({ is_new }) => is_new).map(({ rule }) => ruleName(rule));
}

/** A text cut where a secret was taken out: `[REDACTED:jwt]` and the like. */
export function piecesAround(text: string): { text: string; isTakenOut: boolean }[] {
  return text
    .split(/(\[REDACTED(?::[^\]\n]{0,80})?\])/)
    .map((piece, at) => ({ text: piece, isTakenOut: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
