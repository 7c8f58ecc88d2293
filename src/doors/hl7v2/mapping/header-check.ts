import type { Er7Message, MessageHeader } from '../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem, ProblemPlace } from '../../../standards/hl7v2/problems/hl7-problem.js';
import type { Hl7Source } from './reading/hl7-source.js';
import { isPatientRequired, messageKindOf } from './message-kinds.js';
import { faultOfNumber } from './reading/identifiers.js';
import { refused } from '../../../standards/hl7v2/problems/problem-catalogue.js';

const VERSIONS: readonly string[] = [
  '2.3',
  '2.3.1',
  '2.4',
  '2.5',
  '2.5.1',
  '2.6',
  '2.7',
  '2.7.1',
  '2.8',
  '2.8.1',
  '2.8.2',
  '2.9',
  '2.9.1',
];
const OLDER: readonly string[] = ['2.1', '2.2'];

/**
 * Problems of MSH that refuse a message, the first of each kind: control id, message type, version, processing id,
 * receiver, sender. Needs the header alone, so that it can be asked before a message is accepted.
 */
export function headerProblems(header: MessageHeader, source: Hl7Source): Hl7Problem[] {
  return [
    ...typeProblems(header, source),
    ...versionProblems(header, source),
    ...processingProblems(header, source),
    ...partyProblems(header, source),
    ...controlIdProblems(header),
  ];
}

/** Problems that refuse a message at receipt: those of its header, and a required segment that is missing. */
export function receiptProblems(message: Er7Message, header: MessageHeader, source: Hl7Source): Hl7Problem[] {
  const problems = [...headerProblems(header, source), ...continuationProblems(message)];
  if (problems.length === 0 && isPatientRequired(messageKindOf(header)) && message.segment('PID') === null)
    return [
      refused('segment.missing', { segment: 'PID', sequence: 1 }, 'The PID segment is required in this message.'),
    ];
  return problems;
}

/** A part of a message would be taken for the whole (HL7 v2.5.1 ch. 2.10.2). */
function continuationProblems(message: Er7Message): Hl7Problem[] {
  const pointer = message.all('DSC').find((segment) => segment.field(1).text !== '') ?? message.segment('ADD');
  return pointer === null ? [] : [refused('message.continued', { segment: pointer.name, sequence: pointer.sequence })];
}

function typeProblems(header: MessageHeader, { acceptedMessages }: Hl7Source): Hl7Problem[] {
  const { messageCode } = header;
  if (messageCode === '') return [refused('field.required', at(9), 'The message type is missing.')];
  const kind = messageKindOf(header);
  if (kind === 'unknown_type') return [refused('message.type', at(9, 1))];
  if (kind === 'unknown_event') return [refused('message.event', at(9, 2))];
  // Engines send the whole ADT feed; events that are not on the list are kept without effect.
  if (messageCode === 'ADT' || isAccepted(header, acceptedMessages)) return [];
  return [
    refused(
      'message.event',
      at(9, 2),
      'This message is not on the list of this connection. Have it added to acceptedMessages.',
    ),
  ];
}

/** Whether the source accepts the message; an empty list accepts all. */
export function isAccepted(
  { messageCode, triggerEvent }: Pick<MessageHeader, 'messageCode' | 'triggerEvent'>,
  acceptedMessages: readonly string[],
): boolean {
  return acceptedMessages.length === 0 || acceptedMessages.includes(`${messageCode}^${triggerEvent}`);
}

function versionProblems({ versionId }: MessageHeader, { lenientVersion }: Hl7Source): Hl7Problem[] {
  if (VERSIONS.includes(versionId) || (lenientVersion && OLDER.includes(versionId))) return [];
  return [refused('message.version', at(12))];
}

function processingProblems({ processingId }: MessageHeader, { processingIds }: Hl7Source): Hl7Problem[] {
  return processingIds.includes(processingId) ? [] : [refused('message.processing_id', at(11))];
}

function partyProblems(header: MessageHeader, { receivingApplications, senders }: Hl7Source): Hl7Problem[] {
  const received =
    receivingApplications.length === 0 ||
    receivingApplications.some((one) => isParty(one, header.receivingApplication, header.receivingFacility));
  const sent =
    senders.length === 0 || senders.some((one) => isParty(one, header.sendingApplication, header.sendingFacility));
  return [
    ...(received ? [] : [refused('message.receiver', at(5))]),
    ...(sent ? [] : [refused('message.sender', at(3))]),
  ];
}

/** `application`, or `application|facility` where both must agree. */
function isParty(listed: string, application: string, facility: string): boolean {
  const [name = '', place] = listed.split('|');
  return name === application.trim() && (place === undefined || place === facility.trim());
}

function controlIdProblems({ controlId }: MessageHeader): Hl7Problem[] {
  if (controlId === '') return [refused('field.required', at(10), 'The message control id is missing.')];
  const fault = faultOfNumber(controlId);
  return fault === null ? [] : [refused('value.identifier', at(10), `The message control id ${fault}.`)];
}

function at(field: number, component?: number): ProblemPlace {
  return { segment: 'MSH', sequence: 1, field, ...(component === undefined ? {} : { repetition: 1, component }) };
}
