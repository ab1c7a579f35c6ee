import { existsSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { CHROMIUM } from '../chromium.ts';

/** Tests of one file that this machine cannot run. */
export interface Skipped {
  file: string;
  tests: number;
}

/** What the last lines of a run say of the tests that did not run; nothing where all did. */
export function toldOfSkipped(skipped: readonly Skipped[], hasBrowser: boolean): string[] {
  const isJourney = ({ file }: Skipped) => !hasBrowser && file.startsWith('e2e/journeys/');
  return [
    ...told(skipped.filter(isJourney), `there is no Chromium at ${CHROMIUM}`),
    ...told(
      skipped.filter((one) => !isJourney(one)),
      'this machine lacks what they need',
    ),
  ];
}

function told(skipped: readonly Skipped[], why: string): string[] {
  if (skipped.length === 0) return [];
  const tests = skipped.reduce((sum, one) => sum + one.tests, 0);
  const some = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const files = skipped.map(({ file }) => file).sort();
  return [
    `NOT RUN: ${some(tests, 'test')} in ${some(files.length, 'file')}, because ${why}:`,
    ...files.map((file) => `  ${file}`),
  ];
}

/** Says behind the summary which tests did not run here, so that a green run is not taken for a whole one. */
export class SkippedReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // What `-t` left out was meant to be left out.
    if (this.#vitest?.config.testNamePattern) return;
    const skipped = modules.flatMap((module) => {
      const own = [...module.children.allTests('skipped')];
      return own.length === 0 ? [] : [{ file: module.relativeModuleId, tests: own.length }];
    });
    const lines = toldOfSkipped(skipped, existsSync(CHROMIUM));
    if (lines.length > 0) console.log(`\n${lines.join('\n')}\n`);
  }
}
