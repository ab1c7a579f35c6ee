// Asks the keychain for something that is not there. Prints `ok`, or one line that says why not.
try {
  const loaded = (await import('keytar')) as { default?: typeof import('keytar') };
  const keytar = loaded.default ?? (loaded as typeof import('keytar'));
  await keytar.getPassword('reverie', 'doctor');
  process.stdout.write('ok\n');
} catch (cause) {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  process.stdout.write(`it cannot be used: ${line}\n`);
}
