import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const readme = fs.readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');

test('the example of the README prints what stands below it', () => {
  const [, example = '', output] = /^```ts\n(.*?)^```\n\n^```\n(.*?)^```$/ms.exec(readme) ?? [];
  const printed = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], {
    cwd: path.join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(printed).toBe(output);
});
