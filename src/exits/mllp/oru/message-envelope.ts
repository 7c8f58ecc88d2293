import type { Environment } from '../../../core/tenancy/tenant.js';
import type { Language } from '../../../reports/index.js';
import { encodeText } from '../../../standards/hl7v2/er7/character-set.js';
import { formatTime } from '../../../standards/hl7v2/er7/hl7-time.js';
import { isAtLeastVersion, type MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { DestinationSettings } from '../settings/hl7-destination.js';

/** Table 0296 has no values of its own: English names of ISO 639-1. */
const LANGUAGE_NAME: Readonly<Record<Language, string>> = { en: 'English', es: 'Spanish', de: 'German', fr: 'French' };

export interface EnvelopeFacts {
  readonly settings: DestinationSettings;
  readonly environment: Environment;
  readonly sentAt: Date;
}

/** MSH-15 and MSH-16. */
export function acknowledgmentsAsked({
  ackMode,
}: Pick<DestinationSettings, 'ackMode'>): readonly [accept: string, application: string] {
  return ackMode === 'enhanced' ? ['AL', 'NE'] : ['', ''];
}

/** MSH of a result. */
function toHeader(writer: MessageWriter, controlId: string, { settings, environment, sentAt }: EnvelopeFacts): string {
  const [accept, application] = acknowledgmentsAsked(settings);
  return writer.segment('MSH', {
    3: settings.sendingApplication,
    4: settings.sendingFacility,
    5: settings.receivingApplication,
    6: settings.receivingFacility,
    7: formatTime(sentAt, settings.timeZone),
    9: isAtLeastVersion(settings.version, '2.3.1') ? 'ORU^R01^ORU_R01' : 'ORU^R01',
    10: controlId,
    11: settings.processingId ?? (environment === 'live' ? 'P' : 'T'),
    12: settings.version,
    15: accept,
    16: application,
    17: settings.country ?? '',
    18: settings.characterSet,
    19: writer.components(settings.language, LANGUAGE_NAME[settings.language], 'ISO639'),
  });
}

/** The bytes of a result: MSH and the segments in the destination's character set; empty segments are left out. */
export function toBytes(
  writer: MessageWriter,
  controlId: string,
  segments: readonly string[],
  facts: EnvelopeFacts,
): Buffer {
  const text = writer.message([toHeader(writer, controlId, facts), ...segments.filter((segment) => segment !== '')]);
  return encodeText(text, facts.settings.characterSet);
}
