import { askKeychain } from '../../platform/secrets/ask-keychain.ts';
import { type DoctorFinding, fine, warning } from './finding.ts';

/** Whether the system's keychain answers. */
export async function checkKeychain(...probe: Parameters<typeof askKeychain>): Promise<DoctorFinding> {
  const said = await askKeychain(...probe);
  if (said === 'ok') return fine('Keychain', 'it answers');
  if (/Cannot find (package|module)/.test(said))
    return warning(
      'Keychain',
      'its module, keytar, could not be built when Reverie was installed',
      'Secrets go into files of the home instead, which only you can read. To use the keychain, install what it is built with (Debian: libsecret-1-dev and build-essential), then run `npm ci` again.',
    );
  return warning(
    'Keychain',
    said,
    'Secrets go into files of the home instead, which only you can read. On a desktop, unlock the keychain (Linux: a Secret Service such as gnome-keyring).',
  );
}
