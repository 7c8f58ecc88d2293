import { randomFillSync } from 'node:crypto';
import { ERROR_CATALOGUE } from '../../../core/errors/catalogue.js';
import type { Er7Message, MessageHeader } from '../../../standards/hl7v2/er7/er7-message.js';
import { formatTime } from '../../../standards/hl7v2/er7/hl7-time.js';
import { isAtLeastVersion, MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { ErrorConditionCode, Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';
import { PROBLEM_CATALOGUE } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import { fieldWithStandardDelimiters } from '../../../standards/hl7v2/er7/standard-delimiters.js';
import { isPositive, type AcknowledgmentCode } from './acknowledgment-code.js';

import { responseTypeOf, writeOrderSegments, type OrderAnswer } from './order-answers.js';
import { lookUp } from '../../../standards/hl7v2/er7/table-lookup.js';

/** The message that is answered. `header` null: a frame without a usable MSH, which only `nakUnparsable` answers. */
export interface AcknowledgedMessage {
  readonly header: MessageHeader | null;
  /** The source of repeated fields; null: the message could not be decoded. */
  readonly message: Er7Message | null;
}

export interface Acknowledgment {
  readonly code: AcknowledgmentCode;
  readonly problems: readonly Hl7Problem[];
  /** MSH-10 of the answer: `newAcknowledgmentId`. */
  readonly controlId: string;
  readonly sentAt: Date;
  /** IANA zone of MSH-7. */
  readonly timeZone: string;
  /** MSH-11 where the message states none. */
  readonly processingId: string;
  /** In enhanced mode MSH-15 and MSH-16 say that the answer itself is not acknowledged. */
  readonly isEnhanced: boolean;
  /** Orders of a typed response (ORR, ORG, ORL, ORI); null: a plain ACK. */
  readonly orders: readonly OrderAnswer[] | null;
}

/** The most errors that one answer names. */
const MAX_ERRORS = 20;
/** MSA-3 is an ST of 80 characters; from 2.5 on ERR-8 has the full text. */
const LONGEST_TEXT = 80;
const CONDITION_TEXT: Readonly<Record<ErrorConditionCode, string>> = {
  '100': 'Segment sequence error',
  '101': 'Required field missing',
  '102': 'Data type error',
  '103': 'Table value not found',
  '104': 'Value too long',
  '200': 'Unsupported message type',
  '201': 'Unsupported event code',
  '202': 'Unsupported processing id',
  '203': 'Unsupported version id',
  '204': 'Unknown key identifier',
  '205': 'Duplicate key identifier',
  '206': 'Application record locked',
  '207': 'Application internal error',
};

const ID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_CHARACTERS = 15;
/** Random bytes for many ids: drawing a few costs as much as drawing these. */
const random = Buffer.alloc(ID_CHARACTERS * 256);
let used = random.length;

/** 20 characters, the most that MSH-10 has up to 2.6: `SUTA-` and 75 random bits. */
export function newAcknowledgmentId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  let id = 'SUTA-';
  for (const end = used + ID_CHARACTERS; used < end; used += 1) id += ID_ALPHABET.charAt(random[used]! % 32);
  return id;
}

/** The answer in ER7, each segment followed by CR, to be encoded by MSH-18 of the request. */
export function buildAcknowledgment(request: AcknowledgedMessage, answer: Acknowledgment): string {
  const { header } = request;
  const versionId = header === null || header.versionId === '' ? '2.5.1' : header.versionId;
  const writer = new MessageWriter(versionId);
  const type = answer.orders === null || header === null ? null : responseTypeOf(header);
  const segments = [
    mshOf(writer, request, answer, type ?? ackTypeOf(writer, header)),
    msaOf(writer, request, answer),
    ...errOf(writer, answer),
  ];
  return writer.message(
    type === null || request.message === null
      ? segments
      : [...segments, ...writeOrderSegments(writer, request.message, answer.orders ?? [], isPositive(answer.code))],
  );
}

function mshOf(
  writer: MessageWriter,
  request: AcknowledgedMessage,
  { sentAt, timeZone, processingId, controlId, isEnhanced }: Acknowledgment,
  type: string,
): string {
  const repeated = repeatedFrom(writer, request);
  const { header } = request;
  return writer.segment('MSH', {
    3: repeated(5, header?.receivingApplication ?? '') || 'SUTURA',
    4: repeated(6, header?.receivingFacility ?? '') || 'SUTURA',
    5: repeated(3, header?.sendingApplication ?? ''),
    6: repeated(4, header?.sendingFacility ?? ''),
    7: formatTime(sentAt, timeZone),
    9: type,
    10: writer.text(controlId),
    11: repeated(11, header?.processingId ?? '').trim() || processingId,
    12: repeated(12, header?.versionId ?? '').trim() || writer.versionId,
    15: isEnhanced ? 'NE' : '',
    16: isEnhanced ? 'NE' : '',
    18: writer.text(header?.characterSet ?? ''),
  });
}

/** Fields of MSH as they came; the text where the message could not be decoded. */
function repeatedFrom(
  writer: MessageWriter,
  { message }: AcknowledgedMessage,
): (position: number, text: string) => string {
  return (position, text) => {
    const field = message?.segment('MSH')?.field(position);
    return field === undefined ? writer.text(text) : fieldWithStandardDelimiters(message!, field);
  };
}

/** In 2.3 the type has neither event nor structure. */
function ackTypeOf(writer: MessageWriter, header: MessageHeader | null): string {
  if (header === null || !isAtLeastVersion(writer.versionId, '2.3.1')) return 'ACK';
  return writer.components('ACK', writer.text(header.triggerEvent), 'ACK');
}

function msaOf(writer: MessageWriter, request: AcknowledgedMessage, { code, problems }: Acknowledgment): string {
  // Version 2.7 withdrew MSA-3.
  const text = isAtLeastVersion(writer.versionId, '2.7')
    ? ''
    : (problems.find(({ severity }) => isPositive(code) || severity === 'error')?.text ?? '');
  return writer.segment('MSA', {
    1: code,
    2: repeatedFrom(writer, request)(10, request.header?.controlId ?? ''),
    3: writer.shortText(text, LONGEST_TEXT),
  });
}

function errOf(writer: MessageWriter, { problems }: Acknowledgment): string[] {
  const named = problems.slice(0, MAX_ERRORS);
  if (isAtLeastVersion(writer.versionId, '2.5')) return named.map((problem) => modernError(writer, problem));
  // Up to 2.4 ERR has no severity, so that warnings are left out.
  const errors = named.filter(({ severity }) => severity === 'error');
  return errors.length === 0
    ? []
    : [writer.segment('ERR', { 1: writer.repetitions(...errors.map((problem) => olderError(writer, problem))) })];
}

function modernError(writer: MessageWriter, { severity, condition, place, code, text, diagnosis }: Hl7Problem): string {
  return writer.segment('ERR', {
    2:
      place === null
        ? ''
        : writer.components(
            writer.text(place.segment),
            ...numbers(
              place.sequence,
              place.field,
              place.field === undefined ? undefined : (place.repetition ?? 1),
              place.component,
              place.subcomponent,
            ),
          ),
    3: writer.components(condition, writer.text(CONDITION_TEXT[condition]), 'HL70357'),
    4: severity === 'error' ? 'E' : 'W',
    5: writer.components(writer.text(code), writer.text(titleOf(code)), '99SUT'),
    7: diagnosis === undefined ? '' : writer.text(diagnosis),
    8: writer.formattedText(text),
  });
}

function olderError(writer: MessageWriter, { condition, place }: Hl7Problem): string {
  const coded = writer.subcomponents(condition, writer.text(CONDITION_TEXT[condition]), 'HL70357');
  return writer.components(
    ...(place === null
      ? ['', '', '']
      : [
          writer.text(place.segment),
          String(place.sequence ?? 1),
          place.field === undefined ? '' : String(place.field),
        ]),
    coded,
  );
}

/** Positions up to the first unknown one. */
function numbers(...positions: readonly (number | undefined)[]): string[] {
  const end = positions.findIndex((position) => position === undefined);
  return (end === -1 ? positions : positions.slice(0, end)).map(String);
}

function titleOf(code: string): string {
  const titles: Readonly<Record<string, { readonly title: string }>> = { ...ERROR_CATALOGUE, ...PROBLEM_CATALOGUE };
  return lookUp(titles, code)?.title ?? '';
}
