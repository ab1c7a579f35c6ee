import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from './config.ts';

const Service = z.object({
  image: z.string().optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  command: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  stop_grace_period: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const File = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(z.string(), z.object({ content: z.string() })).default({}),
});

const folder = path.join(import.meta.dirname, '..');
const GIVEN: Readonly<Record<string, string>> = {
  RELAY_DOMAIN: 'relay.example.org',
  POSTGRES_PASSWORD: 'secret',
};
const asked = new Set<string>();

/** What `docker compose` makes of a variable; throws for one that has to be set and is not. */
function fill(text: string): string {
  const variable = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;
  return text.replaceAll(variable, (_all: string, ...[name = '', kind, rest = '']: string[]) => {
    asked.add(name);
    const value = GIVEN[name];
    if (value !== undefined) return value;
    if (kind === '-') return rest;
    throw new Error(`${name} is not given`);
  });
}

function read(name: string) {
  const text = fs.readFileSync(path.join(folder, name), 'utf8');
  const filled = (_key: unknown, value: unknown) => (typeof value === 'string' ? fill(value) : value);
  return File.parse(parse(text, filled, { merge: true }));
}

describe.each([
  ['compose.yaml', ['relay'], '/healthz'],
  ['compose.postgres.yaml', ['relay-1', 'relay-2'], '/readyz'],
])('%s', (name, relays, health) => {
  const { services, volumes, configs } = read(name);
  const named = (one: string) => {
    const service = services[one];
    if (!service) throw new Error(`There is no service ${one}`);
    return service;
  };

  test('is complete with the variables of its first lines', () => {
    expect(
      [...asked].filter((one) => GIVEN[one] === undefined).every((one) => one.startsWith('RELAY_')),
    ).toBe(true);
  });

  test.each(relays)('%s is given settings that a relay reads, and takes', (one) => {
    const { environment, build, stop_grace_period: grace, volumes: own } = named(one);
    const config = readConfig(environment);
    expect(config.RELAY_PUBLIC_URL).toBe('https://relay.example.org');
    expect(config).toMatchObject({ RELAY_TRUST_PROXY: true, RELAY_ALLOW_PLAIN_HTTP: true });
    // The user of the image may write there, and it is kept.
    expect(own.map((volume) => volume.split(':')[1])).toEqual([config.RELAY_HOME]);
    expect(fs.existsSync(path.join(folder, build?.context ?? '', build?.dockerfile ?? ''))).toBe(true);
    const image = fs.readFileSync(path.join(folder, 'Dockerfile'), 'utf8');
    expect(image).toContain(`EXPOSE ${config.RELAY_PORT}`);
    // Ten seconds are what the relay gives itself.
    expect(Number(grace?.replace('s', ''))).toBeGreaterThan(config.RELAY_DRAIN_MS / 1000 + 10);
  });

  test.each(relays)('%s is asked at its own port how it is', (one) => {
    const { healthcheck, environment } = named(one);
    expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${environment['RELAY_PORT']}${health}`);
  });

  test('only Caddy is reached from outside, and knows each relay', () => {
    const open = Object.entries(services).filter(([, { ports }]) => ports.length > 0);
    expect(open.map(([one, { ports }]) => [one, ports])).toEqual([['caddy', ['80:80', '443:443']]]);
    const caddy =
      (named('caddy').command ?? '') +
      Object.values(configs)
        .map(({ content }) => content)
        .join('');
    for (const one of relays) expect(caddy).toContain(`${one}:${named(one).environment['RELAY_PORT']}`);
    expect(caddy).toContain('relay.example.org');
  });

  test('all volumes that are mounted are there, and no other', () => {
    const mounted = Object.values(services).flatMap((one) =>
      one.volumes.map((volume) => volume.split(':')[0]),
    );
    expect(mounted.sort()).toEqual(Object.keys(volumes).sort());
  });
});

describe('compose.postgres.yaml', () => {
  const { services, configs } = read('compose.postgres.yaml');

  test.each(['relay-1', 'relay-2'])('%s has the database that is made there, and waits for it', (one) => {
    const { environment = {}, depends_on = {} } = services[one] ?? {};
    const url = new URL(environment['RELAY_DATABASE_URL'] ?? '');
    const { environment: made = {}, healthcheck } = services[url.hostname] ?? {};
    expect(url.username).toBe(made['POSTGRES_USER']);
    expect(url.password).toBe(made['POSTGRES_PASSWORD']);
    expect(url.pathname).toBe(`/${made['POSTGRES_DB']}`);
    expect(depends_on).toEqual({ [url.hostname]: { condition: 'service_healthy' } });
    expect(healthcheck?.test).toEqual(['CMD-SHELL', `pg_isready -U ${made['POSTGRES_USER']}`]);
    // The other one reaches it by its own name.
    expect(environment['RELAY_NODE_URL']).toBe(`http://${one}:${environment['RELAY_PORT']}`);
  });

  test('Caddy sends nobody to a node that is not ready, and has noticed before the node closes', () => {
    const caddy = configs['caddyfile']?.content ?? '';
    expect(caddy).toMatch(/health_uri \/readyz/);
    const interval = Number(/health_interval (\d+)s/.exec(caddy)?.[1]);
    expect(Number(services['relay-1']?.environment['RELAY_DRAIN_MS'])).toBeGreaterThan(2 * interval * 1000);
  });
});
