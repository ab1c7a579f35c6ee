import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand, type Where } from './commands.ts';

/** A question that an agent asks on its screen at its start, and the keys that answer it. */
export interface Question {
  asks: RegExp;
  keys: readonly string[];
}

/** An agent on a terminal of its own. */
export interface Screen {
  /** Answers what it asks at its start until something is so, two minutes at most; answers whether it is. */
  until(isSo: (shown: string) => boolean): Promise<boolean>;
  /** Types a prompt, and sends it. */
  say(prompt: string): Promise<void>;
  /** What stands on it. */
  read(): Promise<string>;
  /** Ends the agent by its own keys, and the terminal. */
  close(keys: readonly string[]): Promise<void>;
}

/** How long a screen is let alone between two looks, ms; and how many looks there are. */
const LOOK = 700;
const LOOKS = 170;

/** Opens a terminal (tmux, under a socket of its own) in which a line of a shell runs. */
export async function openScreen(
  line: string,
  { folder, env, socket, questions }: Where & { socket: string; questions: readonly Question[] },
): Promise<Screen> {
  const script = `${socket}.sh`;
  fs.writeFileSync(script, `${line}\n`);
  const tmux = async (...args: string[]) =>
    await runCommand(['tmux', '-S', socket, '-f', '/dev/null', ...args], { folder, env, seconds: 10 });
  const begun = await tmux(
    ...['new-session', '-d', '-x', '160', '-y', '48', '-c', folder, `exec sh '${script}'`],
    ...[';', 'set-option', 'remain-on-exit', 'on'],
  );
  if (begun.code !== 0) throw new Error(`no terminal: ${begun.stderr.trim()}`);
  const read = async () => (await tmux('capture-pane', '-p')).stdout.trimEnd();

  const press = async (keys: readonly string[]) => {
    for (const key of keys) {
      await pause(300);
      await tmux('send-keys', key);
    }
  };

  return {
    read,
    async until(isSo) {
      let before = '';
      for (let look = 0; look < LOOKS; look += 1) {
        await pause(LOOK);
        const shown = await read();
        const question = questions.find(({ asks }) => asks.test(shown));
        // What is still being drawn takes no keys.
        if (question && shown === before) await press(question.keys);
        else if (!question && isSo(shown)) return true;
        before = shown;
      }
      return false;
    },
    async say(prompt) {
      // What is typed before it is ready is lost in some.
      for (let look = 0; look < 30 && !(await read()).includes(prompt); look += 1) {
        if (look % 10 === 0) await tmux('send-keys', '-l', prompt);
        await pause(LOOK);
      }
      await press(['Enter']);
    },
    async close(keys) {
      await press(keys);
      // Its end, which hooks are told of, has its time.
      for (let look = 0; look < 10; look += 1) {
        const { stdout } = await tmux('display-message', '-p', '#{pane_dead}');
        if (stdout.trim() === '1') break;
        await pause(500);
      }
      await tmux('kill-server');
    },
  };
}
