import { answerQuestions } from '@reverie/shared/threads/thread';
import { z } from 'zod';
import { isReadable } from './admission.ts';

const Bodies = z.array(z.instanceof(Uint8Array));

answerQuestions((given: unknown) => Bodies.parse(given).map((body) => isReadable({ enc: false, body })));
