import { createBackup } from '@reverie/shared/contract/system/system';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { countOf, formatBytes } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Setting } from './Setting.tsx';

/** A copy of everything, made while Reverie goes on. */
export function Backup() {
  const backup = useMutation({ mutationFn: () => call(createBackup, { body: {} }) });
  const { data, isError, isPending, error } = backup;
  return (
    <Setting
      name="Backup"
      hint={
        <span role="status">
          {data ? (
            <>
              {countOf(data.memories, 'memory', 'memories')}, {formatBytes(data.bytes)}, checked:{' '}
              <code>{data.file}</code>
            </>
          ) : isError ? (
            `No backup was made: ${error.message}`
          ) : (
            <>
              A checked copy of everything, in a folder of this machine. None is made by itself: keep copies
              on another disk. <code>reverie restore</code> puts one back.
            </>
          )}
        </span>
      }
    >
      {data && <CopyButton text={data.file} what="place of the backup" />}
      <Button disabled={isPending} onClick={() => backup.mutate()}>
        {isPending ? 'Making it…' : 'Make a backup'}
      </Button>
    </Setting>
  );
}
