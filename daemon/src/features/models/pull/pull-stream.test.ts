import { describe, expect, test } from 'vitest';
import { followPull, type PullProgress, UnreadableLine } from './pull-stream.ts';

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}
const follow = async (...parts: string[]) => {
  const told: PullProgress[] = [];
  const end = await followPull(bytes(...parts), (progress) => told.push(progress));
  return { end, told };
};

describe('the stream of a pull', () => {
  test('bytes are summed over layers, however the lines are cut', async () => {
    const text =
      '{"status":"pulling manifest"}\n' +
      '{"status":"pulling a","digest":"a","total":100}\n' +
      '{"status":"pulling a","digest":"a","total":100,"completed":60}\n' +
      '{"status":"pulling b","digest":"b","total":10,"completed":10}\n' +
      '{"status":"pulling a","digest":"a","total":100,"completed":400}\n' +
      '{"status":"verifying sha256 digest"}\n{"status":"success"}';
    const expected = {
      end: { kind: 'done' },
      told: [
        { done: 0, total: 100 },
        { done: 60, total: 100 },
        { done: 70, total: 110 },
        { done: 110, total: 110 },
      ],
    };
    expect(await follow(text)).toEqual(expected);
    expect(await follow(...(text.match(/[^]{1,7}/gu) ?? []))).toEqual(expected);
  });

  test('a failure is a line, and an end without one is broken', async () => {
    expect((await follow('{"error":"max retries exceeded"}\n')).end).toEqual({
      kind: 'failed',
      message: 'max retries exceeded',
    });
    expect((await follow('{"status":"pulling manifest"}\n')).end).toEqual({ kind: 'broken' });
    expect((await follow('')).end).toEqual({ kind: 'broken' });
  });

  test.each(['<html>', '[]\n', '"x"\n', '{"total":-1,"digest":"a"}\n', 'x'.repeat(70_000)])(
    'what Ollama does not send is refused: %.20s',
    async (text) => {
      await expect(follow(text)).rejects.toThrow(UnreadableLine);
    },
  );
});
