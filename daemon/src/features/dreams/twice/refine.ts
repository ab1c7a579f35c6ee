import { loadTagWords } from '../../../language/parts-of-speech.ts';
import { readNamespace } from '../notes/reading.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { mergeEqual, mergeNear } from './merging.ts';
import { sameIn } from './same.ts';
import { refineSheets } from './sheets.ts';

const MOST = { equal: 40, reordered: 20 } as const;

/** Merges memories that say the same: equal but for case, punctuation and Markdown, or the same words in another order. */
export const refine: Strategy = {
  name: 'refine',
  sheets: refineSheets,
  async run(view, { model, progress, leaves }) {
    const { equal, reordered, misses } = sameIn(readNamespace(view), await loadTagWords());
    if (misses > 0 && !model)
      leaves?.(
        `${misses} ${misses === 1 ? 'pair differs' : 'pairs differ'} in one word; a model would tell whether ${misses === 1 ? 'it says' : 'they say'} the same`,
        misses,
      );
    progress(1, 1);
    return [
      ...equal.slice(0, MOST.equal).map(mergeEqual),
      ...reordered.slice(0, MOST.reordered).map((pair) => mergeNear(pair, 1)),
    ];
  },
};
