import { useQueryClient } from '@tanstack/react-query';
import { ToggleGroup } from 'radix-ui';
import { isInApp } from '../../platform/desktop.ts';
import { dates } from '../../platform/locale.ts';
import { useStore } from '../../platform/store.ts';
import { themes } from '@reverie/shared/contract/system/settings';
import { theme, type Theme } from '../../platform/theme.ts';
import choice from '../../ui/Choice.module.css';
import { browsersSample, regionChoices, zoneName } from './choices.ts';
import { fixedBy, Fixed } from './Fixed.tsx';
import { keepTheme, useChangeSettings } from './change.ts';
import type { Settings } from './queries.ts';
import { Setting } from './Setting.tsx';

const THEMES: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** Light or dark; what is chosen is there at once. */
export function Looks({ settings }: { settings?: Settings }) {
  const queries = useQueryClient();
  const chosen = useStore(theme);
  const fixed = fixedBy(settings, 'page.theme');
  return (
    <Setting name="Light or dark" hint={<Fixed by={fixed} />}>
      <ToggleGroup.Root
        type="single"
        className={choice['group']}
        aria-label="Light or dark"
        value={chosen}
        disabled={fixed !== undefined}
        onValueChange={(value) => {
          const next = themes.find((one) => one === value);
          if (next) void keepTheme(queries, next);
        }}
      >
        {themes.map((one) => (
          <ToggleGroup.Item key={one} value={one} className={choice['one']}>
            {THEMES[one]}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </Setting>
  );
}

interface DatesProps {
  settings?: Settings;
  /** Where they are of this window alone. */
  onChoose?: (change: { region: string | null } | { time_zone: string | null }) => void;
}

/** How dates and times are written, and by which clock. */
export function Dates({ settings, onChoose }: DatesProps) {
  const change = useChangeSettings();
  const { region, time_zone } = useStore(dates);
  const choose: NonNullable<typeof onChoose> = onChoose ?? ((page) => change.mutate({ page }));
  const regionFixed = fixedBy(settings, 'page.region');
  const zoneFixed = fixedBy(settings, 'page.time_zone');
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [
    ...new Set([...(time_zone === null ? [] : [time_zone]), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
  ];
  return (
    <>
      <Setting
        name="Dates and times"
        hint={<Fixed by={regionFixed}>Words are English; days and hours as you are used to them.</Fixed>}
      >
        <select
          aria-label="Dates and times"
          disabled={regionFixed !== undefined}
          value={region ?? ''}
          onChange={({ target: { value } }) => choose({ region: value === '' ? null : value })}
        >
          <option value="">As the browser: {browsersSample(navigator.language)}</option>
          {regionChoices(region).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Setting>
      <Setting name="Time zone" hint={<Fixed by={zoneFixed}>What counts as today goes by it, too.</Fixed>}>
        <select
          aria-label="Time zone"
          disabled={zoneFixed !== undefined}
          value={time_zone ?? ''}
          onChange={({ target: { value } }) => choose({ time_zone: value === '' ? null : value })}
        >
          <option value="">As the browser: {zoneName(own)}</option>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zoneName(zone)}
            </option>
          ))}
        </select>
      </Setting>
    </>
  );
}

/** The shortcut of the quick field: the desktop app's own, so it is told and not chosen here. */
export function Quick() {
  return (
    <Setting
      name="The quick field"
      hint={
        isInApp
          ? 'A shortcut opens it over whatever you do. Which one is chosen in the menu of the moon beside the clock: Settings, Keys for the quick field.'
          : 'In the desktop app a shortcut opens it over whatever you do.'
      }
    />
  );
}
