import { strategyWords } from '@reverie/shared/contract/dreams/strategy-words';
import type { Event } from '@reverie/shared/contract/events/events';
import { memoryLine, namelessMemory, plainWords } from '@reverie/shared/contract/events/memory-words';
import {
  type DreamStage,
  type MemoryAct,
  type What,
  whatOf,
} from '@reverie/shared/contract/events/what-happened';
import { type Names, whoIs } from '@reverie/shared/contract/events/actor-words';
import { count, inOneLine } from './print.ts';

/** What happened, in a sentence of one line: as in the page, with keys in place of titles and the namespace. */
export function sentenceOf(event: Event, names: Names): string {
  const who = whoIs(event.actor, names, event.author);
  return inOneLine(`${said(event, who, whatOf(event))}.`);
}

function said(event: Event, who: string, what: What): string {
  const { namespace, actor, author } = event;
  switch (what.kind) {
    case 'memory': {
      // Both namespaces hear of a memory that moves.
      const memory = `${keyOf(event, what.act)} in ${textIn(event.data.before, 'namespace') ?? namespace}`;
      return plainWords(memoryLine(who, { memory, actor, author }, what));
    }
    case 'cleared':
      return `${who} cleared ${namespace}: ${count(what.count, 'memory was', 'memories were')} deleted`;
    case 'dream':
      return dreamWords(`The dream in ${namespace}`, what.stage, about(event));
    case 'insight':
      return `${decisionWords(event, who, what.decision)}${about(event)}`;
    case 'message':
      return what.isReply
        ? `${what.from} answered a message in ${namespace}`
        : `${what.from} left a message in ${namespace}${what.about === '' ? '' : `: ${what.about}`}`;
    case 'webhook':
      return `The webhook to ${what.host} was turned off: ${what.isGone ? 'its receiver is gone' : 'nothing was delivered for five days'}`;
    case 'published':
      return `${who} published on ${what.channel || 'a channel'} in ${namespace}`;
    case 'followed':
      return `${who} follows ${what.topics.length === 0 ? 'the channels of' : `${what.topics.join(', ')} in`} ${namespace}`;
    case 'session': {
      const did = what.entries === 0 ? 'began' : `wrote ${count(what.entries, 'entry', 'entries')} in`;
      return `${what.agent} ${did} a coding session of ${namespace}`;
    }
  }
}

/** What a memory said is taken out of the log when it is deleted, and its key with it. */
function keyOf({ data: { before, after } }: Event, act: MemoryAct): string {
  return textIn(before, 'key') ?? textIn(after, 'key') ?? namelessMemory(act);
}

/** What a proposal, or what a dream found, is about, where the event says so. */
function about({ data: { after } }: Event): string {
  const title = textIn(after, 'title');
  return title === undefined ? '' : `: ${title}`;
}

function textIn(state: Event['data']['before'], name: string): string | undefined {
  const value = state?.[name];
  return typeof value === 'string' ? value : undefined;
}

function dreamWords(dream: string, stage: DreamStage, found: string): string {
  switch (stage.at) {
    case 'started':
      return `${dream} began`;
    case 'step': {
      if (stage.strategy === undefined) return `${dream} went on`;
      const { looksFor } = strategyWords[stage.strategy];
      if (!stage.isDone) return `${dream} looks for ${looksFor}`;
      return `${dream} looked for ${looksFor}: ${stage.found === 0 ? 'nothing new' : `found ${stage.found}`}`;
    }
    case 'found':
      return `${dream} found something${found}`;
    case 'winner':
      return `${dream} found one thing that stands out`;
    case 'completed':
      return `${dream} found ${stage.found === 0 ? 'nothing new' : count(stage.found, 'thing')}`;
    case 'failed':
      return stage.error === '' ? `${dream} failed` : `${dream} failed: ${stage.error}`;
  }
}

function decisionWords(
  { namespace, actor: { kind } }: Event,
  who: string,
  decision: Extract<What, { kind: 'insight' }>['decision'],
): string {
  switch (decision) {
    case 'proposed':
      return kind === 'job'
        ? `A proposal waits in ${namespace}`
        : `${who} took a decision back in ${namespace}`;
    case 'accepted':
    case 'rejected':
      return `${who} ${decision} a proposal in ${namespace}`;
    case 'withdrawn':
      return `A proposal in ${namespace} was withdrawn, for what it rested on is gone`;
  }
}
