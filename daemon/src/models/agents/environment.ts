import path from 'node:path';

/** Set for a command that is asked as a model, and for all that it starts: our hook and our MCP server do nothing there. */
export const INSIDE_MODEL = 'REVERIE_INSIDE_MODEL';

/** Set by an agent for what it starts, by which another of its kind refuses to start. */
const OF_OTHER_AGENTS = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID'];

/**
 * The environment of an agent's command: the daemon's own without what is about Reverie, and with the folders of the command and of this
 * Node on the PATH, for many of the commands are scripts that name no place of theirs.
 */
export function agentEnvironment(
  environment: NodeJS.ProcessEnv,
  file: string,
  more: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !name.startsWith('REVERIE_') && !OF_OTHER_AGENTS.includes(name),
  );
  const folders = [path.dirname(file), environment['PATH'] ?? '', path.dirname(process.execPath)];
  return {
    ...Object.fromEntries(kept),
    ...more,
    PATH: folders.filter((folder) => folder !== '').join(path.delimiter),
    [INSIDE_MODEL]: '1',
  };
}
