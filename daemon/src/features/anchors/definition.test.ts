import { expectLinear } from '@reverie/shared/testing/linear';
import { describe, expect, test } from 'vitest';
import { definitionOf } from './definition.ts';

const linesOf = (text: string, symbol: string) => {
  const found = definitionOf(text.split('\n'), symbol);
  return found && [found.from, found.to];
};

const TS = `import { retry } from './retry.ts';
/** What retry does. */
export async function retryPolicy(
  a: string,
): Promise<void> {
  await retry(a, {
    most: 3,
  });
}

export const LIMIT = 3;

export class Worker extends Base {
  private most = 4;

  run(a: string): void {
    if (a) {
      this.stop();
    } else {
      retryPolicy(a);
    }
  }
}
type Form = { a: 1 };
export const call = (a: number) => {
  return a;
};`;

describe('what defines a symbol', () => {
  test.each([
    ['retryPolicy', [3, 9]],
    ['LIMIT', [11, 11]],
    ['Worker', [13, 23]],
    ['run', [16, 22]],
    ['Worker.run', [16, 22]],
    ['Worker#most', [14, 14]],
    ['Form', [24, 24]],
    ['call', [25, 27]],
    ['retry', undefined],
    ['stop', undefined],
    ['nothing', undefined],
    ['Worker.retryPolicy', undefined],
  ])('%s in TypeScript', (symbol, lines) => {
    expect(linesOf(TS, symbol)).toEqual(lines);
  });

  test.each([
    [
      'Python',
      'import wait\n\n@cached\ndef wait_for(a):\n    if a:\n        wait()\n\n    return a\n\nLIMIT = 3',
      'wait_for',
      [4, 8],
    ],
    ['Python', 'class A:\n    def b(self):\n        pass\n\n    def c(self):\n        pass\n', 'A.c', [5, 6]],
    ['Go', 'package a\n\nfunc (w *Worker) Run(n int) error {\n\treturn nil\n}\n', 'Run', [3, 5]],
    ['Rust', 'pub fn run<T>(n: T) -> T {\n    n\n}\n', 'run', [1, 3]],
    ['C', 'static int\nrun(int n)\n{\n    return n;\n}\n', 'run', [2, 5]],
    ['C++', 'void Worker::run() {\n  stop();\n}\n', 'run', [1, 3]],
    ['Ruby', 'def run\n  stop\nend\n\nrun\n', 'run', [1, 3]],
    ['shell', 'run() {\n  stop\n}\nrun "$@"\n', 'run', [1, 3]],
    ['SQL', 'CREATE TABLE runs (\n  id INTEGER\n) STRICT;\n', 'runs', [1, 3]],
    ['one line', 'int run(int n) { return n; }\n', 'run', [1, 1]],
  ])('in %s: %#', (...[, text, symbol, lines]) => {
    expect(linesOf(text, symbol)).toEqual(lines);
  });
});

test('time grows with the text', async () => {
  await expectLinear(
    (length) =>
      definitionOf(
        Array.from({ length: length / 40 }, () => 'a ( b ( c aa bb cc (( x) (y) run, run)'),
        'run',
      ),
    800_000,
  );
});
