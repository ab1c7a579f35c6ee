import fs from 'node:fs';
import path from 'node:path';
import type { Clock, Stop } from '../clock.ts';
import { writePrivateFile } from '../home/home.ts';
import { type Mail, MailRefused, type Mailer } from './mail.ts';
import type { Log } from '../log.ts';

/** A mail that was not sent yet. Times in milliseconds since 1970. */
export interface WaitingMail {
  /** Who it is about, and the name of its file without `.eml`: letters, digits, `_` and `-`. */
  id: string;
  file: string;
  createdAt: number;
  attempts: number;
  lastError: string | null;
  /** Null while no server is set, or when trying again is of no use. */
  nextAt: number | null;
}

export interface OutboxDeps {
  folder: string;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  /** Whom a mail goes to; undefined where it is of no use any more, and its file is deleted. */
  addressOf: (id: string) => string | undefined;
}

/**
 * The queue of mails is a folder of `.eml` files (0600): without a mail server they stay there, for the
 * owner to hand on; with one each is deleted when the server took it. What a restart finds is sent.
 */
export interface MailOutbox {
  /** Puts a mail on disk and sends it soon. */
  add(id: string, mail: Mail): Promise<void>;
  list(): WaitingMail[];
  read(id: string): { waiting: WaitingMail; raw: Buffer } | undefined;
  /** Deletes the mail of an id, if there is one. */
  drop(id: string): void;
  /** Deletes mails that are of no use, and sends what is due; resolves when it was tried. */
  run(): Promise<void>;
  start(): Stop;
}

const FIRST_WAIT = 60_000;
const LONGEST_WAIT = 3_600_000;
const LOOK = 10_000;
const NAME = /^([\w-]{1,100})\.eml$/;

export function createOutbox({ folder, mailer, clock, log, addressOf }: OutboxDeps): MailOutbox {
  const tried = new Map<string, { attempts: number; lastError: string; nextAt: number | null }>();
  const fileOf = (id: string) => path.join(folder, `${id}.eml`);
  let running: Promise<void> | undefined;

  function waitingOf(id: string): WaitingMail | undefined {
    const stats = fs.statSync(fileOf(id), { throwIfNoEntry: false });
    if (!stats) return undefined;
    const attempt = tried.get(id);
    return {
      id,
      file: fileOf(id),
      createdAt: stats.mtimeMs,
      attempts: attempt?.attempts ?? 0,
      lastError: attempt?.lastError ?? null,
      nextAt: mailer.canSend ? (attempt ? attempt.nextAt : clock.now()) : null,
    };
  }

  function list(): WaitingMail[] {
    if (!fs.existsSync(folder)) return [];
    return fs
      .readdirSync(folder)
      .flatMap((name) => waitingOf(NAME.exec(name)?.[1] ?? '') ?? [])
      .sort((a, b) => b.createdAt - a.createdAt || b.id.localeCompare(a.id));
  }

  function drop(id: string): void {
    fs.rmSync(fileOf(id), { force: true });
    tried.delete(id);
  }

  async function sendOne({ id, attempts }: WaitingMail, to: string): Promise<void> {
    try {
      await mailer.send(fs.readFileSync(fileOf(id)), to);
      drop(id);
      log.info({ mail: id }, 'a mail was sent');
    } catch (cause) {
      const refused = cause instanceof MailRefused ? cause : new MailRefused(cause);
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempts);
      tried.set(id, {
        attempts: attempts + 1,
        lastError: refused.message,
        nextAt: refused.isFinal ? null : clock.now() + wait,
      });
      // The server's words may hold the address: they are for the owner, not for the log.
      log.warn({ mail: id, reason: refused.reason, attempts: attempts + 1 }, 'a mail could not be sent');
    }
  }

  async function sendDue(): Promise<void> {
    for (const waiting of list()) {
      const to = addressOf(waiting.id);
      if (to === undefined) drop(waiting.id);
      else if (waiting.nextAt !== null && waiting.nextAt <= clock.now()) await sendOne(waiting, to);
    }
  }

  function run(): Promise<void> {
    running ??= sendDue()
      .catch((err: unknown) => log.warn({ err }, 'the outbox could not be read; it is tried again'))
      .finally(() => (running = undefined));
    return running;
  }

  return {
    async add(id, mail) {
      const raw = await mailer.compose(mail);
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      writePrivateFile(fileOf(id), raw);
      if (mailer.canSend) void run();
    },
    list,
    read(id) {
      const waiting = NAME.test(`${id}.eml`) ? waitingOf(id) : undefined;
      return waiting && { waiting, raw: fs.readFileSync(waiting.file) };
    },
    drop,
    run,
    start() {
      const timer = clock.every(LOOK, () => void run());
      void run();
      return () => timer.stop();
    },
  };
}
