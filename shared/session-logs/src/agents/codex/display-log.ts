import type { ReadRecord } from '../../format.ts';
import { countIn, isLogObject, type LogObject, listIn, nameOf, objectIn, textIn } from '../../json.ts';
import { addressMark, contentText, jsonText } from '../../words.ts';
import { changesOf, displayedReads, failedBy, resultReads } from './calls.ts';
import { isInjected, typedWords } from './injected.ts';
import { searchReads } from './model-log.ts';
import { newParts, type RecordPlace, promptReads, saidReads } from './place.ts';

/** Events that say nothing of what was said or done, or say it a second time. */
const SILENT: ReadonlySet<string> = new Set(
  `agent_message_content_delta agent_message_delta agent_reasoning_delta agent_reasoning_section_break
  apply_patch_approval_request background_event collab_agent_interaction_begin collab_agent_interaction_end
  collab_agent_spawn_begin collab_close_begin collab_close_end collab_resume_begin collab_resume_end
  collab_waiting_begin collab_waiting_end context_compacted conversation_path deprecation_notice
  dynamic_tool_call_request dynamic_tool_call_response elicitation_request entered_review_mode error
  exec_approval_request exec_command_begin exec_command_output_delta get_history_entry_response
  guardian_assessment guardian_warning hook_completed hook_started image_generation_begin item_started
  list_custom_prompts_response list_skills_response mcp_list_tools_response mcp_startup_complete
  mcp_startup_update mcp_tool_call_begin model_reroute model_verification patch_apply_begin
  patch_apply_updated plan_delta plan_update raw_response_item realtime_conversation_closed
  realtime_conversation_realtime realtime_conversation_sdp realtime_conversation_started
  reasoning_content_delta reasoning_raw_content_delta request_permissions request_user_input
  safety_buffering session_configured shutdown_complete skills_update_available stream_error task_complete
  task_started terminal_interaction thread_goal_updated thread_settings_applied turn_aborted turn_complete
  turn_diff turn_moderation_metadata turn_started undo_completed undo_started view_image_tool_call warning
  web_search_begin`.split(/\s+/),
);

/** An event of the log of what was displayed; undefined where it is of a kind that nobody knows. */
export function displayReads(event: LogObject, place: RecordPlace): ReadRecord[] | undefined {
  const kind = textIn(event, 'type') ?? '';
  switch (kind) {
    case 'user_message':
      return userReads(textIn(event, 'message') ?? '', imagesOf(event), place);
    case 'agent_message':
      return answerReads(event, textIn(event, 'message') ?? '', place);
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return saidReads(place, { kind: 'thinking', text: textIn(event, 'text') ?? '', stream: 'display' });
    case 'exec_command_end':
      return commandReads(event, place);
    case 'patch_apply_end':
      return changeReads(event, place);
    case 'mcp_tool_call_end':
      return mcpReads({ ...objectIn(event, 'invocation'), ...event }, place);
    case 'web_search_end':
      return searchReads(place, { action: event.action, query: textIn(event, 'query'), stream: 'display' });
    case 'collab_agent_spawn_end':
      return spawnReads(event, place, textIn(event, 'new_thread_id'));
    case 'sub_agent_activity':
      return activityReads(event, place);
    case 'exited_review_mode':
      return reviewReads(event, place);
    case 'image_generation_end':
      return imageReads(event, place);
    case 'item_completed':
      return isLogObject(event.item) ? itemReads(event.item, place) : undefined;
    default:
      return SILENT.has(kind) ? [] : undefined;
  }
}

/** An item of a turn, as `item_completed` and the database have it; names of its members differ between both. */
export function itemReads(item: LogObject, place: RecordPlace): ReadRecord[] | undefined {
  const kind = (textIn(item, 'type') ?? '').toLowerCase();
  switch (kind) {
    case 'usermessage':
      return once(item, place, inputReads);
    case 'agentmessage':
    case 'plan':
      return once(item, place, () =>
        answerReads(item, textIn(item, 'text') ?? partsText(item.content), place),
      );
    case 'reasoning':
      return reasoningReads(item, place);
    case 'commandexecution':
      return commandReads(item, place);
    case 'filechange':
      return changeReads(item, place);
    case 'mcptoolcall':
    case 'dynamictoolcall':
      return mcpReads(item, place);
    case 'websearch':
      return searchReads(place, { action: item.action, query: textIn(item, 'query'), stream: 'display' });
    case 'collabagenttoolcall':
      return spawnReads(item, place, threadsOf(item)[0]);
    case 'subagentactivity':
      return activityReads(item, place);
    case 'imageview':
      return displayedReads(place, {
        call: { call: idOf(item, place), name: 'view_image', input: { path: item.path } },
      });
    case 'imagegeneration':
      return imageReads(item, place);
    case 'hookprompt':
    case 'sleep':
    case 'contextcompaction':
    case 'enteredreviewmode':
      return [];
    case 'exitedreviewmode':
      return reviewReads(item, place);
    default:
      return undefined;
  }
}

/** An item that comes again under its id is that item. */
function once(
  item: LogObject,
  place: RecordPlace,
  reads: (item: LogObject, place: RecordPlace) => ReadRecord[],
): ReadRecord[] {
  return newParts(place, textIn(item, 'id'), [item]).flatMap((one) => reads(one, place));
}

/** A rewritten file has reasoning once more with each part that was added to it. */
function reasoningReads(item: LogObject, place: RecordPlace): ReadRecord[] {
  const id = textIn(item, 'id');
  return ['summary_text', 'summary', 'raw_content', 'content'].flatMap((name) =>
    newParts(place, id && `${id}/${name}`, listIn(item, name)).flatMap((part) =>
      saidReads(place, { kind: 'thinking', text: contentText([part]), stream: 'display' }),
    ),
  );
}

function userReads(given: string, images: readonly string[], place: RecordPlace): ReadRecord[] {
  const words = typedWords(given);
  if (isInjected(words)) return [];
  return promptReads(place, {
    text: [words, ...images].filter((part) => part !== '').join('\n'),
    words,
    byPerson: true,
  });
}

function imagesOf(event: LogObject): string[] {
  return [...listIn(event, 'images'), ...listIn(event, 'local_images')].flatMap((image) =>
    typeof image === 'string' ? addressMark(image) : [],
  );
}

function inputReads(item: LogObject, place: RecordPlace): ReadRecord[] {
  const parts = listIn(item, 'content').filter(isLogObject);
  const images = parts.flatMap((part) => {
    const address = textIn(part, 'image_url') ?? textIn(part, 'url') ?? textIn(part, 'path');
    return part.text === undefined && address !== undefined ? addressMark(address) : [];
  });
  return userReads(parts.map((part) => textIn(part, 'text') ?? '').join(''), images, place);
}

function partsText(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => (isLogObject(part) ? (textIn(part, 'text') ?? '') : '')).join('');
}

function answerReads(from: LogObject, text: string, place: RecordPlace): ReadRecord[] {
  const kind = from.phase === 'commentary' ? 'thinking' : 'answer';
  return saidReads(place, { kind, text, stream: 'display' });
}

function idOf(item: LogObject, place: RecordPlace): string {
  return (
    textIn(item, 'call_id') ??
    textIn(item, 'id') ??
    textIn(item, 'event_id') ??
    place.said.name('call', jsonText(item), 'display').item
  );
}

function commandReads(item: LogObject, place: RecordPlace): ReadRecord[] {
  const streams = [textIn(item, 'stdout'), textIn(item, 'stderr')]
    .filter((text) => text !== undefined)
    .join('\n');
  const text = item.aggregated_output ?? item.aggregatedOutput ?? streams;
  return displayedReads(place, {
    call: { call: idOf(item, place), name: 'shell', input: { command: item.command } },
    result: { text: typeof text === 'string' ? text : streams, failed: failedBy(item) },
  });
}

function changeReads(item: LogObject, place: RecordPlace): ReadRecord[] {
  const { files, text } = changesOf(item.changes);
  const said = [textIn(item, 'stdout'), textIn(item, 'stderr')]
    .filter((part) => part !== undefined)
    .join('\n');
  return displayedReads(place, {
    call: { call: idOf(item, place), name: 'apply_patch', input: undefined, text, files },
    result: { text: said === '' ? text : said, failed: failedBy(item), files },
  });
}

function mcpReads(item: LogObject, place: RecordPlace): ReadRecord[] {
  const outcome = objectIn(item, 'result');
  const fine = objectIn(outcome, 'Ok') ?? outcome;
  const failure =
    textIn(outcome, 'Err') ?? textIn(item, 'error') ?? textIn(objectIn(item, 'error'), 'message');
  const content = fine?.content ?? item.content_items ?? item.contentItems;
  const failed =
    failure !== undefined || fine?.isError === true || fine?.is_error === true ? true : failedBy(item);
  // Without its server, as the model names it where it calls the tool itself.
  const name = textIn(item, 'tool') ?? 'tool';
  return displayedReads(place, {
    call: { call: idOf(item, place), name, input: item.arguments },
    result: { text: failure ?? contentText(content), failed: failed ?? (fine ? false : undefined) },
  });
}

function threadsOf(item: LogObject): string[] {
  return [...listIn(item, 'receiver_thread_ids'), ...listIn(item, 'receiverThreadIds')].filter(
    (id) => typeof id === 'string',
  );
}

function spawnReads(item: LogObject, place: RecordPlace, child: string | undefined): ReadRecord[] {
  const tool = textIn(item, 'tool') ?? 'spawn_agent';
  const spawns = /^spawn/i.test(tool);
  const prompt = textIn(item, 'prompt') ?? '';
  return displayedReads(place, {
    call: { call: idOf(item, place), name: spawns ? 'spawn_agent' : tool, input: prompt },
    result: { text: textIn(item, 'status') ?? '', failed: failedBy(item), child: spawns ? child : undefined },
  });
}

/** That a subagent began, in newer versions: what the call of `spawn_agent` came to, where its id says so. */
function activityReads(item: LogObject, place: RecordPlace): ReadRecord[] {
  const child = textIn(item, 'agent_thread_id') ?? textIn(item, 'agentThreadId');
  if (child === undefined || textIn(item, 'kind')?.toLowerCase() !== 'started') return [];
  const path = textIn(item, 'agent_path') ?? textIn(item, 'agentPath') ?? '';
  const call = idOf(item, place);
  const name = place.tools.get(nameOf(call));
  if (name !== undefined)
    return displayedReads(place, { call: { call, name, input: undefined }, result: { text: path, child } });
  const own = `agent-${nameOf(child)}`;
  place.tools.set(own, 'spawn_agent');
  return resultReads(place, { call: own, text: path, child });
}

function reviewReads(event: LogObject, place: RecordPlace): ReadRecord[] {
  const output = objectIn(event, 'review_output');
  const findings = listIn(output, 'findings')
    .filter(isLogObject)
    .map((one) => [textIn(one, 'title'), textIn(one, 'body')].filter(Boolean).join('\n'));
  const text = [textIn(output, 'overall_explanation') ?? textIn(event, 'review') ?? '', ...findings]
    .join('\n\n')
    .trim();
  return saidReads(place, { kind: 'answer', text, stream: 'display' });
}

function imageReads(item: LogObject, place: RecordPlace): ReadRecord[] {
  const path = textIn(item, 'saved_path') ?? textIn(item, 'savedPath');
  const prompt = textIn(item, 'revised_prompt') ?? textIn(item, 'revisedPrompt') ?? '';
  return displayedReads(place, {
    call: {
      call: idOf(item, place),
      name: 'image_generation',
      input: prompt,
      files: path === undefined ? [] : [path],
    },
  });
}

/** Returns how many turns a `thread_rolled_back` takes back; undefined where the event is another one. */
export function rolledBack(event: LogObject): number | undefined {
  return event.type === 'thread_rolled_back' ? (countIn(event, 'num_turns') ?? 0) : undefined;
}
