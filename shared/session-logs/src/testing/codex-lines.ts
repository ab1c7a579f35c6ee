/** The session of these lines: a UUID of version 7, made when they begin. */
export const CODEX_SESSION = '019fe8f3-7c00-7ff0-90af-653b66eba9f4';

/** The file in which Codex would keep it, below its root. */
export const CODEX_FILE = `sessions/2026/08/15/rollout-2026-08-15T14-00-00-${CODEX_SESSION}.jsonl`;

/** Ms since 1970 that the session began at, by its id. */
export const CODEX_START = 0x019fe8f37c00;

type Fields = Record<string, unknown>;

/** A line of a rollout. */
export interface CodexLine {
  timestamp: string;
  ordinal?: number;
  type: string;
  payload: Fields;
}

/** A time of these lines: seconds after their start, as Codex writes it. */
export function codexTime(second: number): string {
  return new Date(CODEX_START + second * 1000).toISOString();
}

function line(type: string, payload: Fields, second: number): CodexLine {
  return { timestamp: codexTime(second), type, payload };
}

/** The first line. */
export function metaLine(fields: Fields = {}, second = 0): CodexLine {
  return line(
    'session_meta',
    {
      id: CODEX_SESSION,
      timestamp: codexTime(0),
      cwd: '/home/ana/api',
      originator: 'codex-tui',
      cli_version: '0.144.3',
      source: 'cli',
      history_mode: 'legacy',
      git: { branch: 'main' },
      ...fields,
    },
    second,
  );
}

/** The context of a turn. */
export function contextLine(turn: string | undefined, fields: Fields = {}, second = 1): CodexLine {
  return line('turn_context', { turn_id: turn, cwd: '/home/ana/api', model: 'gpt-5.6', ...fields }, second);
}

/** An event of the log of what was displayed. */
export function eventLine(type: string, fields: Fields = {}, second = 1): CodexLine {
  return line('event_msg', { type, ...fields }, second);
}

/** An item of the log of what the model saw. */
export function itemLine(type: string, fields: Fields = {}, second = 1): CodexLine {
  return line('response_item', { type, ...fields }, second);
}

/** An item of a turn, as both modes of history have it. */
export function completedLine(type: string, fields: Fields = {}, second = 1): CodexLine {
  return eventLine(
    'item_completed',
    { thread_id: CODEX_SESSION, turn_id: 't1', item: { type, ...fields } },
    second,
  );
}

/** A message as the model saw it. */
export function messageLine(role: 'user' | 'assistant' | 'developer', text: string, second = 1): CodexLine {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return itemLine('message', { role, content: [{ type, text }] }, second);
}

/** A prompt in both logs of a file in the mode `legacy`. */
export function legacyPrompt(text: string, second = 1): CodexLine[] {
  return [
    messageLine('user', text, second),
    eventLine('user_message', { message: text, images: [], local_images: [] }, second),
  ];
}

/** An answer in both logs of a file in the mode `legacy`. */
export function legacyAnswer(text: string, second = 2): CodexLine[] {
  return [eventLine('agent_message', { message: text }, second), messageLine('assistant', text, second)];
}

/** A call with its result in both logs. */
export function legacyCommand(
  call: string,
  { command, output, exit = 0 }: { command: string; output: string; exit?: number },
  second = 2,
): CodexLine[] {
  const words = ['bash', '-lc', command];
  return [
    itemLine(
      'function_call',
      { name: 'exec_command', arguments: JSON.stringify({ cmd: command }), call_id: call },
      second,
    ),
    eventLine(
      'exec_command_end',
      { call_id: call, command: words, aggregated_output: output, exit_code: exit },
      second,
    ),
    itemLine(
      'function_call_output',
      { call_id: call, output: `Process exited with code ${exit}\nOutput:\n${output}` },
      second,
    ),
  ];
}

/** A script of code mode: its call, what it did meanwhile, and its output. */
export function scriptLines(
  call: string,
  {
    script,
    did = [],
    output = 'Script completed\nWall time 0.1 seconds\nOutput:\n',
  }: { script: string; did?: CodexLine[]; output?: string },
  second = 2,
): CodexLine[] {
  return [
    itemLine(
      'custom_tool_call',
      { name: 'exec', namespace: 'functions', input: script, call_id: call },
      second,
    ),
    ...did,
    itemLine(
      'custom_tool_call_output',
      { call_id: call, output: [{ type: 'input_text', text: output }] },
      second,
    ),
  ];
}

/**
 * Rewrites a file of the mode `legacy` as `codex migrate-rollouts --apply` does (its `canonicalizer.rs`): turns that were rolled back are left out,
 * events become items with names that it counts, reasoning is written once more with each part, lines get ordinals, and turns that
 * had no beginning get one. Times stay.
 */
export function migrated(lines: readonly CodexLine[]): CodexLine[] {
  const out: CodexLine[] = [];
  let items = 0;
  let turn: string | undefined;
  let reasoning: { id: string; summary_text: string[]; raw_content: string[] } | undefined;
  const write = (next: CodexLine) => void out.push({ ...next, ordinal: out.length });
  survivors(lines).forEach((next, index) => {
    const { payload } = next;
    const complete = (type: string, fields: Fields) => {
      if (turn === undefined) {
        turn = `rollout-${index}`;
        write({ ...next, type: 'event_msg', payload: { type: 'task_started', turn_id: turn } });
      }
      const item = { type, ...fields };
      write({ ...next, payload: { type: 'item_completed', thread_id: CODEX_SESSION, turn_id: turn, item } });
    };
    const name = () => `item-${++items}`;
    const kind = next.type === 'event_msg' ? payload.type : undefined;
    if (kind !== 'agent_reasoning' && kind !== undefined) reasoning = undefined;
    if (next.type === 'session_meta') write({ ...next, payload: { ...payload, history_mode: 'paginated' } });
    else if (kind === 'user_message') {
      complete('UserMessage', {
        id: name(),
        content: [{ type: 'text', text: payload.message, text_elements: [] }],
      });
    } else if (kind === 'agent_message') {
      complete('AgentMessage', { id: name(), content: [{ type: 'Text', text: payload.message }] });
    } else if (kind === 'agent_reasoning') {
      reasoning ??= { id: name(), summary_text: [], raw_content: [] };
      reasoning = { ...reasoning, summary_text: [...reasoning.summary_text, String(payload.text)] };
      complete('Reasoning', reasoning);
    } else if (kind === 'exec_command_end') {
      const { call_id, type: _, ...fields } = payload;
      complete('CommandExecution', {
        id: call_id,
        status: payload.exit_code === 0 ? 'completed' : 'failed',
        ...fields,
      });
    } else {
      if (kind === 'task_started' && typeof payload.turn_id === 'string') turn = payload.turn_id;
      if (kind === 'task_complete') turn = undefined;
      write(next);
    }
  });
  return out;
}

/** The lines without the turns that were rolled back, and without the records of that. */
function survivors(lines: readonly CodexLine[]): CodexLine[] {
  const kept: CodexLine[] = [];
  for (const next of lines) {
    if (next.payload.type !== 'thread_rolled_back') {
      kept.push(next);
      continue;
    }
    for (let turns = Number(next.payload.num_turns); turns > 0; turns--) {
      const at = kept.findLastIndex((line) => line.payload.type === 'user_message');
      if (at === -1) break;
      // The model's copy of the prompt stands before it.
      kept.splice(kept[at - 1]?.payload.role === 'user' ? at - 1 : at);
    }
  }
  return kept;
}
