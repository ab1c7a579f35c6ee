import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Clock } from '@reverie/shared/time/clock';
import type { Config } from '../config.ts';

/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Mails wait as `.eml` files (0600): without a mail server they stay there for who runs the relay to hand on. */
export interface MailOutbox {
  add(mail: Mail): Promise<void>;
  start(): () => void;
}

/** Stands for the text in a message: the library would break the lines of links, so that nobody can copy them from the file. */
const PLACE = 'text';

/** Puts a text into a message as it is, line by line. */
function withText(message: string, text: string): string {
  const [head = ''] = message.split('\r\n\r\n', 1);
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  const encoding = `Content-Transfer-Encoding: ${isAscii ? '7bit' : '8bit'}`;
  const lines = text.replaceAll(/\r?\n/g, '\r\n');
  return `${head.replace(/^Content-Transfer-Encoding: .*$/im, encoding)}\r\n\r\n${lines}`;
}

const LOOK_MS = 30_000;
/** What nobody could be sent for so long is of no use any more. */
const KEPT_MS = 7 * 86_400_000;

export function createOutbox(
  folder: string,
  { config, clock, log }: { config: Config; clock: Clock; log: Logger },
): MailOutbox {
  const {
    RELAY_SMTP_HOST: host,
    RELAY_SMTP_PORT: port,
    RELAY_SMTP_USER: user,
    RELAY_SMTP_PASSWORD: pass,
  } = config;
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  let running: Promise<void> | undefined;

  async function sendOne(file: string): Promise<void> {
    const raw = fs.readFileSync(file);
    const to = /^To: (.*)$/im.exec(raw.toString('latin1'))?.[1]?.trim().replace(/^<|>$/g, '');
    const transport = createTransport({
      host,
      port,
      secure: port === 465,
      // A password never travels in clear.
      requireTLS: user !== undefined && port !== 465,
      ...(user !== undefined && { auth: { user, pass: pass ?? '' } }),
      connectionTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({ envelope: { from: addressOf(config.RELAY_MAIL_FROM), to: to ?? '' }, raw });
      fs.rmSync(file);
    } catch (cause) {
      // The server's words may hold the address: only its code is for the log.
      log.warn({ code: (cause as { code?: unknown }).code }, 'a mail could not be sent; it is tried again');
    } finally {
      transport.close();
    }
  }

  async function sendAll(): Promise<void> {
    for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
      const file = path.join(folder, name);
      if (!name.endsWith('.eml')) continue;
      if (clock.now() - fs.statSync(file).mtimeMs > KEPT_MS) fs.rmSync(file);
      else if (host !== undefined) await sendOne(file);
    }
  }

  function run(): Promise<void> {
    running ??= sendAll()
      .catch((err: unknown) => log.error({ err }, 'the mails could not be read'))
      .finally(() => (running = undefined));
    return running;
  }

  return {
    async add({ to, subject, text }) {
      const { message } = await writer.sendMail({
        from: config.RELAY_MAIL_FROM,
        // As an object it is an address and nothing else: no list, no name, no comment.
        to: { name: '', address: to },
        subject,
        text: PLACE,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${randomUUID()}.eml`);
      fs.writeFileSync(`${file}.part`, withText((message as Buffer).toString(), text), { mode: 0o600 });
      fs.renameSync(`${file}.part`, file);
      if (host !== undefined) void run();
    },
    start() {
      const timer = clock.every(LOOK_MS, () => void run());
      void run();
      return () => timer.stop();
    },
  };
}

/** The address of `Name <address>`. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}

const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What a device calls itself, as a mail may say it: nobody writes a sentence or a link of their own into it. */
function quoted(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} -]+/gu, ' ').trim();
  return `“${plain.length > 24 ? `${plain.slice(0, 24)}…` : plain || 'without a name'}”`;
}

/** The mail with a code that lets a device into an account whose devices are all lost. */
export function recoveryMail(asked: {
  email: string;
  name: string;
  code: string;
  at: number;
  expiresAt: number;
}): Mail {
  return {
    to: asked.email,
    subject: 'A code for your account on a Reverie relay',
    text: `Somebody asked to be let into the account of this e-mail address with a new device, because none of its devices is left.

The device calls itself ${quoted(asked.name)}, and asked at ${day(asked.at)}.

If that was you, type this code at that device:

    ${asked.code}

It works until ${day(asked.expiresAt)}, once, and only at devices that asked for it; no other code is mailed within an hour. All other devices of the account are removed then, and the people whom you share with are told.

If you know nothing of this, do nothing, and give the code to nobody: without it nothing happens.
`,
  };
}

/** The mail that says that it was used. */
export function recoveredMail({ email, name, at }: { email: string; name: string; at: number }): Mail {
  return {
    to: email,
    subject: 'The devices of your account on a Reverie relay were replaced',
    text: `A code was used at ${day(at)} to let the device ${quoted(name)} into the account of this e-mail address. All other devices of the account were removed; what they hold stays on them.

If that was not you, somebody else had the code: tell who runs the relay, and the people whom you share with.
`,
  };
}

/** The mail that makes an account permanent. */
export function confirmationMail({
  email,
  link,
  expiresAt,
}: {
  email: string;
  link: string;
  expiresAt: number;
}): Mail {
  const until = `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    to: email,
    subject: 'Confirm your account on a Reverie relay',
    text: `Somebody linked a device to a Reverie relay with this e-mail address.

If that was you, open this link and press the button, so that the account stays:

${link}

The link works until ${until}. Without it, the device is cut off then, and what it sent is deleted 7 days later. Nothing is deleted on the device itself.

If you know nothing of this, do nothing. It opens nothing of yours.
`,
  };
}
