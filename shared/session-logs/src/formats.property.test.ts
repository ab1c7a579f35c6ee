import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { claudeCode } from './agents/claude-code/claude-code.ts';
import { codex } from './agents/codex/codex.ts';
import type { SessionFormat } from './format.ts';
import { sessionFormats } from './formats.ts';
import { gemini } from './agents/gemini.ts';
import { pi } from './agents/pi.ts';
import { qwen } from './agents/qwen.ts';
import { CLAUDE_FILE, CLAUDE_SESSION } from './testing/claude-lines.ts';
import { claudeSession } from './testing/claude-sessions.ts';
import {
  CODEX_FILE,
  CODEX_SESSION,
  codexTime,
  legacyPrompt,
  metaLine,
  migrated,
} from './testing/codex-lines.ts';
import { codexSession, turnIdAt } from './testing/codex-sessions.ts';
import { type Collector, collect, createCollector, readerOf } from './testing/collector.ts';
import { GEMINI_FILE } from './testing/gemini-lines.ts';
import { geminiSession, piSession, qwenSession } from './testing/made-sessions.ts';
import { PI_FILE } from './testing/pi-lines.ts';
import { QWEN_FILE } from './testing/qwen-lines.ts';

const often = { numRuns: runs(50, 300) };

interface Agent {
  format: SessionFormat;
  path: string;
  session: fc.Arbitrary<object[]>;
  /** A line that says nothing. */
  nothing: object;
}

const agents: Agent[] = [
  {
    format: claudeCode,
    path: CLAUDE_FILE,
    session: claudeSession,
    nothing: { type: 'mode', mode: 'x' },
  },
  {
    format: codex,
    path: CODEX_FILE,
    session: codexSession,
    nothing: { type: 'world_state', payload: {} },
  },
  { format: gemini, path: GEMINI_FILE, session: geminiSession, nothing: { $set: { lastUpdated: 'x' } } },
  {
    format: qwen,
    path: QWEN_FILE,
    session: qwenSession,
    nothing: { type: 'system', subtype: 'ui_telemetry' },
  },
  { format: pi, path: PI_FILE, session: piSession, nothing: { type: 'label', label: 'x' } },
];

function texts(lines: readonly object[]): string[] {
  return lines.map((line) => JSON.stringify(line));
}

/** Everything that was read, apart from what was malformed. */
function state(collector: Collector) {
  return [...collector.sessions()].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe.each(agents)('$format.agent', ({ format, path, session, nothing }) => {
  const whole = (lines: readonly string[]) => collect(format, path, { lines });

  it('any prefix, cut anywhere inside a line, and then all from the start ends in the same entries', () => {
    fc.assert(
      fc.property(session, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const lines = texts(given);
        const file = lines.join('\n');
        const prefix = file.slice(0, Math.floor(file.length * part)).split('\n');
        const collector = whole(prefix);
        collect(format, path, { lines, into: collector });
        expect(state(collector)).toEqual(state(whole(lines)));
      }),
      often,
    );
  });

  it('a line that is cut changes nothing of what a reader makes of the lines behind it', () => {
    fc.assert(
      fc.property(session, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (given, at, part) => {
        const lines = texts(given);
        const n = at % lines.length;
        const line = lines[n] ?? '';
        const cut = line.slice(0, Math.floor((line.length - 1) * part));
        expect(state(whole([...lines.slice(0, n), cut, ...lines.slice(n)]))).toEqual(state(whole(lines)));
      }),
      often,
    );
  });

  it('all of it twice, by two readers or by readers that stop at any line, ends in the same entries', () => {
    fc.assert(
      fc.property(session, fc.array(fc.nat(), { maxLength: 4 }), (given, stops) => {
        const lines = texts(given);
        const collector = createCollector();
        for (const stop of stops) {
          collect(format, path, { lines: lines.slice(0, stop % (lines.length + 1)), into: collector });
        }
        collect(format, path, { lines, into: collector });
        collect(format, path, { lines, into: collector });
        expect(state(collector)).toEqual(state(whole(lines)));
      }),
      often,
    );
  });

  it('no entry has a place in the file in its name: lines that say nothing may stand anywhere', () => {
    fc.assert(
      fc.property(session, fc.array(fc.nat(), { maxLength: 5 }), (given, places) => {
        const lines = texts(given);
        const more = [...lines];
        for (const place of places) more.splice(place % (more.length + 1), 0, JSON.stringify(nothing));
        expect(state(whole(more))).toEqual(state(whole(lines)));
      }),
      often,
    );
  });
});

/** Lines of several files as a watcher may meet them: those of one file in their order, files in any. */
function interleaved(
  files: Map<string, string[]>,
  format: SessionFormat,
  order: readonly number[],
): Collector {
  const collector = createCollector();
  const open = [...files].map(([path, lines]) => ({ reader: readerOf(format, path), lines: [...lines] }));
  for (const pick of order) {
    const file = open[pick % open.length];
    const line = file?.lines.shift();
    if (file && line !== undefined) collector.takeLine(file.reader.read(line));
  }
  for (const { reader, lines } of open) for (const line of lines) collector.takeLine(reader.read(line));
  return collector;
}

describe('any order of files', () => {
  it('a session of Claude Code, its fork and its subagent end in the same entries', () => {
    fc.assert(
      fc.property(claudeSession, claudeSession, fc.array(fc.nat(), { maxLength: 60 }), (main, sub, order) => {
        const fork = 'f0f0f0f0-0000-4000-8000-000000000000';
        const forked = main.map((line) => ({
          ...line,
          sessionId: fork,
          forkedFrom: { sessionId: CLAUDE_SESSION },
        }));
        const files = new Map([
          [CLAUDE_FILE, texts(main)],
          [`-home-ana-app/${fork}.jsonl`, texts(forked)],
          [`-home-ana-app/${CLAUDE_SESSION}/subagents/agent-a1.jsonl`, texts(sub)],
        ]);
        expect(state(interleaved(files, claudeCode, order))).toEqual(
          state(interleaved(files, claudeCode, [])),
        );
      }),
      often,
    );
  });

  it('a fork of Claude Code has the items of its parent', () => {
    fc.assert(
      fc.property(claudeSession, (main) => {
        const lines = main.filter((line) => line.isSidechain !== true && line.type !== 'queue-operation');
        const fork = collect(claudeCode, '-home-ana-app/f0f0.jsonl', { lines });
        const items = (collector: Collector, id: string) =>
          collector.session(id).entries.map(({ item }) => item);
        const parent = collect(claudeCode, CLAUDE_FILE, { lines });
        expect(items(fork, 'f0f0')).toEqual(items(parent, CLAUDE_SESSION));
      }),
      often,
    );
  });

  it('a session of Codex, a fork that repeats it, and the index end in the same entries', () => {
    fc.assert(
      fc.property(codexSession, codexSession, fc.array(fc.nat(), { maxLength: 60 }), (main, own, order) => {
        // Of 10 minutes later: all turns of the parent are older.
        const fork = `${turnIdAt(600).slice(0, 13)}-7ff0-90af-000000000000`;
        const later = own.slice(1).map((line) => {
          const turn = line.payload.turn_id;
          return turn === undefined
            ? line
            : { ...line, payload: { ...line.payload, turn_id: turnIdAt(700) } };
        });
        const begin = {
          ...metaLine(),
          type: 'turn_context',
          payload: { turn_id: turnIdAt(650), model: 'm' },
        };
        const lines = [metaLine({ id: fork, forked_from_id: CODEX_SESSION }), ...main, begin, ...later];
        const path = `sessions/2026/08/15/rollout-2026-08-15T14-10-00-${fork}.jsonl`;
        const files = new Map([
          [CODEX_FILE, texts(main)],
          [path, texts(lines)],
          [
            'session_index.jsonl',
            texts([{ id: CODEX_SESSION, thread_name: 'Named', updated_at: codexTime(1) }]),
          ],
        ]);
        const collector = interleaved(files, codex, order);
        expect(state(collector)).toEqual(state(interleaved(files, codex, [])));
        const alone = collect(codex, CODEX_FILE, { lines: own });
        expect(collector.session(fork).entries).toEqual(alone.session(CODEX_SESSION).entries);
      }),
      often,
    );
  });
});

describe('a rollout that migrate-rollouts rewrites', () => {
  it('has the same entries alone, and leaves those that were read before it', () => {
    fc.assert(
      fc.property(codexSession, fc.nat(), (given, stop) => {
        const before = collect(codex, CODEX_FILE, { lines: given });
        const rewritten = migrated(given);
        const after = collect(codex, CODEX_FILE, { lines: rewritten });
        expect(after.session().entries).toEqual(before.session().entries);
        const both = collect(codex, CODEX_FILE, {
          lines: rewritten.slice(0, stop % rewritten.length),
          into: before,
        });
        collect(codex, CODEX_FILE, { lines: rewritten, into: both });
        expect(both.session().entries).toEqual(after.session().entries);
      }),
      often,
    );
  });
});

describe('anything', () => {
  const hostile = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.string({ unit: 'binary' }),
    fc
      .record({
        type: fc.constantFrom(
          'user',
          'assistant',
          'system',
          'progress',
          'attachment',
          'response_item',
          'event_msg',
          'session_meta',
          'compacted',
          'user.message',
          'assistant.message',
          'tool.execution_complete',
          'gemini',
          'tool_result',
          'message',
          'session',
        ),
        role: fc.constantFrom('user', 'assistant'),
        uuid: fc.anything(),
        timestamp: fc.anything(),
        message: fc.oneof(
          fc.anything(),
          fc.record({ content: fc.anything(), usage: fc.anything(), id: fc.anything() }),
          fc.record({ parts: fc.array(fc.record({ text: fc.anything(), functionResponse: fc.anything() })) }),
          fc.record({
            role: fc.constantFrom('assistant', 'toolResult', 'bashExecution'),
            content: fc.anything(),
          }),
        ),
        content: fc.anything(),
        toolCalls: fc.anything(),
        systemPayload: fc.anything(),
        payload: fc.oneof(
          fc.anything(),
          fc.record({
            type: fc.constantFrom(
              'message',
              'reasoning',
              'function_call',
              'function_call_output',
              'user_message',
              'item_completed',
              'thread_rolled_back',
              'token_count',
              'patch_apply_end',
              'mcp_tool_call_end',
            ),
            content: fc.anything(),
            item: fc.record({
              type: fc.constantFrom('UserMessage', 'FileChange', 'McpToolCall', 'Reasoning'),
              content: fc.anything(),
              changes: fc.anything(),
            }),
            num_turns: fc.anything(),
            changes: fc.anything(),
            output: fc.anything(),
            arguments: fc.anything(),
          }),
        ),
        data: fc.oneof(
          fc.anything(),
          fc.record({ content: fc.anything(), toolRequests: fc.anything(), toolCallId: fc.anything() }),
        ),
      })
      .map((value) =>
        JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)),
      ),
  );
  const paths: [SessionFormat, string][] = [
    [claudeCode, CLAUDE_FILE],
    [codex, CODEX_FILE],
    [codex, 'session_index.jsonl'],
    ...sessionFormats.flatMap((format): [SessionFormat, string][] =>
      format.agent === 'copilot'
        ? [[format, 'session-state/5f1c/events.jsonl']]
        : format.agent === 'cursor'
          ? [[format, 'projects/p/agent-transcripts/7d3e.jsonl']]
          : format.agent === 'antigravity'
            ? [[format, 'antigravity/brain/1/.system_generated/logs/transcript.jsonl']]
            : [],
    ),
    [gemini, GEMINI_FILE],
    [qwen, QWEN_FILE],
    [pi, PI_FILE],
  ];

  it('fails no reader, and every entry is whole: a fit name, a text that can be stored, a time', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 6 }), fc.constantFrom(...paths), (lines, [format, path]) => {
        const collector = collect(format, path, { lines: [...lines, ...texts(legacyPrompt('after'))] });
        for (const { entries, usage } of collector.sessions().values()) {
          for (const entry of entries) {
            expect(entry.item).toMatch(/^[^\s\u0000-\u001f]{1,300}$/);
            expect(entry.text.isWellFormed()).toBe(true);
            expect(entry.tool?.name.isWellFormed() ?? true).toBe(true);
            expect(Number.isSafeInteger(entry.at) && entry.at >= 0).toBe(true);
          }
          for (const { input, output } of usage) expect(Number.isSafeInteger(input + output)).toBe(true);
        }
      }),
      { numRuns: runs(200, 3_000) },
    );
  });
});
