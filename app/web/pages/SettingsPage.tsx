import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { outboxQuery } from '../features/accounts/queries.ts';
import { modelsQuery } from '../features/models/queries.ts';
import { listOfParts, modelTitle, usesModel, whereTo, PARTS } from '../features/models/words.ts';
import { Face } from '../features/namespaces/NamespaceDot.tsx';
import NamespaceDialog from '../features/namespaces/NamespaceDialog.tsx';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { Setting } from '../features/settings/Setting.tsx';
import SettingsView from '../features/settings/SettingsView.tsx';
import { statusQuery as systemQuery } from '../features/status/queries.ts';
import { statusQuery as syncQuery } from '../features/sync/queries.ts';
import { webhooksQuery } from '../features/webhooks/queries.ts';
import { isInApp } from '../platform/desktop.ts';
import { countOf } from '../platform/format.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import { Button } from '../ui/Button.tsx';
import { Time } from '../ui/Time.tsx';

/** What a person chooses, with what other features say of themselves. */
export default function SettingsPage() {
  const isOwner = allows(useStore(session), 'owner');
  return (
    <SettingsView
      isOwner={isOwner}
      spaces={<Spaces />}
      models={<Models />}
      leaving={<Leaving />}
      version={<Version />}
    />
  );
}

function Spaces() {
  const { data = [] } = useQuery(namespacesQuery);
  const [open, setOpen] = useState<string>();
  if (data.length === 0)
    return (
      <Setting
        name="None yet"
        hint="A namespace keeps some memories apart from the others, such as work and home. Your first memory makes the first one."
      />
    );
  return (
    <>
      {data.map(({ namespace, count, colour, sign }) => (
        <Setting
          key={namespace}
          name={
            <>
              <Face colour={colour} sign={sign} />
              <bdi>{namespace}</bdi>
            </>
          }
          hint={countOf(count, 'memory', 'memories')}
        >
          <Button onClick={() => setOpen(namespace)}>
            Change…<span className="sr-only"> {namespace}</span>
          </Button>
        </Setting>
      ))}
      {open !== undefined && (
        <NamespaceDialog
          namespace={open}
          onClose={() => setOpen(undefined)}
          onCleared={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function Models() {
  const { data } = useQuery(modelsQuery);
  const used = data?.uses.filter(usesModel) ?? [];
  const names = [
    ...new Set(used.map((use) => modelTitle({ server: use.server ?? '', name: use.name ?? '' }))),
  ];
  return (
    <Setting
      name={names.length === 0 ? 'None is used' : names.join(', ')}
      hint={
        names.length === 0
          ? 'Answers are quotes from your memories. A model can put an answer together from several of them.'
          : `Used for ${listOfParts(used.map(({ part }) => part))}.`
      }
    >
      <Link to="/models">{names.length === 0 ? 'Choose one' : 'Choose models'}</Link>
    </Setting>
  );
}

/** Each way on which something goes to somewhere else, and what. */
function Leaving() {
  const { data: sync } = useQuery(syncQuery);
  const { data: models } = useQuery(modelsQuery);
  const { data: hooks } = useQuery(webhooksQuery);
  const { data: mail } = useQuery(outboxQuery);
  const away = models?.uses.filter(usesModel).filter(({ reach }) => reach === 'beyond') ?? [];
  const active = hooks?.filter(({ status }) => status === 'active') ?? [];
  const isMailed = mail?.transport === 'smtp';
  return (
    <>
      <Setting
        name="Your other devices"
        hint={
          sync?.relay == null ? (
            'Nothing: no other device is linked.'
          ) : (
            <>
              What you write goes to <bdi>{sync.relay}</bdi>, a relay: a server that hands it on to your
              devices and to those you share with.
            </>
          )
        }
      >
        <Link to="/sync">Devices</Link>
      </Setting>
      <Setting
        name="Models"
        hint={
          away.length === 0
            ? 'Nothing: no model elsewhere is used.'
            : away
                .map((use) => `${PARTS[use.part].name}: ${PARTS[use.part].sent}, to ${whereTo(use)}.`)
                .join(' ')
        }
      >
        <Link to="/models">Models</Link>
      </Setting>
      <Setting
        name="Other programs"
        hint={
          active.length === 0
            ? 'Nothing: no other program is told of changes.'
            : `Each change is told to ${[...new Set(active.map(({ url }) => new URL(url).host))].join(', ')}.`
        }
      >
        <Link to="/webhooks">Webhooks</Link>
      </Setting>
      <Setting
        name="E-mail"
        hint={
          isMailed
            ? 'Only e-mails that confirm an account’s address.'
            : 'Nothing: e-mails that confirm an address wait here for you to pass on.'
        }
      >
        <Link to="/accounts">Accounts</Link>
      </Setting>
    </>
  );
}

function Version() {
  const { data } = useQuery(systemQuery);
  return (
    <>
      <Setting
        name={data ? `Version ${data.version}` : 'Version'}
        hint={
          isInApp
            ? 'It looks for a newer one only where an address for it was set.'
            : 'It never looks for a newer one by itself: nothing leaves this machine for it.'
        }
      />
      <Setting
        name="How it is doing"
        hint={
          data && (
            <>
              Running since <Time at={data.started_at} />.
            </>
          )
        }
      >
        <Link to="/status">Look</Link>
      </Setting>
    </>
  );
}
