import { answerQuestions } from '../thread.ts';

// Says its words before it answers with how many; ends, breaks or hangs where it is told to.
answerQuestions<string, number, string>(async (text, say) => {
  if (text === 'end') process.exit(3);
  if (text === 'break') throw new Error('broken');
  if (text === 'hang') await new Promise(() => undefined);
  const words = text.split(' ');
  for (const word of words) {
    await new Promise(setImmediate);
    say(word);
  }
  return words.length;
});
