import {
  type findModels,
  type FoundModel,
  type FoundServer,
  serverTitles,
} from '@reverie/shared/contract/system/models';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { formatBytes } from '../../../platform/format.ts';
import { Trouble } from '../../../platform/Trouble.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { WithCode } from '../../../ui/text/WithCode.tsx';
import { Agents } from '../Agents.tsx';
import { useExamining } from '../examining.ts';
import css from '../ModelsView.module.css';
import { Offered } from './Offered.tsx';
import type { ModelsState } from '../queries.ts';
import { abilities, isSame, listOfParts, type NamedModel, staysHere, usesModel } from '../words.ts';

/** What is under way already: one of each at a time. */
export interface Busy {
  pulling: boolean;
  examining: boolean;
}

interface FoundProps {
  found: UseQueryResult<z.infer<typeof findModels.response>>;
  state: ModelsState;
  isBusy: Busy;
  onUse: (named: NamedModel) => void;
}

/** The coding agents of this machine, the model servers that answer on it, their models, and what could be got. */
export function Found({ found, ...rest }: FoundProps) {
  const { data } = found;
  const agents = data?.servers.filter(isAgent) ?? [];
  const servers = data?.servers.filter((server) => !isAgent(server)) ?? [];
  const [seen, setSeen] = useState(false);
  if (!seen && servers.length > 0) setSeen(true);
  const { uses, pull } = rest.state;
  const wasThere =
    seen ||
    pull !== null ||
    uses.some((use) => usesModel(use) && staysHere({ server: use.server ?? '', name: use.name ?? '' }));
  return (
    <section aria-labelledby="models-found" className={css['part']}>
      <div className={css['line']}>
        <h2 id="models-found" tabIndex={-1}>
          On this machine
        </h2>
        {data && data.servers.length > 0 && (
          <span className={css['actions']}>
            <Button icon="again" disabled={found.isFetching} onClick={() => void found.refetch()}>
              Look again
            </Button>
          </span>
        )}
      </div>
      {!data &&
        (found.isError ? (
          <Trouble error={found.error} retry={() => void found.refetch()} />
        ) : (
          <Looking>Looking on this machine…</Looking>
        ))}
      {data && (
        <>
          {agents.length > 0 && <Agents agents={agents} uses={uses} onUse={rest.onUse} />}
          {servers.length === 0 && (wasThere ? <Gone /> : <Nothing install={data.install} />)}
          {servers.map((server) => (
            <Server key={server.url} server={server} {...rest} />
          ))}
          <Offered servers={servers} offered={data.offered} isPulling={rest.isBusy.pulling} />
        </>
      )}
    </section>
  );
}

function isAgent({ consent }: FoundServer): boolean {
  return consent !== null;
}

function Looking({ children }: { children: string }) {
  return (
    <p className={css['looking']} role="status">
      {children}
    </p>
  );
}

function Nothing({ install }: { install: { text: string; url: string } | null }) {
  return (
    <div className={css['card']}>
      <h3>No model runs on this machine</h3>
      <p className={css['text']}>
        A free program such as Ollama runs models here, and nothing they are asked leaves this machine. You
        need none.
      </p>
      {install && (
        <>
          <p>
            <a href={install.url} target="_blank" rel="noreferrer">
              Get it at {new URL(install.url).host}
              <span className="sr-only"> (opens in another tab)</span>
            </a>
          </p>
          <details className={css['more']}>
            <summary>By a command</summary>
            <p className={css['text']}>
              <WithCode>{install.text}</WithCode>
            </p>
          </details>
        </>
      )}
      <Looking>Waiting for it: this page goes on by itself once it runs.</Looking>
    </div>
  );
}

/** Who had a server has not to be told what to install. */
function Gone() {
  return (
    <div className={css['card']}>
      <h3>No model answers here right now</h3>
      <p className={css['text']}>
        One did before: it was stopped, or is too busy. If it was stopped, start it again.
      </p>
      <Looking>Waiting for it: this page goes on by itself once it answers.</Looking>
    </div>
  );
}

type ServerProps = Omit<FoundProps, 'found'> & { server: FoundServer };

function Server({ server, ...rest }: ServerProps) {
  const { kind, url, version, models, needs_key } = server;
  return (
    <div className={css['card']} role="group" aria-label={`${serverTitles[kind]} at ${url}`}>
      <div className={css['line']}>
        <h3>
          {serverTitles[kind]} {version}
        </h3>
        <span className={css['soft']}>{url}</span>
      </div>
      {needs_key && (
        <p className={css['text']}>
          It wants a key before it says more. None is sent to find it: name its model below under “Another
          server”, and keep its key with <code>reverie secret set llm</code>.
        </p>
      )}
      {!needs_key && models.length === 0 && <p className={css['text']}>It has no model yet.</p>}
      {models.length > 0 && (
        <ul className={css['models']} role="list">
          {models.map((model) => (
            <li key={model.name}>
              <Model model={model} server={url} {...rest} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type ModelProps = Omit<ServerProps, 'server'> & { model: FoundModel; server: string };

function Model({ model, server, state, isBusy, onUse }: ModelProps) {
  const examine = useExamining();
  const named = { server, name: model.name };
  const isHere = staysHere(named);
  const used = state.uses
    .filter((use) => isSame(named, { server: use.server ?? '', name: use.name ?? '' }))
    .map(({ part }) => part);
  return (
    <>
      <div className={css['what']}>
        <p className={css['line']}>
          <bdi className={css['name']}>{model.name}</bdi>
          {used.length > 0 && <Badge tone="good">{`used for ${listOfParts(used)}`}</Badge>}
          {!isHere && <Badge tone="warn">leaves this machine</Badge>}
        </p>
        <p className={css['soft']}>
          {model.bytes !== null && `${formatBytes(model.bytes)} · `}
          {abilities(model)}
        </p>
      </div>
      <span className={css['actions']}>
        {isHere && (
          <Button disabled={isBusy.examining || examine.isPending} onClick={() => examine.mutate(named)}>
            Examine<span className="sr-only"> {model.name}</span>
          </Button>
        )}
        <Button onClick={() => onUse(named)}>
          Use…<span className="sr-only"> {model.name}</span>
        </Button>
      </span>
    </>
  );
}
