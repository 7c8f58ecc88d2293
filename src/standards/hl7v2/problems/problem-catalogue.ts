import { MOST_LISTED } from '../../../core/analysis/clinician-observations.js';
import type { ErrorConditionCode, Hl7Problem, ProblemPlace } from './hl7-problem.js';

interface ProblemEntry {
  readonly condition: ErrorConditionCode;
  /** ERR-5.2: one short line, the same on every occasion. */
  readonly title: string;
  /** ERR-8, unless the occasion has a better text. */
  readonly advice: string;
}

const entry = (condition: ErrorConditionCode, title: string, advice: string): ProblemEntry => ({
  condition,
  title,
  advice,
});

/**
 * Everything that may be wrong with the content of a message, by the code of ERR-5.1 (coding system 99SUT). Faults of
 * the service itself carry the codes of `docs/errors.md` there. A code is final once released;
 * `docs/conformance/hl7v2.md` has the same table, and a test compares the two.
 */
export const PROBLEM_CATALOGUE = {
  'message.unreadable': entry(
    '100',
    'Not a message',
    'A message begins with an MSH segment that states its delimiters.',
  ),
  'message.protocol': entry(
    '207',
    'Other protocol',
    'The sender speaks another protocol than the listener. Set both alike.',
  ),
  'message.character_set': entry(
    '103',
    'Unknown character set',
    'State a character set of table 0211 that the interface specification lists.',
  ),
  'message.character_set_wide': entry(
    '207',
    'Character set not supported',
    'UTF-16 and UTF-32 are not read. Send UNICODE UTF-8.',
  ),
  'message.character_set_assumed': entry(
    '103',
    'Character set assumed',
    'The message has characters that the stated set lacks and was read as windows-1252. State UNICODE UTF-8, and send that.',
  ),
  'message.characters': entry(
    '102',
    'Bytes outside the character set',
    'The message has bytes that its character set has no character for. Correct the character set or the encoding.',
  ),
  'message.too_long': entry(
    '104',
    'Message too long',
    'The message is over the limit of this connection. Send less in one message.',
  ),
  'message.type': entry(
    '200',
    'Unsupported message type',
    'This type of message is not taken. Send only those that the interface specification lists.',
  ),
  'message.event': entry(
    '201',
    'Unsupported event code',
    'This event is not taken. Send only those that the interface specification lists.',
  ),
  'message.processing_id': entry(
    '202',
    'Unsupported processing id',
    'The processing id is not one of this connection: P goes to a live connection, T or D to a test connection.',
  ),
  'message.version': entry(
    '203',
    'Unsupported version id',
    'Versions 2.3 to 2.9 are read. Correct the version id, or have the source set to read older ones.',
  ),
  'message.receiver': entry(
    '207',
    'Message for another receiver',
    'Receiving application or facility are not those of this connection. Correct the routing.',
  ),
  'message.sender': entry(
    '207',
    'Sender not known',
    'Sending application and facility are not on the list of this connection. Have them added.',
  ),
  'message.not_carried_out': entry(
    '201',
    'Event without effect',
    'The message was kept and nothing was changed by it.',
  ),
  'message.several': entry(
    '100',
    'Several messages in one',
    'There is a second MSH segment. Send one message a frame, or put them between BHS and BTS.',
  ),
  'message.delimiters': entry(
    '102',
    'Encoding characters incomplete',
    'MSH-2 has fewer than four characters; those of the standard were taken for the missing ones. Send ^~\\&.',
  ),
  'message.continued': entry(
    '207',
    'Message in several parts',
    'Continued messages (DSC, ADD) are not put together. Send the whole message in one frame.',
  ),
  'segment.name': entry('100', 'Not a segment', 'The name of a segment has three characters. The line was left out.'),
  'message.no_return': entry(
    '207',
    'No way for a later acknowledgment',
    'The outcome was asked for (MSH-16), and there is no way to send it: have a return destination set, or deferredOnSameConnection.',
  ),
  'message.control_id_reused': entry(
    '205',
    'Control id used again',
    'Another message with this control id came before. Use a new one, or have the source set to take them.',
  ),
  'batch.count': entry('207', 'Number of messages differs', 'The number of messages is not the one that BTS-1 states.'),
  'segment.missing': entry('100', 'Segment missing', 'The segment is required in this message.'),
  'segment.repeated': entry(
    '100',
    'Segment repeated',
    'The message has this segment once. Send what belongs to the second in a message of its own.',
  ),
  'field.required': entry('101', 'Required field missing', 'The field is required in this message.'),
  'value.date': entry('102', 'Not a date or time', 'A date or time is written YYYY[MM[DD[HHMM[SS[.S]]]]][+ZZZZ].'),
  'value.number': entry(
    '102',
    'Number not usable',
    'A plain decimal number within the bounds of this finding is expected.',
  ),
  'value.unit': entry('102', 'Unit not usable', 'The unit does not fit this finding.'),
  'value.identifier': entry(
    '102',
    'Identifier not usable',
    'An identifier and its assigning authority have at most 255 characters each.',
  ),
  'value.too_long': entry('102', 'Text too long', 'The text is longer than what can be kept.'),
  'finding.too_many': entry(
    '102',
    'Too many entries',
    `Of undermined stretches, tunnels and signs of infection, a report holds ${MOST_LISTED} each.`,
  ),
  'value.base64': entry(
    '102',
    'Encapsulated data not usable',
    'The data of the ED value are not valid in the encoding that it states.',
  ),
  'value.empty_data': entry('101', 'Encapsulated data missing', 'The ED value has no data in its fifth component.'),
  'value.pointer': entry(
    '102',
    'Pointer not usable',
    'A pointer is an https address without credentials. Send the photo as ED instead.',
  ),
  'value.image': entry('102', 'Not a usable photo', 'Send a JPEG, PNG or WebP photo.'),
  'value.type': entry('102', 'Value type not usable', 'The value type does not fit this observation.'),
  'code.unknown': entry('103', 'Table value not found', 'The code is not one of its table.'),
  'patient.unknown': entry(
    '204',
    'Patient not known',
    'No earlier message announced this patient. Send the patient first.',
  ),
  'patient.multiple_matches': entry(
    '204',
    'Several patients match',
    'The identifiers belong to different patients. Correct them, or send the merge.',
  ),
  'patient.prior_unknown': entry(
    '204',
    'Prior patient not known',
    'No record carries the prior identifier; it was made and joined.',
  ),
  'patient.joined': entry(
    '204',
    'Record was joined',
    'The number is of a record that was joined into another. Send the number of the record that stands.',
  ),
  'patient.conflict': entry(
    '204',
    'Another person may be meant',
    'The record of this number has another birth date or other given names, so that nothing was filed. Check the number. Where it is this patient, correct the record by ADT^A08, then send the message again.',
  ),
  'patient.differs': entry(
    '204',
    'Patient is known otherwise',
    'The record of this number has another family name. Nothing of the record was changed; check that the number is that of this patient.',
  ),
  'authority.unknown': entry(
    '204',
    'Whose numbers these are is not known',
    'The number is known from another facility of this connection, of a person who may be the same. Name the assigning authority of each number, or have the table of authorities say whose they are.',
  ),
  'authority.proposed': entry(
    '204',
    'Two names of one authority',
    'The names of the assigning authority are not known to be one, so that its numbers count as those of two. Settle the proposal in the table of authorities.',
  ),
  'order.unknown': entry('204', 'Order not known', 'No order carries this placer number.'),
  'order.exists': entry(
    '205',
    'Order number exists',
    'An order with this placer number exists. Change it, or use a new number.',
  ),
  'order.ended': entry(
    '204',
    'Order has ended',
    'The order was cancelled or is completed. The photo was kept and is not analysed; send a new order for it.',
  ),
  'order.other_patient': entry(
    '204',
    'Order of another patient',
    'The order with this placer number belongs to another patient. Correct the patient or the number.',
  ),
  'photo.exists': entry(
    '205',
    'Photo is there already',
    'The order has this photo already. It was not analysed again; for a new analysis send it with a new order.',
  ),
  'wound.multiple_numbers': entry(
    '102',
    'Several wound numbers',
    'One order is about one wound. Send each wound under an OBR of its own.',
  ),
  'document.unknown': entry('204', 'Document not known', 'No document carries this number.'),
  'order.not_an_analysis': entry(
    '103',
    'Not an order of a wound assessment',
    'The order is kept; its service code asks for nothing of this service.',
  ),
  'finding.earlier': entry(
    '103',
    'Earlier results not taken over',
    'Results that accompany an order stay in the raw message. Send them as ORU where they are wanted.',
  ),
  'finding.kept': entry(
    '103',
    'Observation kept in the message only',
    'The observation is not one that is taken over. It stays in the raw message.',
  ),
  'finding.said_since': entry(
    '103',
    'Stated since, or its photo or document was brought since',
    'What was said later stands. Replay this message alone where it is to count as well, which states both.',
  ),
  'finding.unread': entry(
    '103',
    'Value not read',
    'The finding is kept as it was sent. The report states nothing of it, because its value was not understood.',
  ),
  'data.assumed_base64': entry(
    '102',
    'Encoding assumed',
    'The data were read as what they are, which the encoding of the ED value does not say.',
  ),
  'data.other_type': entry(
    '102',
    'Type of data differs',
    'The data are of another type than the ED value says; they were read as what they are.',
  ),
  'escape.kept': entry(
    '102',
    'Escape sequence kept',
    'An escape sequence has no meaning between systems, or is broken, and was kept as it is.',
  ),
} as const satisfies Record<string, ProblemEntry>;

/** ERR-8 of `message.not_carried_out` where a message is read once more: it stays refused, so that a person sees what was not done. */
export const CHANGED_SINCE =
  'What the message names was made or changed since it came, and may be meant to stand, or be another person’s by now. Nothing was written. Replay this message alone where it is to count.';

/** ERR-8 of a warning `message.not_carried_out` where a part of a message that is read once more is left. */
export const SAID_SINCE =
  'Later messages or changes say how this is now, which stands. What this message says otherwise was left out. Replay it alone where it is to count.';

export type ProblemCode = keyof typeof PROBLEM_CATALOGUE;

/** An error at one place of the message. `text` replaces the catalogue's advice and carries no value of the message. */
export function refused(code: ProblemCode, place: ProblemPlace | null, text?: string): Hl7Problem {
  const { condition, advice } = PROBLEM_CATALOGUE[code];
  return { severity: 'error', condition, place, code, text: text ?? advice };
}

/** A warning about a message that is accepted. */
export function warned(code: ProblemCode, place: ProblemPlace | null, text?: string): Hl7Problem {
  return { ...refused(code, place, text), severity: 'warning' };
}
