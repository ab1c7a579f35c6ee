import { strategyWords } from '@reverie/shared/contract/dreams/strategy-words';
import { whoIs, type Names } from '@reverie/shared/contract/events/actor-words';
import type { SentenceParts } from '@reverie/shared/contract/events/memory-words';
import type { DreamStage, What } from '@reverie/shared/contract/events/what-happened';
import { countOf } from '../../platform/format.ts';
import type { EventRow } from './event-row.ts';
import { isOfOne, type EventGroup } from './grouping.ts';
import { clearedWords, memoriesSentence, memoryOfRow } from './memory-words.ts';

/** What happened, in one sentence without a full stop. */
export function sentenceOf({ rows }: Pick<EventGroup, 'rows'>, names: Names): SentenceParts {
  const [newest] = rows;
  if (!newest) return [];
  const who = whoIs(newest.actor, names, newest.author);
  if (newest.actor.kind === 'job') return dreamSentence(rows);
  if (newest.actor.kind === 'device' && rows.length > 1 && !isOfOne(rows))
    return [`${who} sent ${countOf(rows.length, 'change', 'changes')}`];
  return rows.length === 1 ? lineOf(newest, names) : manySentence(rows, newest, names);
}

/** What one event says, also among others of its group. */
export function lineOf(row: EventRow, names: Names): SentenceParts {
  const { what, actor } = row;
  const who = whoIs(actor, names, row.author);
  switch (what.kind) {
    case 'memory':
      return memoryOfRow(who, row, what);
    case 'cleared':
      return clearedWords(who, row, what);
    case 'dream':
      return stageWords(what.stage);
    case 'insight':
      return insightWords(who, actor.kind === 'job', what);
    case 'message':
      return what.isReply
        ? [`${what.from} answered a message`]
        : [`${what.from} left a message`, ...(what.about === '' ? [] : [': ', { name: what.about }])];
    case 'webhook':
      return [
        'The webhook to ',
        { name: what.host },
        what.isGone
          ? ' was turned off: its receiver is gone'
          : ' was turned off: nothing was delivered for five days',
      ];
    case 'published':
      return [`${who} published on `, { name: what.channel || 'a channel' }];
    case 'followed':
      return what.topics.length === 0
        ? [`${who} follows the channels of `, { name: row.namespace }]
        : [`${who} follows `, { name: what.topics.join(', ') }];
    case 'session':
      return sessionWords(what.agent, what.entries, row.namespace);
  }
}

function sessionWords(agent: string, entries: number, namespace: string): SentenceParts {
  const what = entries === 0 ? 'began' : `wrote ${countOf(entries, 'entry', 'entries')} in`;
  return [`${agent} ${what} a coding session of `, { name: namespace }];
}

function entriesIn(rows: readonly EventRow[]): number {
  return rows.reduce((sum, { what }) => sum + (what.kind === 'session' ? what.entries : 0), 0);
}

type Decision = Extract<What, { kind: 'insight' }>['decision'];

function insightWords(
  who: string,
  isDream: boolean,
  { decision, strategy }: Extract<What, { kind: 'insight' }>,
): SentenceParts {
  const kind = strategy === undefined ? [] : [': ', { name: strategyWords[strategy].name }];
  switch (decision) {
    case 'proposed':
      return isDream ? ['A proposal waits', ...kind] : [`${who} took a decision back`, ...kind];
    case 'accepted':
    case 'rejected':
      return [`${who} ${decision} a proposal`, ...kind];
    case 'withdrawn':
      return ['A proposal was withdrawn, for what it rested on is gone'];
  }
}

function stageWords(stage: DreamStage): SentenceParts {
  switch (stage.at) {
    case 'started':
      return ['The dream began'];
    case 'step': {
      if (stage.strategy === undefined) return ['The dream went on'];
      const { name, looksFor } = strategyWords[stage.strategy];
      if (!stage.isDone) return [{ name }, `: looked for ${looksFor}`];
      return [{ name }, stage.found === 0 ? ': nothing new' : `: found ${stage.found}`];
    }
    case 'found':
      return stage.strategy === undefined
        ? ['The dream found something']
        : ['The dream found something: ', { name: strategyWords[stage.strategy].name }];
    case 'winner':
      return ['One of what it found stands out'];
    case 'completed':
      return [found(stage.found)];
    case 'failed':
      return [failed(stage.error)];
  }
}

function dreamSentence(rows: readonly EventRow[]): SentenceParts {
  for (const { what } of rows) {
    if (what.kind !== 'dream') continue;
    if (what.stage.at === 'completed') return [found(what.stage.found)];
    if (what.stage.at === 'failed') return [failed(what.stage.error)];
  }
  return ['A dream is under way'];
}

function found(count: number): string {
  return count === 0 ? 'A dream found nothing new' : `A dream found ${countOf(count, 'thing', 'things')}`;
}

function failed(error: string): string {
  return error === '' ? 'A dream failed' : `A dream failed: ${error}`;
}

function decisionsSentence(who: string, decision: Decision, count: number): string {
  switch (decision) {
    case 'withdrawn':
      return `${countOf(count, 'proposal was', 'proposals were')} withdrawn`;
    case 'proposed':
      return `${who} took ${countOf(count, 'decision', 'decisions')} back`;
    case 'accepted':
    case 'rejected':
      return `${who} ${decision} ${countOf(count, 'proposal', 'proposals')}`;
  }
}

function manySentence(rows: readonly EventRow[], newest: EventRow, names: Names): SentenceParts {
  const who = whoIs(newest.actor, names, newest.author);
  const { what } = newest;
  const times = countOf(rows.length, 'time', 'times');
  switch (what.kind) {
    case 'memory':
    case 'cleared':
      return memoriesSentence(who, rows);
    case 'insight':
      return [decisionsSentence(who, what.decision, rows.length)];
    case 'message':
      return [`${what.from} left ${countOf(rows.length, 'message', 'messages')}`];
    case 'published':
      return [`${who} published ${times} on `, { name: what.channel || 'a channel' }];
    case 'session':
      return sessionWords(what.agent, entriesIn(rows), newest.namespace);
    case 'followed':
    case 'dream':
    case 'webhook':
      return lineOf(newest, names);
  }
}
