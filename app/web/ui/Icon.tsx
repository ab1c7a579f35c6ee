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
  key: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2 12v2h2.5v-1.5H6V11h1.5l1-1.2c.6-.5 1.300-.8 2-.8ZM11.200 4.800h.01',
  pulse: 'M1.500 8.500h3l2-5 3 9 2-4h3',
  folder: 'M1.500 4v8.500h13V5.500H8L6.500 3.500h-5V4Z',
  warn: 'M8 2 1.500 13.500h13L8 2Zm0 4.500v3.500m0 1.500v.01',
  down: 'm4 6 4 4 4-4',
  list: 'M2.500 4h.01M2.500 8h.01M2.500 12h.01M5.500 4h8M5.500 8h8M5.500 12h8',
  inbox: 'M2 9.500 4 3h8l2 6.500v4H2v-4Zm0 0h3.500l1 2h3l1-2H14',
  send: 'M14 2 7 9M14 2 9.500 14 7 9 2 6.500 14 2Z',
  ask: 'M2 3h12v8H8.500L5 14v-3H2V3Zm4.500 2.800c.2-.8.8-1.200 1.600-1.200.9 0 1.500.5 1.500 1.200 0 1-1.500 1-1.500 1.900M8.100 9.200v.01',
  moon: 'M13.500 9.800A5.800 5.800 0 0 1 6.200 2.500a5.800 5.800 0 1 0 7.300 7.300Z',
  map: 'M4 5.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Zm8 1a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Zm-5 7a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM5.500 4.200l5 .6M4.600 5.400l1.800 5.200M7.900 10.800l3-4.500',
  people:
    'M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm-4.500 6c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M10.500 2.800a2.500 2.500 0 0 1 0 4.400M12 9.800c1.500.6 2.500 1.900 2.500 3.700',
  model:
    'M4.500 4.500h7v7h-7v-7ZM6.500 2v2.500M9.500 2v2.500M6.500 11.500V14M9.500 11.500V14M2 6.500h2.500M2 9.500h2.500M11.500 6.500H14M11.500 9.500H14',
  again: 'M13.500 8a5.500 5.500 0 1 1-1.600-3.900M13.500 2v3h-3',
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
