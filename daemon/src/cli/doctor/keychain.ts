import { askKeychain } from '../../platform/ask-keychain.ts';
import { type Finding, fine, warning } from './finding.ts';

/** Whether the system's keychain answers. */
export async function checkKeychain(...probe: Parameters<typeof askKeychain>): Promise<Finding> {
  const said = await askKeychain(...probe);
  if (said === 'ok') return fine('Keychain', 'it answers');
  return warning(
    'Keychain',
    said,
    'Secrets go into files of the home instead, which only you can read. On a desktop, unlock the keychain (Linux: a Secret Service such as gnome-keyring).',
  );
}
