import type { McpServer } from '@modelcontextprotocol/server';
import {
  FindingKind,
  nextSheet,
  proposeInsights,
  type ReadingSheet,
} from '@reverie/shared/contract/dreams/dreams';
import { nullsLeftOut } from '@reverie/shared/contract/nulls-left-out';
import { z } from 'zod';
import { answered, oneNamespace, type ToolDeps, WRITES } from './answering.ts';
import type { QuotedText } from '../reply.ts';

/** Tokens of a reply with a sheet: the largest sheet, and what stands around it. */
export const SHEET_TOKENS = 26_000;
/** Findings of which a reply says why they were not taken. */
const EXPLAINED = 10;

// How long each may be, the route says: the schema is listed for every agent.
const finding = z.object({
  kind: FindingKind,
  evidence: z.array(z.object({ key: z.string(), quote: z.string() })),
  title: z.string(),
  why: z.string(),
  due_on: z.string().optional().describe('Of due: the last day to act'),
  settle: z.string().optional().describe('Of disagree: what would settle it'),
});

/** The tool by which an agent is the reader of a dream: it proposes what it found, and gets sheet after sheet. */
export function registerInsightTool(server: McpServer, deps: ToolDeps): void {
  const { client } = deps;
  server.registerTool(
    'insight_propose',
    {
      title: 'Propose what notes say together',
      description:
        'Propose what you found in notes; the user decides. Quotes are copied letter by letter. `sheet`: the one you read; `next`: answer the next one.',
      inputSchema: nullsLeftOut(
        z.object({
          namespace: oneNamespace,
          findings: z.array(finding).optional(),
          sheet: z.string().optional(),
          next: z.boolean().optional(),
        }),
      ),
      annotations: { ...WRITES, title: 'Propose what notes say together' },
    },
    ({ namespace: within, findings = [], sheet, next = false }) =>
      answered({ ...deps, within, tokens: next ? SHEET_TOKENS : undefined }, async (place) => {
        const isSaid = findings.length > 0 || sheet !== undefined;
        const body = { namespace: place, findings, ...(sheet !== undefined && { sheet }) };
        const answers = isSaid ? (await client(proposeInsights, { body })).findings : [];
        const taken = answers.filter((one) => one.taken).length;
        const head = `${taken} of ${answers.length} taken, for the user to decide on.${refusedOf(answers)}`;
        if (!next) return { head };
        const following = (await client(nextSheet, { query: { namespace: place } })).sheet;
        if (following === null) return { head: `${head}\nNo sheet is left: all is read.` };
        return { head, quoted: [quotedSheet(following)], tail: nextStep(following) };
      }),
  );
}

function refusedOf(answers: readonly { taken: boolean; why?: string | undefined }[]): string {
  const reasons = answers.flatMap(({ taken, why = '' }, at) => (taken ? [] : [`\nNot ${at + 1}: ${why}.`]));
  const rest = reasons.length - EXPLAINED;
  return `${reasons.slice(0, EXPLAINED).join('')}${rest > 0 ? `\nNor ${rest} more.` : ''}`;
}

/** A sheet as something that others wrote. */
export function quotedSheet({ id, left, text }: ReadingSheet): QuotedText {
  return { of: { sheet: id, left }, text };
}

/** What an agent does with a sheet once it is read. */
export function nextStep({ id, left, task }: ReadingSheet): string {
  return `${task}\nCall insight_propose with what you found, sheet ${JSON.stringify(id)} and next: true, also where you found nothing. ${left} sheets come after this one.`;
}
