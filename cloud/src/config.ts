import os from 'node:os';
import path from 'node:path';
import { isLoopback } from '@reverie/shared/contract/loopback';
import { z } from 'zod';
import { Refusal } from './db/refusal.ts';
import { pathOf } from './prefix.ts';

const flag = z.enum(['true', 'false', '1', '0']).transform((given) => given === 'true' || given === '1');
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const Address = z.url({ protocol: /^https?$/ }).max(2048);

const addressesIn = (given: string) =>
  given
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .map((one) => one.replace(/\/+$/, ''));

/** Where a relay is reached, as its settings say; the first one stands in mails and invites. */
export function publicAddresses({
  RELAY_PUBLIC_URL: given = '',
}: Pick<Config, 'RELAY_PUBLIC_URL'>): string[] {
  return addressesIn(given);
}

/** Every setting is a variable of the environment; there is no file. */
const Settings = z.object({
  RELAY_HOME: z
    .string()
    .min(1)
    .default(() => path.join(os.homedir(), '.reverie-relay')),
  /** Postgres in place of SQLite, which several nodes may share. */
  RELAY_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Postgres itself, where a pooler in transaction mode stands at the other address: for hints, which need a session. */
  RELAY_DATABASE_SESSION_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  RELAY_DATABASE_CONNECTIONS: whole(2, 500).default(10),
  /** Where the other nodes reach this one. */
  RELAY_NODE_URL: z.url({ protocol: /^http$/ }).optional(),
  /** How often a node looks by itself what the others did, whatever it hears. */
  RELAY_POLL_MS: whole(50, 60_000).default(1000),
  /** How long a node that stops says so to its load balancer before it sends its devices on. */
  RELAY_DRAIN_MS: whole(0, 60_000).default(0),
  /** Where it listens; an IPv6 address also in brackets, as in a URL. */
  RELAY_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .transform((host) => host.replace(/^\[(.+)\]$/u, '$1')),
  RELAY_PORT: whole(0, 65_535).default(7347),
  /** Where people and daemons reach it, behind its proxy: `https://relay.example.org`; with a path where it has one; further addresses after a comma. */
  RELAY_PUBLIC_URL: z
    .string()
    .refine((given) => {
      const all = addressesIn(given);
      return all.length > 0 && all.length <= 20 && all.every((one) => Address.safeParse(one).success);
    }, 'must be 1 to 20 http or https addresses, separated by commas')
    .optional(),
  /** Further names that it answers to, separated by commas: what a proxy writes into `Host` itself. */
  RELAY_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((given) =>
      given
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((name) => name !== ''),
    ),
  /** Plain http beyond loopback, as in a container whose proxy ends TLS. */
  RELAY_ALLOW_PLAIN_HTTP: flag.default(false),
  /** Behind a proxy: the caller's address is what that wrote last into `X-Forwarded-For`. */
  RELAY_TRUST_PROXY: flag.default(false),
  RELAY_SIGNUP: flag.default(true),
  /** Of the logs of a confirmed account's own rooms, and of one that nobody confirmed. */
  RELAY_QUOTA_MB: whole(1, 1_000_000).default(2048),
  RELAY_PROVISIONAL_QUOTA_MB: whole(1, 1_000_000).default(50),
  /** What a connection may add in a second, with ten times that at once; who adds more is read more slowly. */
  RELAY_ENTRIES_PER_SECOND: whole(1, 1_000_000).default(5000),
  /** How often a device is told the heads of its rooms, and asked whether it is there. */
  RELAY_HEARTBEAT_MS: whole(200, 30_000).default(15_000),
  /** How long the audit log is kept. */
  RELAY_AUDIT_DAYS: whole(1, 3650).default(90),
  /** Bearer of `/metrics`; without it they are answered on loopback only, to a loopback `Host`. */
  RELAY_METRICS_TOKEN: z.string().min(16).optional(),
  RELAY_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  RELAY_SMTP_HOST: z.string().min(1).optional(),
  RELAY_SMTP_PORT: whole(1, 65_535).default(587),
  RELAY_SMTP_USER: z.string().min(1).optional(),
  RELAY_SMTP_PASSWORD: z.string().min(1).optional(),
  RELAY_MAIL_FROM: z.string().min(3).default('Reverie <reverie@localhost>'),
});
export type Config = z.infer<typeof Settings>;

const OWN_PATHS = /^\/(?:v1|y|join|healthz|readyz|metrics)(?:\/|$)/;

/** The settings in the environment. Throws `Refusal` that names each wrong one, and for plain http that others can reach. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const unknown = Object.keys(env).filter((name) => name.startsWith('RELAY_') && !(name in Settings.shape));
  if (unknown.length > 0)
    throw new Refusal(
      `There is no setting ${unknown.join(', ')}. The settings are: ${Object.keys(Settings.shape).join(', ')}.`,
    );
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (!parsed.success)
    throw new Refusal(
      parsed.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}.`).join('\n'),
    );
  const config = parsed.data;
  const prefix = publicAddresses(config)
    .map(pathOf)
    .find((one) => OWN_PATHS.test(one));
  if (prefix !== undefined)
    throw new Refusal(
      `RELAY_PUBLIC_URL: its path ${prefix} is one of the relay's own; choose another, such as /reverie.`,
    );
  if (!isLoopback(config.RELAY_HOST) && !config.RELAY_ALLOW_PLAIN_HTTP)
    throw new Refusal(
      `${config.RELAY_HOST} is reachable from other machines, and plain http would show them keys. Let a proxy end TLS and listen on 127.0.0.1, or insist with RELAY_ALLOW_PLAIN_HTTP=true.`,
    );
  return config;
}
