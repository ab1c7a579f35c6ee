import type { ReadRecord, ReadEntry } from '../../format.ts';
import { countIn, isLogObject, type LogObject, listIn, nameOf, objectIn, textIn } from '../../json.ts';
import { labelOf } from '../../reads.ts';
import { callText, filesOf } from '../../tools.ts';
import { blockMark, contentText, jsonText } from '../../words.ts';
import type { BlockNumbers } from './block-numbers.ts';
import { resultEntry } from './results.ts';
import type { RecordPlace } from './place.ts';

/** Reads an `assistant` record: its blocks, and what the reply cost so far. */
export function assistantReads(record: LogObject, place: RecordPlace, blocks: BlockNumbers): ReadRecord[] {
  const message = objectIn(record, 'message') ?? {};
  const id = nameOf(textIn(message, 'id') ?? place.item);
  const content =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : listIn(message, 'content');
  const at = content.length === 1 ? countIn(record, 'apiBlockIndex') : undefined;
  const reads: ReadRecord[] = [];
  const taken = new Set<number>();
  for (const block of content) {
    if (!isLogObject(block)) continue;
    const entry = blockEntry(block, { id, at, place, blocks, taken });
    if (entry) reads.push({ session: place.session, kind: 'entry', entry });
  }
  const usage = usageOf(message, id, textIn(record, 'requestId') ?? '');
  if (usage) reads.push({ session: place.session, kind: 'usage', usage });
  return reads;
}

interface Within {
  id: string;
  at: number | undefined;
  place: RecordPlace;
  blocks: BlockNumbers;
  taken: Set<number>;
}

function blockEntry(block: LogObject, { id, at, place, blocks, taken }: Within): ReadEntry | undefined {
  const type = textIn(block, 'type') ?? '';
  const own = textIn(block, 'id') ?? textIn(block, 'tool_use_id');
  const said = wordsOf(type, block);
  // Empty thinking with a signature, too, has its number: another block must not get it.
  const { n, outdated } = blocks.number(id, { type, own, text: said?.text ?? '', at }, taken);
  if (outdated || said === undefined) return undefined;
  const base = { item: `${id}#${n}`, at: place.at, byPerson: false };
  if (said.kind === 'tool_result') return resultEntry(block, place, undefined);
  if (said.kind !== 'tool_call')
    return said.text === '' ? undefined : { ...base, kind: said.kind, text: said.text };
  const name = labelOf(textIn(block, 'name') ?? 'unnamed');
  const call = own === undefined ? undefined : nameOf(own);
  if (call !== undefined) place.tools.set(call, name);
  const files = filesOf(name, block.input);
  return {
    ...base,
    ...(call !== undefined && { item: call }),
    kind: 'tool_call',
    text: said.text,
    tool: { name, ...(call !== undefined && { call }) },
    ...(files.length > 0 && { files }),
  };
}

type Said = { kind: 'answer' | 'thinking' | 'tool_call' | 'tool_result' | 'other'; text: string };

/** Undefined where nothing can be read of it: encrypted thinking. */
function wordsOf(type: string, block: LogObject): Said | undefined {
  switch (type) {
    case 'text':
      return { kind: 'answer', text: (textIn(block, 'text') ?? '').toWellFormed() };
    case 'thinking':
      return { kind: 'thinking', text: (textIn(block, 'thinking') ?? '').toWellFormed() };
    case 'redacted_thinking':
    case 'fallback':
      return undefined;
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { kind: 'tool_call', text: callText(block.input).toWellFormed() };
    case 'image':
    case 'document':
      return { kind: 'answer', text: blockMark(block) ?? contentText(block.source) };
    default:
      return type.endsWith('tool_result')
        ? { kind: 'tool_result', text: '' }
        : { kind: 'other', text: jsonText(block).toWellFormed() };
  }
}

function usageOf(message: LogObject, id: string, request: string) {
  const usage = objectIn(message, 'usage');
  const output = countIn(usage, 'output_tokens');
  const model = textIn(message, 'model');
  // `<synthetic>`: written by the program itself, such as the text of a failure.
  if (!usage || output === undefined || model === undefined || model.startsWith('<')) return undefined;
  const input =
    (countIn(usage, 'input_tokens') ?? 0) +
    (countIn(usage, 'cache_creation_input_tokens') ?? 0) +
    (countIn(usage, 'cache_read_input_tokens') ?? 0);
  return { item: nameOf(`${id}:${request}`), model: labelOf(model), input, output };
}
