import type { ReadEntry } from '../../format.ts';
import { countIn, type LogObject, nameOf, textIn } from '../../json.ts';
import { toolResult } from '../../reads.ts';
import { fitFiles } from '../../tools.ts';
import { contentText } from '../../words.ts';
import type { RecordPlace } from './place.ts';
import { withoutColours, withoutReminders } from './wrappers.ts';

/** Where the call of a result is too far back, or in another file. */
const UNKNOWN_TOOL = 'tool';

/** The entry of a block `tool_result`. `outcome` is what the record says of it beside the message. */
export function resultEntry(block: LogObject, place: RecordPlace, outcome: LogObject | undefined): ReadEntry {
  const own = textIn(block, 'tool_use_id');
  const call = own === undefined ? undefined : nameOf(own);
  const text = withoutReminders(withoutColours(contentText(block.content)));
  const agent = textIn(outcome, 'agentId');
  const path = textIn(outcome, 'filePath');
  return {
    ...toolResult({
      item: `${place.item}#result`,
      at: place.at,
      call,
      name: (call === undefined ? undefined : place.tools.get(call)) ?? UNKNOWN_TOOL,
      text: withSpilled(text, outcome),
      // Results without the flag succeeded: it is written for failures alone.
      failed: block.is_error === true,
    }),
    ...(path !== undefined && { files: fitFiles([path]) }),
    ...(agent !== undefined && { child: nameOf(`agent-${agent}`) }),
  };
}

/** Output that was too long stands in a file of its own: it is named, not read. */
function withSpilled(text: string, outcome: LogObject | undefined): string {
  const spilled = textIn(outcome, 'persistedOutputPath');
  if (spilled === undefined || text.includes(spilled)) return text;
  const size = countIn(outcome, 'persistedOutputSize');
  const note = `[the whole output is in ${spilled}${size === undefined ? '' : `, ${size} bytes`}]`;
  return text === '' ? note : `${text}\n${note}`;
}
