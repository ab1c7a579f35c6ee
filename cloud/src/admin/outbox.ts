import fs from 'node:fs';
import path from 'node:path';

/** A mail that waits in the outbox, by number from the newest. */
export interface WaitingMail {
  n: number;
  to: string;
  subject: string;
  written_at: string;
  text: string;
}

export function waitingMails(folder: string): WaitingMail[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith('.eml'))
    .map((name) => {
      const file = path.join(folder, name);
      return { name, at: fs.statSync(file).mtimeMs, text: fs.readFileSync(file, 'utf8') };
    })
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
    .map(({ at, text }, index) => ({
      n: index + 1,
      to: headerOf(text, 'To'),
      subject: headerOf(text, 'Subject'),
      written_at: new Date(at).toISOString(),
      text,
    }));
}

/** The link of a mail, which stands on a line of its own. */
export function linkIn({ text }: Pick<WaitingMail, 'text'>): string | undefined {
  return /^https?:\/\/\S+$/m.exec(text)?.[0];
}

function headerOf(text: string, name: string): string {
  return new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(text)?.[1]?.replace(/^<|>$/g, '') ?? '';
}
