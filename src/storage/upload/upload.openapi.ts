import { applyDecorators } from '@nestjs/common';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import { IMAGE_CONTENT_TYPES } from '../../core/images/image.js';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '../../platform/http/openapi.decorators.js';
import { DescribesRefusals } from '../../platform/http/refusals.decorator.js';
import { UPLOAD_PATH } from '../signing/upload-claim.js';

const IMAGE_ID = '01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f';
const QUERY = [
  ['version', '1', true],
  ['expiresMs', '1790000000000', true],
  ['maxBytes', '20971520', true],
  ['contentType', 'image/jpeg', false],
  ['contentLength', '482133', false],
  ['signature', 'q1Zb0aXk3v5m2Yt8w7Lr4Jc9Hs6Gd1Fp0Ne5Ub2Ix0E', true],
] as const;

const REFUSALS: readonly ErrorCode[] = [
  'request.partial',
  'auth.origin',
  'upload.signature',
  'upload.expired',
  'upload.digest',
  'upload.incomplete',
  'image.not_found',
  'image.already_uploaded',
  'image.too_large',
  'image.type',
  'request.timeout',
  'request.content_type',
  'request.invalid',
  'request.uri_too_long',
  'request.headers_too_large',
  'rate.limited',
  'data.conflict',
  'storage.limit',
  'service.storage_full',
  'service.internal',
  'service.unavailable',
];

/** The upload endpoint in the OpenAPI document. Callers do not build this address: they use `uploadUrl` as answered. */
export function DescribesUpload(): MethodDecorator {
  return applyDecorators(
    ApiTags('images'),
    ApiOperation({
      operationId: 'uploadImage',
      summary: 'Upload the photo to its signed address',
      description:
        'Use `uploadUrl`, `method` and `headers` exactly as they were answered. No API key is needed or accepted. The same bytes may be sent again; other bytes may not.',
      security: [],
    }),
    ApiParam({ name: 'imageId', schema: { type: 'string', format: 'uuid' }, example: IMAGE_ID }),
    ...QUERY.map(([name, example, required]) =>
      ApiQuery({ name, required, schema: { type: 'string' }, example, description: 'Part of the signed address' }),
    ),
    ApiConsumes(...IMAGE_CONTENT_TYPES),
    ApiBody({
      description: 'The bytes of a JPEG, PNG or WebP file',
      required: true,
      schema: { type: 'string', format: 'binary' },
    }),
    ApiResponse({
      status: 200,
      description: 'Stored. The body is empty.',
      headers: {
        ETag: {
          description: 'SHA-256 of the stored bytes, hex, in quotes',
          schema: { type: 'string' },
          example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        },
      },
    }),
    DescribesRefusals(`${UPLOAD_PATH}/${IMAGE_ID}`, ...REFUSALS),
  );
}
