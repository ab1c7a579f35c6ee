import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Certificates (PEM) of an authority that no machine trusts. */
export interface TestCertificates {
  /** The file of the authority's own certificate. */
  authority: string;
  /** A certificate for a name, and its key; `days`: how long it lasts, below 0 for one that is over. */
  issue(host: string, days?: number): { cert: string; key: string };
  remove(): void;
}

/** Makes an authority, with `openssl`. */
export function makeCertificates(): TestCertificates {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-ca-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
  const own = ['-subj', '/CN=An authority', '-keyout', 'ca.key', '-out', 'ca.pem'];
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '9', ...own);
  let count = 0;
  return {
    authority: path.join(folder, 'ca.pem'),
    issue(host, days = 9) {
      const name = `issued-${(count += 1)}`;
      const files = ['-keyout', `${name}.key`, '-out', `${name}.csr`];
      openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${host}`, ...files);
      fs.writeFileSync(path.join(folder, 'names'), `subjectAltName=DNS:${host}`);
      const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
      openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-days', String(days), '-out', `${name}.pem`);
      return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
    },
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
