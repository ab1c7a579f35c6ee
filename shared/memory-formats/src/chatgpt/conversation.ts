import { z } from 'zod';
import { textOf } from '../fit.ts';
import { isObject } from '../json/plain-json.ts';
import { timeOf } from '../days/times.ts';

const Name = z.string().nullish().catch(undefined);
const Loose = z.record(z.string(), z.unknown()).nullish().catch(undefined);

const Message = z.object({
  author: z.object({ role: Name }).nullish().catch(undefined),
  create_time: z.unknown().optional(),
  content: Loose,
  recipient: Name,
  weight: z.unknown().optional(),
  metadata: Loose,
});

const Node = z.object({
  parent: Name,
  children: z.array(z.string()).nullish().catch(undefined),
  message: Message.nullish().catch(undefined),
});
type Node = z.infer<typeof Node>;

/** A conversation of the export: a tree of messages, of which one branch is what the person sees. */
export const Conversation = z.object({
  id: Name,
  conversation_id: Name,
  title: Name,
  create_time: z.unknown().optional(),
  update_time: z.unknown().optional(),
  current_node: Name,
  gizmo_id: Name,
  is_archived: z.boolean().nullish().catch(undefined),
  mapping: z.record(z.string(), Node.catch({ parent: undefined, children: undefined, message: undefined })),
});
export type Conversation = z.infer<typeof Conversation>;

/** What was said at one time; `time` in the form that is stored. */
interface ConversationTurn {
  role: 'user' | 'assistant';
  text: string;
  time: string | undefined;
  model: string | undefined;
  attachments: string[];
}

/** A question with its answers. */
export type Exchange = ConversationTurn[];

/** The exchanges of the branch that the person sees: each begins with what they said after an answer. */
export function exchangesOf(conversation: Conversation): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const node of branchOf(conversation)) {
    const turn = turnOf(node);
    if (!turn) continue;
    const current = exchanges.at(-1);
    if (!current || (turn.role === 'user' && current.at(-1)?.role === 'assistant')) exchanges.push([turn]);
    else current.push(turn);
  }
  return exchanges;
}

/** From the current message up to the root; without one, from the root down to the newest. Cycles end it. */
function branchOf({ mapping, current_node }: Conversation): Node[] {
  const seen = new Set<string>();
  const nodeOf = (id: string | null | undefined): Node | undefined => {
    if (id === null || id === undefined || seen.has(id) || !Object.hasOwn(mapping, id)) return undefined;
    seen.add(id);
    return mapping[id];
  };
  const branch: Node[] = [];
  if (current_node !== null && current_node !== undefined && Object.hasOwn(mapping, current_node)) {
    for (let node = nodeOf(current_node); node; node = nodeOf(node.parent)) branch.push(node);
    return branch.reverse();
  }
  const root = Object.keys(mapping).find((id) => !Object.hasOwn(mapping, mapping[id]?.parent ?? ''));
  for (let node = nodeOf(root); node; node = nodeOf(node.children?.at(-1))) branch.push(node);
  return branch;
}

/** What a message says to the other side; hidden ones, calls of tools and thoughts say nothing. */
function turnOf({ message }: Node): ConversationTurn | undefined {
  const role = message?.author?.role;
  if (!message || (role !== 'user' && role !== 'assistant')) return undefined;
  if (message.weight === 0 || message.metadata?.['is_visually_hidden_from_conversation'] === true)
    return undefined;
  if (typeof message.recipient === 'string' && message.recipient !== 'all') return undefined;
  const text = textOfContent(message.content ?? {});
  if (text === undefined) return undefined;
  return {
    role,
    text,
    time: timeOf(message.create_time, 'utc'),
    model: textOf(message.metadata?.['model_slug']),
    attachments: attachmentsOf(message.metadata?.['attachments']),
  };
}

const SILENT = new Set([
  'thoughts',
  'reasoning_recap',
  'user_editable_context',
  'model_editable_context',
  'system_error',
  'tether_browsing_display',
  'tether_quote',
]);

function textOfContent(content: Record<string, unknown>): string | undefined {
  if (SILENT.has(String(content['content_type']))) return undefined;
  const parts = Array.isArray(content['parts']) ? content['parts'] : [content['text']];
  const texts = parts.map(textOfPart).filter((text) => text !== undefined);
  return textOf(texts.join('\n\n'));
}

function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return textOf(part);
  if (!isObject(part)) return undefined;
  if (textOf(part['content_type'])?.startsWith('image')) return '[image]';
  return textOf(part['text']);
}

function attachmentsOf(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  return given
    .map((one) => (isObject(one) ? textOf(one['name']) : undefined))
    .filter((name) => name !== undefined);
}

/** Returns what the person told ChatGPT about themselves and how to answer, where a conversation carries it. */
export function instructionsIn({ mapping }: Conversation): string[] {
  const found = new Set<string>();
  for (const { message } of Object.values(mapping)) {
    const content = message?.content;
    if (content?.['content_type'] !== 'user_editable_context') continue;
    const text = instructionsOf(content['user_profile'], content['user_instructions']);
    if (text !== undefined) found.add(text);
  }
  return [...found];
}

/** Both custom instructions as one text. */
export function instructionsOf(profile: unknown, answers: unknown): string | undefined {
  const texts = [textOf(profile), textOf(answers)].filter((text) => text !== undefined);
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}
