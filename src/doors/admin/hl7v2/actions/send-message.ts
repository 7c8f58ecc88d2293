import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { peekHeader } from '../../../../standards/hl7v2/er7/message-header.js';
import type { Acknowledgment } from '../../../../standards/hl7v2/mllp/acknowledgment.js';
import { MllpClient, MllpDeliveryError } from '../../../../standards/hl7v2/mllp/mllp-client.js';

const CR = 0x0d;
const LF = 0x0a;

export interface SendTarget {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** Sends the message of a file over MLLP, as a sender would. `hl7.unreadable`, `hl7.no_answer`. */
export async function sendMessage(file: Uint8Array, { host, port, timeoutMs }: SendTarget): Promise<Acknowledgment> {
  const message = asOnTheLine(file);
  const peeked = peekHeader(message);
  if (peeked === null) throw new SuturaError('hl7.unreadable');
  const client = new MllpClient({ host, port, tls: null });
  try {
    return await client.send(message, peeked.header.controlId, timeoutMs);
  } catch (fault) {
    if (fault instanceof MllpDeliveryError) throw new SuturaError('hl7.no_answer');
    throw fault;
  } finally {
    client.close();
  }
}

/** Editors end lines with LF; segments end with CR. */
function asOnTheLine(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file).filter((byte, index, all) => !(byte === LF && all[index - 1] === CR));
  const segments = Buffer.from(bytes.map((byte) => (byte === LF ? CR : byte)));
  return segments.at(-1) === CR ? segments : Buffer.concat([segments, Buffer.from([CR])]);
}
