import type { Hl7Problem } from '../inbound/hl7-problem.js';
import type { Er7Message, MessageHeader } from './er7-message.js';

export interface DecodeOptions {
  /** Of messages with an empty MSH-18, as MSH-18 would name it (`8859/1`, also `windows-1252`); null: UTF-8 where it is valid, else windows-1252. */
  readonly characterSet: string | null;
}

export interface DecodedMessage {
  readonly kind: 'message';
  readonly message: Er7Message;
  readonly header: MessageHeader;
  /** The encoding that the bytes were read by, as WHATWG names it. */
  readonly encoding: string;
  /** Severity `warning` only. */
  readonly warnings: readonly Hl7Problem[];
}

export interface UndecodableMessage {
  readonly kind: 'undecodable';
  /** Read from the bytes as ISO 8859-1; null: they do not begin with a usable MSH, so that nothing can be answered. */
  readonly header: MessageHeader | null;
  /** What an acknowledgment of original mode says in MSA-1. */
  readonly outcome: 'AE' | 'AR';
  readonly problem: Hl7Problem;
}

/** From bytes to a message that is read by position. Never throws, whatever the bytes are. */
export function decodeMessage(_bytes: Uint8Array, _options: DecodeOptions): DecodedMessage | UndecodableMessage {
  throw new Error('being written');
}
