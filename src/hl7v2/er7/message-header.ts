import type { Er7Message, MessageHeader } from './er7-message.js';

/** MSH of a message that was decoded. */
export function readHeader(_message: Er7Message): MessageHeader {
  throw new Error('being written');
}

/** MSH alone, read from the bytes as ISO 8859-1 without decoding the rest: for what happens before a message is safe. null: no usable MSH. */
export function peekHeader(_bytes: Uint8Array): MessageHeader | null {
  throw new Error('being written');
}
