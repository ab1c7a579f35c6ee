import type { Laid, SourceMarks } from './laid-out.ts';
import { layOut } from './lay-out.ts';

/** What the page asks of the worker, one at a time. */
export interface LayoutRequest {
  source: string;
  marks: SourceMarks;
}

/** `failed` says why a source could not be read, such as a nesting deeper than the stack. */
export type LayoutReply = { blocks: Laid[] } | { failed: string };

self.addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => self.postMessage(answer(data)));

function answer({ source, marks }: LayoutRequest): LayoutReply {
  try {
    return { blocks: layOut(source, marks) };
  } catch (error) {
    return { failed: String(error) };
  }
}
