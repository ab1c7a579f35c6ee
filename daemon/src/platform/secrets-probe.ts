// Asks the keychain for something that is not there, and prints `ok` where it answers. A process of its own: without a
// desktop the native code may wait for ever, and nothing in its own process could end it.
try {
  const loaded = (await import('keytar')) as { default?: typeof import('keytar') };
  const keytar = loaded.default ?? (loaded as typeof import('keytar'));
  await keytar.getPassword('reverie', 'probe');
  process.stdout.write('ok\n');
} catch (cause) {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  process.stdout.write(`${line}\n`);
}
