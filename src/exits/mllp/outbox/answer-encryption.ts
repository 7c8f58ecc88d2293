import { isSuturaError } from '../../../core/errors/sutura-error.js';
import type { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import { wordsOf } from '../../../standards/hl7v2/encryption/search-terms.js';
import type { KeptAnswer } from './outbound-message.js';

/** The kept part of an answer, sealed as messages are; null: it said nothing but its code. */
export function sealAnswer(
  encryption: MessageEncryption,
  messageId: string,
  { text, problems }: KeptAnswer,
): Buffer | null {
  if (text === '' && problems.length === 0) return null;
  return encryption.seal(Buffer.from(JSON.stringify({ text, problems } satisfies KeptAnswer)), messageId);
}

/** null: none, or it cannot be decrypted; its codes are known anyway. */
export function openAnswer(encryption: MessageEncryption, messageId: string, sealed: Buffer | null): KeptAnswer | null {
  if (sealed === null) return null;
  try {
    return JSON.parse(encryption.open(sealed, messageId).toString()) as KeptAnswer;
  } catch (fault) {
    if (isSuturaError(fault, 'hl7.sealed')) return null;
    throw fault;
  }
}

/** Search terms of an outcome: the words of the answer, its codes, and those of a fault. */
export function answerTerms(
  { terms }: MessageEncryption,
  answer: KeptAnswer | null,
  ...codes: readonly (string | null)[]
): Buffer[] {
  const said = answer === null ? [] : [answer.text, ...answer.problems.flatMap((problem) => Object.values(problem))];
  return terms.of('word', [...codes.filter((code) => code !== null), ...said].flatMap(wordsOf));
}
