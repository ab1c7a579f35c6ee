const paths = {
  search: 'M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 3.5 3.5',
  plus: 'M8 2.5v11M2.5 8h11',
  close: 'm3.5 3.5 9 9m0-9-9 9',
  back: 'M9.5 3 4.5 8l5 5',
  edit: 'M10.5 3 13 5.5 5.5 13 2.5 13.5 3 10.5 10.5 3Z',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4',
  copy: 'M5.5 5.5h8v8h-8v-8ZM3 10.5h-.5v-8h8V3',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  history: 'M2.5 8A5.5 5.5 0 1 0 4.6 3.7M2.5 2v3h3M8 5v3.2l2.2 1.3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  key: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2 12v2h2.5v-1.5H6V11h1.5l1-1.2c.6-.5 1.3-.8 2-.8ZM11.2 4.8h.01',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  folder: 'M1.5 4v8.5h13V5.5H8L6.5 3.5h-5V4Z',
  warn: 'M8 2 1.5 13.5h13L8 2Zm0 4.5v3.5m0 1.5v.01',
  down: 'm4 6 4 4 4-4',
  list: 'M2.5 4h.01M2.5 8h.01M2.5 12h.01M5.5 4h8M5.5 8h8M5.5 12h8',
  inbox: 'M2 9.5 4 3h8l2 6.5v4H2v-4Zm0 0h3.5l1 2h3l1-2H14',
  send: 'M14 2 7 9M14 2 9.5 14 7 9 2 6.5 14 2Z',
  ask: 'M2 3h12v8H8.5L5 14v-3H2V3Zm4.5 2.8c.2-.8.8-1.2 1.6-1.2.9 0 1.5.5 1.5 1.2 0 1-1.5 1-1.5 1.9M8.1 9.2v.01',
  moon: 'M13.5 9.8A5.8 5.8 0 0 1 6.2 2.5a5.8 5.8 0 1 0 7.3 7.3Z',
  map: 'M4 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm8 1a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm-5 7a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM5.5 4.2l5 .6M4.6 5.4l1.8 5.2M7.9 10.8l3-4.5',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.5 6c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.8c1.5.6 2.5 1.9 2.5 3.7',
  model:
    'M4.5 4.5h7v7h-7v-7ZM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14',
  today: 'M3 6.5h10M4 3h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1M5.5 1.5V4M10.5 1.5V4',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  note: 'M4 2h5.5L13 5.5V14H4V2Zm5.5 0v3.5H13M6.2 8.5h4.6M6.2 11h3',
  agent:
    'M8 2v2M4.5 5.5h7a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 11V7a1.5 1.5 0 0 1 1.5-1.5M6 8.5v.6M10 8.5v.6',
  device: 'M3 3h10v7H3V3Zm3 10h4M8 10v3',
  hook: 'M8 5.5 5.5 10M6.3 3.8a2 2 0 1 1 2.9 1.7M5.5 10a2 2 0 1 1-2.3-1.7M8.5 11h3.5a2 2 0 1 0 .2-3.9L10.5 8',
  gear: 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 1.8v1.7M8 12.5v1.7M1.8 8h1.7M12.5 8h1.7M3.6 3.6l1.2 1.2M11.2 11.2l1.2 1.2M12.4 3.6l-1.2 1.2M4.8 11.2l-1.2 1.2',
  session: 'M2 3h12v10H2V3Zm2.5 3 2 2-2 2M8.5 10.2h3',
  share:
    'M12 5.5a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM4 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Zm8 4.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM5.6 7.1l4.8-2.5M5.6 8.9l4.8 2.5',
  connections: 'M5.5 2.5v3M10.5 2.5v3M4 5.5h8v2a4 4 0 0 1-4 4 4 4 0 0 1-4-4v-2ZM8 11.5v3',
  tag: 'M2.5 2.5H8L13.5 8 8 13.5 2.5 8V2.5Zm3 3h.01',
  right: 'M6 3.5 10.5 8 6 12.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3l2 1.5',
  again: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 2v3h-3',
} as const;

export type IconName = keyof typeof paths;

/** A line drawing of 16 by 16; only decoration, so what it stands for is said by its control. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
