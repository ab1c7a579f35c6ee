import type { AskedOfTool, CallTool } from './calling.ts';
import { Hits } from './Hits.tsx';
import css from './InChat.module.css';
import { Proposals } from './Proposals.tsx';

/** What is shown in a conversation, beside a call of a tool: why something was found, and what dreams propose. */
export function InChat({ asked, call }: { asked: AskedOfTool; call: CallTool }) {
  const { query, queries, namespace, limit, id } = asked;
  return (
    <main className={css['chat']}>
      {query !== undefined && (
        <Hits query={query} queries={queries} namespace={namespace} limit={limit} call={call} />
      )}
      <Proposals namespace={namespace} dream={id} call={call} isBeside={query !== undefined} />
    </main>
  );
}
