import { type Input, type Terminal, UsageError } from './terminal.ts';

/** Longer than any key; who pipes a whole file in by mistake is told. */
const LONGEST = 8192;

/** The secret from a prompt that shows nothing, or from standard input; never from the command line, which others see. */
export async function readSecret(terminal: Terminal, what: string): Promise<string> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY) stderr.write(`${what} (it is not shown): `);
  const text = await (stdin.isTTY ? typed(stdin) : piped(stdin));
  if (stdin.isTTY) stderr.write('\n');
  const value = text.replace(/\r?\n$/u, '').trim();
  if (value === '') throw new UsageError(`${what}: nothing came. Type it, or pipe it in.`);
  if (value.length > LONGEST || /[\r\n\0]/u.test(value))
    throw new UsageError(`${what}: it has to be one line of at most 8192 characters.`);
  return value;
}

async function piped(stdin: Input): Promise<string> {
  let text = '';
  for await (const part of stdin) {
    text += String(part);
    if (text.length > LONGEST + 2) break;
  }
  return text;
}

/** A line that is typed without being shown; Ctrl-C and Ctrl-D end it with nothing. */
function typed(stdin: Input): Promise<string> {
  const raw = stdin as Input & { setRawMode?: (on: boolean) => void };
  return new Promise((resolve) => {
    let text = '';
    const end = (value: string) => {
      stdin.off('data', read);
      stdin.off('end', closed);
      raw.setRawMode?.(false);
      stdin.pause();
      resolve(value);
    };
    const read = (part: Buffer | string) => {
      for (const letter of String(part)) {
        if (letter === '\r' || letter === '\n') return end(text);
        if (letter === '\u0003' || letter === '\u0004') return end('');
        if (letter === '\u007f' || letter === '\b') text = text.slice(0, -1);
        else text += letter;
      }
    };
    const closed = () => end(text);
    raw.setRawMode?.(true);
    stdin.on('data', read);
    stdin.on('end', closed);
    stdin.resume();
  });
}
