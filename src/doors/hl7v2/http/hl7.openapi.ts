import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '../../../platform/http/openapi.decorators.js';
import { DescribesRefusals } from '../../../platform/http/refusals.decorator.js';

const TYPE = 'application/hl7-v2';
const TAKEN: readonly string[] = [TYPE, 'application/hl7-v2+er7', 'x-application/hl7-v2+er7', 'text/plain'];
const MESSAGE = [
  'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ADT^A08^ADT_A01|MSG00071|T|2.5.1',
  'PID|1||MRN-778812^^^HOSP^MR||Beispiel^Anna',
  '',
].join('\r');
const ACK = [
  'MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|20260315094004+0100||ACK^A08^ACK|SUTA-000042|T|2.5.1',
  'MSA|AA|MSG00071',
  '',
].join('\r');
const content = { [TYPE]: { schema: { type: 'string' }, examples: { typical: { value: ACK } } } } as const;

/** POST /hl7v2 in the OpenAPI document. */
export function DescribesHl7OverHttp(): MethodDecorator {
  return applyDecorators(
    ApiTags('hl7v2'),
    ApiOperation({
      operationId: 'postHl7Message',
      summary: 'Send an HL7 v2 message, or a batch of them',
      description:
        'ER7 as over MLLP, with the same answers: see docs/conformance/hl7v2.md. The status follows MSA-1. Needs the scopes images:write and analysis:write.',
    }),
    ApiQuery({
      name: 'ackStatus',
      required: false,
      description: 'always200: every acknowledgment is answered with status 200',
      schema: { type: 'string', enum: ['always200'] },
    }),
    ApiBody({ required: true, schema: { type: 'string' }, examples: { typical: { value: MESSAGE } } }),
    ApiConsumes(...TAKEN),
    ApiResponse({ status: 200, description: 'AA or CA', content }),
    ApiResponse({ status: 202, description: 'Taken; the message wants no acknowledgment' }),
    DescribesRefusals(
      '/hl7v2',
      'auth.missing',
      'auth.invalid',
      'auth.revoked',
      'auth.expired',
      'auth.scope',
      'rate.limited',
      'hl7.unreadable',
      'request.invalid',
      'request.content_type',
      'request.too_large',
      'request.timeout',
      'service.internal',
      'service.unavailable',
      'service.busy',
    ),
  );
}
