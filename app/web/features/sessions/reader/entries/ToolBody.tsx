import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { Code } from '../../../../ui/reading/typeset/Code.tsx';
import { DiffView } from '../../../../ui/text/DiffView.tsx';
import { PatchView } from '../../../../ui/text/PatchView.tsx';
import css from './Entry.module.css';
import { EntryActs } from './EntryHead.tsx';
import { hasFailed, type ReaderRow } from './rows.ts';
import { withoutFolder } from '../../words.ts';
import { useActs } from '../acts.ts';
import { RestOf } from './Text.tsx';
import { changesOf, commandOf, isPatch, patchOf, readable } from './tool-words.ts';

/** What went into a tool and what came out; changes of files in colours. */
export function ToolBody({ row }: { row: ReaderRow }) {
  const { entry, result } = row;
  const input = entry.kind === 'tool_call' ? entry : undefined;
  const output = input ? result : entry;
  return (
    <div className={css['opened']}>
      {input && (
        <div role="group" aria-label="What went in">
          <Input entry={input} />
          <RestOf entry={input} />
        </div>
      )}
      {output && output.text.trim() !== '' && (
        <div role="group" aria-label="What came out">
          <p className={css['label']}>{hasFailed(row) ? 'It failed with' : 'It answered'}</p>
          {isPatch(output.text) ? <PatchView patch={output.text} /> : <Code {...readable(output.text)} />}
          <RestOf entry={output} />
        </div>
      )}
      <EntryActs entry={entry} />
    </div>
  );
}

function Input({ entry }: { entry: SessionEntry }) {
  const changes = changesOf(entry.text);
  const patch = patchOf(entry.text);
  const [file] = entry.files;
  const { folder } = useActs();
  if (changes.length > 0)
    return (
      <>
        {file !== undefined && <p className={css['label']}>{withoutFolder(file, folder)}</p>}
        {changes.map(({ before, after }, at) => (
          <DiffView key={at} before={before} after={after} />
        ))}
      </>
    );
  if (patch !== undefined) return <PatchView patch={patch} />;
  const command = commandOf(entry.text);
  if (command !== undefined) return <Code language="bash" text={withoutFolder(command, folder)} />;
  const input = readable(entry.text);
  return <Code {...input} text={withoutFolder(input.text, folder)} />;
}
