/** What this machine keeps secret, by name: keys of model servers, the password of the mail server. */
export const secretNames = ['llm', 'embedding', 'smtp'] as const;
export type SecretName = (typeof secretNames)[number];

/** The system keychain, or a file that only the user can read where no keychain answers. */
export interface Secrets {
  get(name: SecretName): Promise<string | undefined>;
  set(name: SecretName, value: string): Promise<void>;
  delete(name: SecretName): Promise<void>;
  /** Where the secrets are kept. */
  where(): Promise<'keychain' | 'file'>;
}
