import type { ReadRecord } from '../../format.ts';
import { isLogObject, type LogObject, listIn, objectIn, parseJson, textIn } from '../../json.ts';
import { callText } from '../../tools.ts';
import { binaryMark, contentText } from '../../words.ts';
import { callReads, outputReads } from './calls.ts';
import { customCallReads, customOutputReads } from './code-mode.ts';
import { isInjected, typedWords } from './injected.ts';
import { type RecordPlace, promptReads, saidReads } from './place.ts';

/** Kinds of items that hold nothing to read: encrypted, or of the program alone. */
const SILENT: ReadonlySet<string> = new Set([
  'additional_tools',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'ghost_snapshot',
  'other',
]);

/**
 * Reads an item of the log of what the model saw; undefined where its kind is unknown. `alone`: the file has no log of what was displayed
 * (as until September 2025), so that prompts are read here as well.
 */
export function modelReads(item: LogObject, place: RecordPlace, alone: boolean): ReadRecord[] | undefined {
  const kind = textIn(item, 'type') ?? '';
  switch (kind) {
    case 'message':
      return messageReads(item, place, alone);
    case 'reasoning':
      return [...listIn(item, 'summary'), ...listIn(item, 'content')].flatMap((part) =>
        saidReads(place, {
          kind: 'thinking',
          text: isLogObject(part) ? contentText(part) : '',
          stream: 'model',
        }),
      );
    case 'function_call':
      return callReads(place, {
        call: callOf(item, place),
        name: textIn(item, 'name') ?? 'unnamed',
        input: argumentsOf(item.arguments),
      });
    case 'custom_tool_call':
      return customCallReads(place, {
        call: callOf(item, place),
        name: textIn(item, 'name') ?? 'unnamed',
        input: item.input,
      });
    case 'local_shell_call':
      return callReads(place, { call: callOf(item, place), name: 'shell', input: objectIn(item, 'action') });
    case 'tool_search_call':
      return callReads(place, {
        call: callOf(item, place),
        name: 'tool_search',
        input: argumentsOf(item.arguments),
      });
    case 'web_search_call':
      return searchReads(place, { action: item.action, query: undefined, stream: 'model' });
    case 'image_generation_call':
      return callReads(place, {
        call: callOf(item, place),
        name: 'image_generation',
        input: imageCall(item),
      });
    case 'custom_tool_call_output':
      return customOutputReads(place, callOf(item, place), item.output);
    case 'function_call_output':
    case 'tool_search_output':
      return outputReads(place, callOf(item, place), item.output ?? item.tools);
    case 'agent_message':
      return fromAgent(item, place);
    default:
      return SILENT.has(kind) ? [] : undefined;
  }
}

function messageReads(item: LogObject, place: RecordPlace, alone: boolean): ReadRecord[] {
  const text = contentText(item.content);
  if (item.role === 'assistant') {
    const kind = item.phase === 'commentary' ? 'thinking' : 'answer';
    return saidReads(place, { kind, text, stream: 'model' });
  }
  if (item.role !== 'user' || !alone || isInjected(text)) return [];
  const words = typedWords(text);
  return promptReads(place, { text: words, words, byPerson: true });
}

/** Reads what another agent wrote to this one. Certain is that it is a text, not which of the two asked. */
export function fromAgent(item: LogObject, place: RecordPlace): ReadRecord[] {
  const text = contentText(item.content ?? item.message);
  if (text.trim() === '' || isInjected(text)) return [];
  return promptReads(place, { text, words: text, byPerson: false });
}

/** A search of the web. In one of the two logs searches have no id, so they are told apart by what was looked for. */
export function searchReads(
  place: RecordPlace,
  { action, query, stream }: { action: unknown; query: string | undefined; stream: 'model' | 'display' },
): ReadRecord[] {
  const input = isLogObject(action) ? action : {};
  const words = query ?? textIn(input, 'query') ?? textIn(input, 'url') ?? callText(input);
  if (words === '') return [];
  const { item, first } = place.said.name('search', words, stream);
  return first ? callReads(place, { call: item, name: 'web_search', input, text: words }) : [];
}

function callOf(item: LogObject, place: RecordPlace): string {
  const call = textIn(item, 'call_id') ?? textIn(item, 'id');
  return (
    call ?? place.said.name('call', callText(item.arguments ?? item.input ?? item.action ?? ''), 'model').item
  );
}

/** Arguments are JSON within a text. */
function argumentsOf(given: unknown): unknown {
  return typeof given === 'string' ? (parseJson(given) ?? given) : given;
}

function imageCall(item: LogObject): LogObject {
  const result = textIn(item, 'result');
  return {
    prompt: textIn(item, 'revised_prompt') ?? '',
    ...(result !== undefined && { image: binaryMark('image/png', result) }),
  };
}
