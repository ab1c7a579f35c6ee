import { expect, test } from 'vitest';
import { partsOfPatch } from './PatchView.tsx';

test('a patch is told apart into heads, what goes, what comes and what stays, and loses nothing', () => {
  const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+d\n e';
  const parts = partsOfPatch(patch);
  expect(parts.map(({ kind }) => kind)).toEqual(['head', 'same', 'removed', 'added', 'same']);
  expect(parts.map(({ text }) => text).join('')).toBe(patch);
});
