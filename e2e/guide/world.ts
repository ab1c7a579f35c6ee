import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { listAccounts } from '@reverie/shared/contract/accounts/accounts';
import { listDevices } from '@reverie/shared/contract/sync/devices';
import { listInsights } from '@reverie/shared/contract/dreams/dreams';
import { listMessages } from '@reverie/shared/contract/events/inbox';
import { listKeys } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { listRecalls, recordRecall } from '@reverie/shared/contract/agents/recalls';
import { listSessions } from '@reverie/shared/contract/sessions/sessions';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { listDeliveries } from '@reverie/shared/contract/events/deliveries';
import { listWebhooks } from '@reverie/shared/contract/events/webhooks';
import { expect } from 'vitest';
import { assistantLine, CLAUDE_FILE, userLine } from '@reverie/session-logs/testing/claude-lines';
import { startRelay, type TestRelay } from '../../cloud/src/testing/relay.ts';
import { begin, type Ended, run } from '../../daemon/src/cli/fake-terminal.ts';
import { type FakeOllama, PULLABLE, startFakeOllama } from '../../daemon/src/models/testing/fake-ollama.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../daemon/src/testing.ts';
import { leastOf } from './silent-model.ts';
import { openReceiver, type Receiver } from '../receiver.ts';

/** Whose machine a piece is for; its first line says so where it is not the reader's own. */
export type Machine = 'own' | 'other device' | "other person's device";

/** A machine as a reader of the guide has one: notes, a repository, an agent with a session, and memories; a relay, an Ollama and a receiver of webhooks are near. */
export interface GuideWorld {
  /** The home of the user, and the folder where commands are run. */
  user: string;
  folder: string;
  /** Runs a command line, placeholders and addresses replaced. */
  reverie(words: readonly string[], stdin?: string, machine?: Machine): Promise<Ended>;
  /** Runs a piece in bash, as it stands but for its addresses. */
  shell(text: string): Promise<{ code: number; out: string; err: string }>;
  close(): Promise<void>;
}

const PROGRAM = path.join(import.meta.dirname, '../../daemon/bin/reverie.cjs');
const EMAIL = 'you@example.org';

/** What a person types where a command asks. */
const TYPED: Readonly<Record<string, string>> = {
  'sessions enable': 'enable\n',
  'sessions share': 'share\n',
  'sessions delete': 'delete\n',
  'models use': 'yes\n',
  'secret set': 'a-key-of-a-server\n',
};

const NOTES: Readonly<Record<string, string>> = {
  'notes/signing.md': '# Signing key\n\nRotate the signing key with `keys rotate` and restart the gateway.\n',
  'notes/passport.md': '# Passport\n\nMy passport expires on 3 May 2031.\n',
  'vault/ideas/tea.md': '# Tea\n\nSencha at 70 degrees.\n',
  'shop/table.csv': 'Title,Body\nlease,The lease ends in June 2031\n',
  'shop/AGENTS.md': '# Rules\n\nRun the linter before a commit.\n',
};

const MEMORIES: readonly (readonly [namespace: string, key: string, value: string])[] = [
  ['default', 'payments-port', 'The payments API listens on port 8443'],
  ['default', 'payments-port-now', 'The payments API listens on port 9443'],
  ['default', 'backups', 'We decided that backups go to the second disk each night'],
  ['default', 'deploys', 'We deploy on Tuesdays'],
  ['work', 'signing', 'The signing key of work lies in the HSM'],
  ['notes', 'signing', 'A note about the signing key'],
];

/** `linked`: the machine is linked to the relay from the beginning. */
export async function openGuideWorld({ linked }: { linked: boolean }): Promise<GuideWorld> {
  const { folder: user, remove } = temporaryFolder();
  const folder = path.join(user, 'shop');
  for (const [file, text] of Object.entries(NOTES)) write(path.join(user, file), text);
  write(
    path.join(user, '.claude/projects', CLAUDE_FILE),
    [
      userLine('u1', 'Why did the build fail?'),
      assistantLine('a1', {
        content: [{ type: 'text', text: 'The build failed because the cache was full.' }],
      }),
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  execFileSync('git', ['init', '-q', folder]);
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git']);
  const bin = path.join(user, 'bin');
  write(path.join(bin, 'reverie'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, 0o755);
  write(path.join(user, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');

  const relay = await startRelay({});
  const receiver = await openReceiver();
  const ollama = await startFakeOllama({
    talk: ({ schema }) => ({ text: JSON.stringify(leastOf(schema)) }),
    library: [
      ...PULLABLE,
      { name: 'embeddinggemma:latest', layers: [270], context: 2048, capabilities: ['embedding'] },
    ],
  });
  const env = { HOME: user, CLAUDE_CONFIG_DIR: '', REVERIE_MODELS_PORTS: String(ollama.port) };
  const own = await startTestDaemon({ env });
  for (const [namespace, key, value] of MEMORIES)
    await own.call(setMemory, { body: { namespace, key, value } });
  await own.call(recordRecall, {
    body: {
      way: 'search',
      agent: 'claude-code',
      namespace: 'default',
      query: 'backups',
      tokens: 200,
      memories: [{ namespace: 'default', key: 'backups', reason: 'fits the search', score: 0.9 }],
    },
  });
  if (linked) await own.call(linkDevice, { body: { relay: relay.origin, email: EMAIL, name: 'own' } });
  const others = new Map<Machine, TestDaemon>();
  return worldOf({ user, folder, own, others, relay, receiver, ollama, env, remove });
}

interface Parts {
  user: string;
  folder: string;
  own: TestDaemon;
  others: Map<Machine, TestDaemon>;
  relay: TestRelay;
  receiver: Receiver;
  ollama: FakeOllama;
  env: Record<string, string>;
  remove: () => void;
}

function worldOf(parts: Parts): GuideWorld {
  const { user, folder, own, others, relay, receiver, ollama, remove } = parts;
  const env = {
    ...parts.env,
    PATH: `${path.join(user, 'bin')}:${process.env['PATH'] ?? ''}`,
    VISUAL: 'true',
  };
  const meant = new Map<string, string>();
  /** All that commands printed: codes and links are taken from it. */
  let printed = '';

  /** Addresses of the pages, and what stands there in the test. */
  const there = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:7337', own.origin)
      .replaceAll(/http:\/\/127\.0\.0\.1:7347|https:\/\/relay\.example\.org/g, relay.origin)
      .replaceAll('http://127.0.0.1:3000/hook', receiver.url)
      .replaceAll('http://127.0.0.1:11434', `http://127.0.0.1:${ollama.port}`);

  const placeholders: Readonly<Record<string, () => Promise<string | undefined> | string | undefined>> = {
    INSIGHT: async () => (await own.call(listInsights, { query: { status: 'proposed' } })).insights[0]?.id,
    KEY: async () => (await own.call(listKeys, {})).keys[0]?.id,
    RECALL: async () => (await own.call(listRecalls, { query: {} })).recalls[0]?.id,
    SESSION: async () => {
      // What is read in a thread is there a moment later.
      await expect
        .poll(async () => (await own.call(listSessions, { query: {} })).sessions[0]?.entries)
        .toBe(2);
      return (await own.call(listSessions, { query: {} })).sessions[0]?.id;
    },
    WEBHOOK: async () => (await own.call(listWebhooks, {})).webhooks[0]?.id,
    DELIVERY: async () => {
      await own.call(setMemory, { body: { key: 'told', value: 'Something that a webhook tells' } });
      const delivered = async () =>
        (await own.call(listDeliveries, { query: { status: 'delivered' } })).deliveries.find(
          ({ event }) => event === 'memory.write',
        )?.id;
      await expect.poll(delivered).toBeDefined();
      return delivered();
    },
    MESSAGE: async () =>
      (await own.call(listMessages, { params: { namespace: 'work' }, query: {} })).messages[0]?.id,
    ACCOUNT: async () => (await own.call(listAccounts, {})).accounts.find(({ email }) => email)?.id,
    CODE: () => [...printed.matchAll(/\b[A-Z\d]{4}(?:-[A-Z\d]{4}){2}\b/g)].at(-1)?.[0],
    LINK: () => [...printed.matchAll(/http[^\s"]+#[^\s"]+/g)].at(-1)?.[0],
    REQUEST: async () => {
      // Only devices of an account whose mail was answered are asked.
      for (const link of relay.links()) await fetch(link, { headers: { accept: 'application/json' } });
      const third = await startTestDaemon();
      others.set('own', third);
      await third.call(linkDevice, { body: { relay: relay.origin, email: EMAIL, name: 'third' } });
      const asking = async () =>
        (await own.call(listDevices, {})).devices.find(({ status }) => status === 'waiting')?.id;
      await expect.poll(asking).toBeDefined();
      return asking();
    },
    DEVICE: async () => (await own.call(listDevices, {})).devices.find(({ self }) => !self)?.id,
  };

  async function filled(word: string): Promise<string> {
    if (!/^[A-Z]{3,}$/.test(word)) return there(word);
    const look = placeholders[word];
    if (!look) throw new Error(`Nothing is known to stand for ${word}`);
    const value = meant.get(word) ?? (await look());
    if (value === undefined) throw new Error(`There is nothing that ${word} may stand for`);
    meant.set(word, value);
    return value;
  }

  async function machineOf(machine: Machine): Promise<TestDaemon> {
    if (machine === 'own') return own;
    const known = others.get(machine);
    if (known) return known;
    const daemon = await startTestDaemon();
    others.set(machine, daemon);
    if (machine === "other person's device")
      await daemon.call(linkDevice, { body: { relay: relay.origin, email: 'ada@example.org', name: 'ada' } });
    return daemon;
  }

  return {
    user,
    folder,
    async reverie(words, stdin, machine = 'own') {
      const { home } = await machineOf(machine);
      const args: string[] = [];
      for (const word of words) args.push(await filled(word));
      const typed = TYPED[words.slice(0, 2).join(' ')];
      const given = {
        home: home.folder,
        env,
        ...(stdin !== undefined && { stdin }),
        ...(typed !== undefined && { typed }),
      };
      if (!args.includes('--follow')) {
        const ended = await run(given, ...args);
        // The clock of the daemon stands still, and no two backups are made within one second.
        own.clock.advance(1000);
        printed += `${ended.out}${ended.err}\n`;
        return ended;
      }
      const followed = begin(given, ...args);
      await expect.poll(followed.out).not.toBe('');
      followed.close();
      return followed.ended;
    },
    async shell(text) {
      const given = {
        cwd: folder,
        env: { ...env, REVERIE_HOME: own.home.folder, CURL_HOME: user, NO_COLOR: '1' },
      };
      try {
        const { stdout, stderr } = await promisify(execFile)(
          'bash',
          ['-euo', 'pipefail', '-c', there(text)],
          given,
        );
        return { code: 0, out: stdout, err: stderr };
      } catch (cause) {
        const { code, stdout, stderr } = cause as { code: number; stdout: string; stderr: string };
        return { code, out: stdout, err: stderr };
      }
    },
    async close() {
      for (const daemon of others.values()) await daemon.stop();
      await own.stop();
      await ollama.stop();
      await receiver.close();
      await relay.stop();
      remove();
    },
  };
}

function write(file: string, text: string, mode = 0o644): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
}
