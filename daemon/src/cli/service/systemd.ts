import { Refusal } from '../../platform/home/home.ts';
import type { ServiceOf } from './service-of.ts';

export const UNIT = 'reverie.service';

/** A user unit that keeps Reverie running from login on. Five failures in five minutes end the attempts. */
export function systemdUnit({ node, program, home }: ServiceOf): string {
  const [first, ...others] = [node, program, 'start', '--home', home];
  const command = [quoted(first ?? ''), ...others.map((word) => quoted(word).replaceAll('$', '$$$$'))];
  return `[Unit]
Description=Reverie, local memory for people and coding agents
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
ExecStart=${command.join(' ')}
Restart=on-failure
RestartSec=5
TimeoutStopSec=15
UMask=0077

[Install]
WantedBy=default.target
`;
}

/** A word of a command in a unit file: within quotes, with specifiers as themselves. */
function quoted(word: string): string {
  refuseControl(word);
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

/** No file of a service can hold a path with a line break. */
export function refuseControl(word: string): void {
  if (/[\u0000-\u001f\u007f]/.test(word))
    throw new Refusal(`The path ${JSON.stringify(word)} has a control character; a service cannot name it.`);
}
