/** Lines of a log of Claude Code as they are documented (shared/research/conventions.md A.1): a session of a day, mostly output of tools. */
export function* claudeLines(session: string, bytes: number): Generator<string> {
  const folder = '/home/ada/src/api';
  const words =
    'the limiter token bucket request window redis staging test burst retry module error port cache'.split(
      ' ',
    );
  let at = Date.parse('2026-11-20T09:00:00.000Z');
  let written = 0;
  const text = (n: number, seed: number) =>
    Array.from({ length: n }, (_, i) => words[(i * 7 + seed * 13 + ((i * seed) % 11)) % words.length]).join(
      ' ',
    );
  for (let turn = 0; written < bytes; turn++) {
    const common = { sessionId: session, cwd: folder, gitBranch: 'main', version: '2.1.230' };
    const stamp = () => new Date((at += 800)).toISOString();
    const call = `toolu_${turn}`;
    const records: object[] = [
      ...(turn % 8 === 0
        ? [
            {
              type: 'user',
              uuid: `u${turn}`,
              parentUuid: null,
              timestamp: stamp(),
              ...common,
              message: { role: 'user', content: `Step ${turn}: ${text(20, turn)}?` },
            },
          ]
        : []),
      {
        type: 'assistant',
        uuid: `a${turn}`,
        timestamp: stamp(),
        requestId: `r${turn}`,
        ...common,
        message: {
          id: `msg_${turn}`,
          role: 'assistant',
          model: 'claude-opus-4-5',
          content: [
            { type: 'text', text: text(40, turn) },
            {
              type: 'tool_use',
              id: call,
              name: 'Bash',
              input: { command: `grep -r ${words[turn % words.length]} .` },
            },
          ],
          usage: { input_tokens: 1200, output_tokens: 45 + turn, cache_read_input_tokens: 900 },
        },
      },
      {
        type: 'user',
        uuid: `t${turn}`,
        timestamp: stamp(),
        ...common,
        message: {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: call,
              content: text(400 + (turn % 5) * 300, turn),
              is_error: turn % 17 === 0,
            },
          ],
        },
      },
    ];
    for (const record of records) {
      const line = JSON.stringify(record);
      written += line.length + 1;
      yield line;
    }
  }
}
