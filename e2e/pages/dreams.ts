import { type Finding, proposeInsights } from '@reverie/shared/contract/dreams/dreams';
import type { Stage } from '../stage.ts';

/** Puts proposals on the desk as an agent makes them, without a dream; answers their ids. */
export async function propose(
  stage: Pick<Stage, 'world'>,
  namespace: string,
  findings: readonly Finding[],
): Promise<string[]> {
  const reply = await stage.world.daemon.call(proposeInsights, {
    body: { namespace, findings: [...findings] },
  });
  return reply.findings.map(({ id, why }) => {
    if (id === undefined) throw new Error(`A finding was not taken: ${why}`);
    return id;
  });
}

/** Two notes that say the same, and the finding that they do. */
export function twice(key: string, text: string): { notes: Record<string, string>; finding: Finding } {
  const keys = [`${key}/a`, `${key}/b`];
  return {
    notes: Object.fromEntries(keys.map((one) => [one, text])),
    finding: {
      kind: 'twice',
      title: text,
      why: '',
      evidence: keys.map((one) => ({ key: one, quote: text })),
    },
  };
}
