import { encodeText } from '../../../standards/hl7v2/er7/character-set.js';
import { peekHeader } from '../../../standards/hl7v2/er7/message-header.js';
import { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { acknowledgmentsAsked } from './message-envelope.js';

const CR = 0x0d;

/**
 * Rewrites a message of ours for another destination: MSH-3 to MSH-6, MSH-10, 15 and 16. Everything else, version,
 * character set and codes included, stays as written.
 */
export function readdress(bytes: Buffer, { settings }: Pick<Hl7Destination, 'settings'>, controlId: string): Buffer {
  const end = bytes.indexOf(CR);
  const characterSet = peekHeader(bytes)?.header.characterSet ?? '';
  const fields = bytes
    .subarray(0, end === -1 ? bytes.length : end)
    .toString('latin1')
    .split('|');
  const writer = new MessageWriter(settings.version);
  const [accept, application] = acknowledgmentsAsked(settings);
  const given: Readonly<Record<number, string>> = {
    3: settings.sendingApplication,
    4: settings.sendingFacility,
    5: settings.receivingApplication,
    6: settings.receivingFacility,
    10: controlId,
    15: accept,
    16: application,
  };
  // MSH-1 is the separator itself. The kept fields are ASCII, since we wrote them.
  const kept = Object.fromEntries(fields.map((field, index) => [index + 1, field] as const).slice(2));
  const header = writer.segment('MSH', { ...kept, ...given });
  return Buffer.concat([encodeText(header, characterSet), end === -1 ? Buffer.from('\r') : bytes.subarray(end)]);
}
