import { isLoopback } from '@reverie/shared/contract/loopback';
import type { Transporter } from 'nodemailer';

/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailSettings {
  from: string;
  smtp: { host?: string | undefined; port: number; secure: boolean; user?: string | undefined };
  /** The password of `smtp.user`, asked for at each connection. */
  password: () => Promise<string | undefined>;
}

/** Why a mail was not taken, and whether it is of use to try again. */
export class MailRefused extends Error {
  readonly isFinal: boolean;
  /** Without addresses, for the log: such as `EENVELOPE 550`. */
  readonly reason: string;

  constructor(cause: unknown) {
    const { message, code, responseCode } = cause as {
      message?: string;
      code?: string;
      responseCode?: number;
    };
    super(message ?? String(cause), { cause });
    this.name = 'MailRefused';
    this.isFinal = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
    this.reason = [code, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown';
  }
}

/** Makes and sends mails; the library is loaded with the first one. */
export interface Mailer {
  /** A mail as it travels (RFC 5322). */
  compose(mail: Mail): Promise<Buffer>;
  /** Hands a composed mail to the SMTP server. Throws `MailRefused`. */
  send(raw: Buffer, to: string): Promise<void>;
  /** Whether a server is set. */
  readonly canSend: boolean;
}

export function createMailer({ from, smtp, password }: MailSettings): Mailer {
  const { host, port, secure, user } = smtp;
  const load = async () => (await import('nodemailer')).default;

  async function transport(): Promise<Transporter> {
    const pass = user === undefined ? undefined : await password();
    return (await load()).createTransport({
      host,
      port,
      secure,
      // A password never travels in clear, and not to whoever strips STARTTLS from an answer.
      requireTLS: !secure && user !== undefined && !isLoopback(host ?? ''),
      ...(user !== undefined && { auth: { user, pass: pass ?? '' } }),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  return {
    canSend: host !== undefined,
    async compose(mail) {
      const writer = (await load()).createTransport({
        streamTransport: true,
        buffer: true,
        newline: 'windows',
      });
      const { message } = await writer.sendMail({
        from,
        // As an object it is an address and nothing else: no list, no name, no comment.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return message as Buffer;
    },
    async send(raw, to) {
      const connection = await transport();
      try {
        await connection.sendMail({ envelope: { from: addressOf(from), to }, raw });
      } catch (cause) {
        throw new MailRefused(cause);
      } finally {
        connection.close();
      }
    },
  };
}

/** The address of `Name <address>`. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
