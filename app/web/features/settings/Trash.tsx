import { Draft } from './Draft.tsx';
import { Fixed, fixedBy } from './Fixed.tsx';
import { useChangeSettings } from './change.ts';
import type { Settings } from './queries.ts';
import { Setting } from './Setting.tsx';

/** How long what is in the trash can be brought back. */
export function Trash({ settings }: { settings: Settings }) {
  const change = useChangeSettings();
  const fixed = fixedBy(settings, 'trash.days');
  return (
    <Setting
      name="Days in the trash"
      hint={<Fixed by={fixed}>Until then you can bring it back; then it is deleted for good.</Fixed>}
    >
      <Draft
        type="number"
        label="Days in the trash"
        min={1}
        max={3650}
        value={String(settings.trash.days)}
        isDisabled={fixed !== undefined}
        onKeep={(value) => change.mutate({ trash: { days: Number(value) } })}
      />
    </Setting>
  );
}
