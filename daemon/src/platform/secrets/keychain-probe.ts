// Asks the keychain for something that is not there. Prints `ok`, or one line that says why not.
try {
  const { loadKeytar } = await import('./keytar.ts');
  const keytar = await loadKeytar();
  await keytar.getPassword('reverie', 'doctor');
  process.stdout.write('ok\n');
} catch (cause) {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  process.stdout.write(`it cannot be used: ${line}\n`);
}
