import { Controller, HttpCode, Param, Put, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Produces } from '../../platform/http/accept.guard.js';
import { PublicRoute } from '../../platform/http/route-access.js';
import { UPLOAD_PATH } from '../signing/upload-claim.js';
import type { UploadQuery } from '../signing/upload-signer.js';
import { foreignOriginOf } from '../../platform/http/page-origins.js';
import { discardRest } from '../../platform/http/discard-rest.js';
import { DescribesUpload } from './upload.openapi.js';
import { announcedBytes, mediaTypeOf, namedTypeOf, packedBy } from '../../platform/http/unread-bodies.js';
import { UploadIntake } from './upload-intake.js';

/** Takes photos for the local driver. The signature in the address is the credential; an API key has no effect. */
@PublicRoute()
@Controller(UPLOAD_PATH)
export class UploadController {
  constructor(private readonly intake: UploadIntake) {}

  @Put(':imageId')
  @HttpCode(200)
  @Produces()
  @DescribesUpload()
  async upload(
    @Param('imageId') imageId: string,
    @Query() query: UploadQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { raw } = request;
    const named = namedTypeOf(request);
    const contentType = named === undefined ? null : mediaTypeOf(named);
    try {
      if (packedBy(request) !== 'identity')
        throw new SuturaError('request.content_type', {
          detail: 'Send the photo as it is, without Content-Encoding.',
          codings: 'identity',
        });
      const sha256 = await this.intake.take({
        imageId,
        query,
        contentType,
        contentLength: announcedBytes(request) ?? null,
        page: foreignOriginOf(request),
        body: raw,
      });
      void reply.header('ETag', `"${sha256}"`);
    } catch (error) {
      await discardRest(raw);
      throw error;
    }
  }
}
