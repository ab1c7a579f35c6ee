import { beginsAs, type FieldEntry, fittingEntries } from './fitting.ts';
import type { FieldHit } from './hit.ts';

/** What Enter may do. */
export type Choice =
  | { kind: 'hit'; hit: FieldHit }
  | { kind: 'entry'; entry: FieldEntry }
  | { kind: 'ask'; question: string }
  | { kind: 'whole'; question: string }
  | { kind: 'search'; text: string }
  | { kind: 'keep'; text: string };

/** Choices that stand together below a heading. */
export interface Section {
  heading: string;
  choices: readonly Choice[];
}

/** What is known while something is typed. */
export interface Known {
  canWrite: boolean;
  entries: readonly FieldEntry[];
  recent: readonly FieldHit[];
  hits: readonly FieldHit[];
  /** What the answer quotes; undefined where nothing is answered yet. */
  quoted: readonly FieldHit[] | undefined;
}

/** The question that is asked by a mark at its beginning or its end; undefined for what is no question. */
export function questionOf(text: string): string | undefined {
  const said = text.trim();
  return /^\?|\?$/u.test(said) ? said.replace(/^\?\s*/u, '') : undefined;
}

/** What is looked for: the text, or the question without the mark before it. */
export function wantedOf(text: string): string {
  return questionOf(text) ?? text.trim();
}

/** What tells choices apart, so that one that was chosen stays it while others come in. */
export function idOf(choice: Choice): string {
  switch (choice.kind) {
    case 'hit':
      return JSON.stringify([choice.hit.namespace, choice.hit.key]);
    case 'entry':
      return choice.entry.id;
    case 'ask':
    case 'whole':
    case 'search':
    case 'keep':
      return choice.kind;
  }
}

/**
 * What is offered for a text, the likeliest first: where it can be gone to by that name, the memories that fit, what else can be done,
 * and at the end what can be done with the text itself. A question is answered.
 */
export function sectionsOf(text: string, known: Known): Section[] {
  const said = text.trim();
  const question = questionOf(text);
  if (said === '') return filled([memories('Changed last', known.recent), ...entriesOf('', known)]);
  if (question !== undefined) return filled(question === '' ? [] : ofQuestion(said, question, known));
  const entries = entriesOf(said, known);
  const named = entries.filter(
    ({ choices: [first] }) => first?.kind === 'entry' && beginsAs(first.entry, said),
  );
  return filled([
    ...named,
    memories('Memories', known.hits),
    ...entries.filter((section) => !named.includes(section)),
    {
      heading: 'More',
      choices: [{ kind: 'ask', question: said }, ...keepOf(said, known), { kind: 'search', text: said }],
    },
  ]);
}

function ofQuestion(said: string, question: string, known: Known): Section[] {
  const { quoted } = known;
  const quotes = new Set(quoted?.map((hit) => idOf({ kind: 'hit', hit })));
  return [
    quoted
      ? memories('From your memories', quoted)
      : { heading: 'Ask', choices: [{ kind: 'ask', question }] },
    memories(
      quoted ? 'Also fits' : 'Memories',
      known.hits.filter((hit) => !quotes.has(idOf({ kind: 'hit', hit }))),
    ),
    {
      heading: 'More',
      choices: [
        ...(quoted ? [{ kind: 'whole', question } as const] : []),
        ...(said.startsWith('?') ? [] : keepOf(said, known)),
        { kind: 'search', text: question },
      ],
    },
  ];
}

/** What can be done to a memory, or of it what fits. */
export function actsOn(entries: readonly FieldEntry[], text: string): Section[] {
  return filled([
    {
      heading: 'Do',
      choices: fittingEntries(entries, text.trim()).map((entry) => ({ kind: 'entry', entry })),
    },
  ]);
}

function entriesOf(text: string, { entries }: Known): Section[] {
  const fitting = fittingEntries(entries, text);
  return (['Places', 'Do'] as const).map((heading) => ({
    heading,
    choices: fitting.filter(({ group }) => group === heading).map((entry) => ({ kind: 'entry', entry })),
  }));
}

function memories(heading: string, hits: readonly FieldHit[]): Section {
  return { heading, choices: hits.map((hit) => ({ kind: 'hit', hit })) };
}

function keepOf(text: string, { canWrite }: Known): Choice[] {
  return canWrite ? [{ kind: 'keep', text }] : [];
}

function filled(sections: readonly Section[]): Section[] {
  return sections.filter(({ choices }) => choices.length > 0);
}

/** Whether the first choice is one that is called as the text begins, so that nothing that comes in later stands before it. */
export function beginsFirst([first]: readonly Choice[], text: string): boolean {
  return first?.kind === 'entry' && beginsAs(first.entry, text);
}
