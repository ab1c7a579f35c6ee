import fs from 'node:fs';
import path from 'node:path';
import type { SignedUp } from '@reverie/shared/contract/accounts/accounts';
import { startTestDaemon, type TestDaemon, type TestOptions } from '../testing.ts';
import { linkOf } from '../features/accounts/signup/confirmation-mail.ts';

/** A daemon behind a proxy, so that a test can come from any address. */
export function startBehindProxy({ env = {} }: TestOptions = {}): Promise<TestDaemon> {
  return startTestDaemon({ env: { REVERIE_TRUST_PROXY: 'true', ...env } });
}

let addresses = 0;

/** An address that nobody had before. */
export function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

export const signUpAt = (
  daemon: TestDaemon,
  { email, from = newAddress() }: { email: unknown; from?: string },
) =>
  daemon.ask({
    path: '/v1/auth/bot-signup',
    key: null,
    headers: { 'X-Forwarded-For': from },
    body: { email },
  });

export interface SignedUpWithMail {
  reply: SignedUp;
  /** Out of the mail in the outbox. */
  token: string;
  /** The account's id. */
  account: string;
  file: string;
}

/** Signs up and reads the mail that came of it. */
export async function signUp(daemon: TestDaemon, email = 'you@example.org'): Promise<SignedUpWithMail> {
  const before = new Set(outboxOf(daemon));
  const answer = await signUpAt(daemon, { email });
  if (answer.status !== 201) throw new Error(`signing up answered ${answer.status}: ${answer.text}`);
  const file = outboxOf(daemon).find((name) => !before.has(name));
  if (file === undefined) throw new Error('no mail came');
  const link = linkOf(fs.readFileSync(file)) ?? '';
  return {
    reply: answer.json as unknown as SignedUp,
    token: new URL(link).searchParams.get('token') ?? '',
    account: path.basename(file, '.eml'),
    file,
  };
}

export function outboxOf({ home }: Pick<TestDaemon, 'home'>): string[] {
  if (!fs.existsSync(home.outbox)) return [];
  return fs.readdirSync(home.outbox).map((name) => path.join(home.outbox, name));
}

export const confirmAt = (daemon: TestDaemon, token: string) =>
  daemon.ask({ path: `/v1/auth/confirm?token=${encodeURIComponent(token)}`, key: null });
