import { type FoundServer, type OfferedModel, pullModel } from '@reverie/shared/contract/system/models';
import { call } from '../../../platform/daemon/api.ts';
import { formatBytes } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { useActing } from '../acting.ts';
import { leadTo } from '../focus.ts';
import css from '../ModelsView.module.css';
import { listOfParts } from '../words.ts';

interface OfferedProps {
  servers: readonly FoundServer[];
  offered: readonly OfferedModel[];
  isPulling: boolean;
}

/** What Ollama can get, where it runs: at once where nothing there can answer, else when somebody asks for more. */
export function Offered({ servers, offered, isPulling }: OfferedProps) {
  const ollama = servers.find(({ kind, needs_key }) => kind === 'ollama' && !needs_key);
  if (!ollama || offered.length === 0) return null;
  const canChat = servers.some(({ models }) => models.some(({ can }) => can.includes('chat')));
  const list = (
    <ul className={css['models']} role="list">
      {offered.map((model) => (
        <li key={model.name}>
          <One model={model} server={ollama.url} isPulling={isPulling} />
        </li>
      ))}
    </ul>
  );
  if (canChat)
    return (
      <details className={css['more']}>
        <summary>Get another model</summary>
        {list}
      </details>
    );
  return (
    <div className={css['card']} role="group" aria-label="Models to get">
      <h3>Get a model</h3>
      <p className={css['text']}>
        Ollama runs, and has none that answers. One of these does; it is downloaded by Ollama when you say so,
        and stays on this machine.
      </p>
      {list}
    </div>
  );
}

function One({ model, server, isPulling }: { model: OfferedModel; server: string; isPulling: boolean }) {
  const { name, title, bytes, licence, about } = model;
  const get = useActing(async () => {
    await call(pullModel, { body: { server, name } });
    leadTo('pull');
  });
  return (
    <>
      <div className={css['what']}>
        <p className={css['line']}>
          <strong className={css['name']}>{title}</strong>
        </p>
        <p>{about}</p>
        <p className={css['soft']}>
          {formatBytes(bytes)} · {licence} · for {listOfParts(model.for)} · <code>{name}</code>
        </p>
        {get.isError && (
          <p className={css['bad']} role="alert">
            It was not begun: {get.error.message}
          </p>
        )}
      </div>
      <span className={css['actions']}>
        <Button disabled={isPulling || get.isPending} onClick={() => get.mutate()}>
          Get<span className="sr-only"> {title}</span>
        </Button>
      </span>
    </>
  );
}
