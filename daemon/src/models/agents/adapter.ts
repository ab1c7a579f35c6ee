import type { AgentKind } from '@reverie/shared/contract/system/models';

/** What an agent's command is asked. */
export interface AgentQuestion {
  readonly system: string;
  readonly prompt: string;
  /** The JSON schema of the answer, where the command takes one; else it stands in `system` in words. */
  readonly schema: object | undefined;
  /** The model's name for the command's own flag; undefined for the agent's default. */
  readonly model: string | undefined;
}

/** How the command is run. Nothing of `prompt` is in `args`: other users of the machine can read them, and they are bounded. */
export interface AgentCall {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files beside the empty folder in which it runs, by name; they go with it. */
  readonly files?: Readonly<Record<string, string>>;
  /** The name of a file there that it writes and that is read when it has ended. */
  readonly writes?: string;
}

/** Where a call may refer to. */
export interface AgentPlaces {
  /** Where a file of the call will be. */
  readonly file: (name: string) => string;
  readonly environment: NodeJS.ProcessEnv;
}

/** How a command ended. */
export interface AgentRun {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What it wrote into the file that its call names; undefined where it wrote none. */
  readonly written: string | undefined;
}

/** What a command answered: the model's text, with the tokens where it counts them, or why there is none. */
export type AgentReply =
  | { readonly kind: 'answer'; readonly text: string; readonly tokens: number | undefined }
  /** `status` is what its vendor answered; `words` are its own and are not shown, for they may hold a key. */
  | { readonly kind: 'failed'; readonly status: number | undefined; readonly words: string };

/** A coding agent's own command as something that answers a question, once, without tools. */
export interface AgentAdapter {
  readonly kind: AgentKind;
  /** As its maker writes it. */
  readonly title: string;
  /** To whom it sends what it is asked. */
  readonly vendor: string;
  /** The command's name on the PATH. */
  readonly command: string;
  /** Finds the version in what `--version` prints; another program of the same name prints something else. */
  readonly version: RegExp;
  /** What to do where it is not logged in, behind "run ". */
  readonly logIn: string;
  readonly takesSchema: boolean;
  call(question: AgentQuestion, places: AgentPlaces): AgentCall;
  read(run: AgentRun): AgentReply;
}

/** A command's failure in its own words, where it printed nothing in its own form. */
export function failedRun({ code, stdout, stderr }: AgentRun, status?: number): AgentReply {
  const words = `${stderr}\n${stdout}`.trim();
  return { kind: 'failed', status, words: words === '' ? `it ended with ${code ?? 'a signal'}` : words };
}

/** The question for a command that takes no instructions apart from the prompt. */
export function inOneText({ system, prompt }: Pick<AgentQuestion, 'system' | 'prompt'>): string {
  return `${system}\n\n${prompt}\n`;
}

/** The lines of an output that are JSON, each checked by whoever reads it. */
export function jsonLines(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    const value = jsonOf(line);
    return value === undefined ? [] : [value];
  });
}

/** The value of a JSON text; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What is no JSON is a warning, a banner, half an answer: it says nothing in the command's own form.
    return undefined;
  }
}
