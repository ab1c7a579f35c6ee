import {
  AGENT_DEFAULT,
  type FoundServer,
  type ModelUse,
  serverTitles,
} from '@reverie/shared/contract/system/models';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import css from './ModelsView.module.css';
import { isSameServer, listOfParts, type NamedModel } from './words.ts';

interface AgentsProps {
  agents: readonly FoundServer[];
  uses: readonly ModelUse[];
  onUse: (named: NamedModel) => void;
}

/** The coding agents of this machine, whose own commands can be asked. */
export function Agents({ agents, uses, onUse }: AgentsProps) {
  return (
    <div className={css['card']} role="group" aria-label="Coding agents">
      <h3>Your coding agents</h3>
      <p className={css['text']}>
        Reverie asks them with your login there. Nothing is sent before you have read what goes to whom, and
        agreed.
      </p>
      <ul className={css['models']} role="list">
        {agents.map((agent, at) => (
          <li key={agent.url}>
            <Agent agent={agent} isFirst={at === 0} uses={uses} onUse={onUse} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Agent({
  agent: { kind, url, version, consent },
  isFirst,
  uses,
  onUse,
}: Omit<AgentsProps, 'agents'> & { agent: FoundServer; isFirst: boolean }) {
  // One that config.json names and nobody agreed to is not asked.
  const used = uses
    .filter((use) => isSameServer(url, use.server ?? '') && use.consent?.given_at != null)
    .map(({ part }) => part);
  const isMore = !used.includes('ask') || !used.includes('dreams');
  const name = serverTitles[kind];
  return (
    <>
      <div className={css['what']} data-short>
        <p className={css['line']}>
          <span className={css['name']}>
            {name} {version}
          </span>
          {used.length > 0 && <Badge tone="good">{`used for ${listOfParts(used)}`}</Badge>}
        </p>
        <p className={css['soft']}>sends to {consent?.vendor}</p>
      </div>
      <span className={css['actions']}>
        {isMore && (
          <Button
            look={isFirst && used.length === 0 ? 'strong' : 'plain'}
            onClick={() => onUse({ server: url, name: AGENT_DEFAULT })}
          >
            {used.length === 0 ? 'Use it' : 'Use it for more'}
            <span className="sr-only"> ({name})</span>
          </Button>
        )}
      </span>
    </>
  );
}
