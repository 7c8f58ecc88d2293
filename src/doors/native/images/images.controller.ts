import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { IdempotencyKeyHeader } from '../idempotency/idempotency-key.decorator.js';
import { Conditions, type ReadConditions } from '../route/read-conditions.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { ImageRequestsService } from './image-requests.service.js';
import { DELETE_IMAGE, READ_IMAGE, REQUEST_UPLOAD } from './images.routes.js';
import { uploadRequestBody, type UploadRequest } from './images.schema.js';

@Controller('api/v1/images')
export class ImagesController {
  constructor(private readonly images: ImageRequestsService) {}

  @Post('upload-url')
  @NeverPacked()
  @ApiRoute(REQUEST_UPLOAD)
  @RequiresScope('images:write')
  requestUpload(
    @CurrentCaller() caller: Caller,
    @JsonBody(uploadRequestBody) request: UploadRequest,
    @IdempotencyKeyHeader() key: string | null,
  ): Promise<HttpAnswer> {
    return this.images.requestUpload(caller, request, key);
  }

  @Get(':imageId')
  @ApiRoute(READ_IMAGE)
  @RequiresScope('analysis:read')
  read(
    @CurrentCaller() caller: Caller,
    @Param('imageId') imageId: string,
    @Conditions() { ifNoneMatch }: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.images.read(caller, imageId, ifNoneMatch);
  }

  @Delete(':imageId')
  @ApiRoute(DELETE_IMAGE)
  @RequiresScope('images:write')
  delete(@CurrentCaller() caller: Caller, @Param('imageId') imageId: string): Promise<HttpAnswer> {
    return this.images.delete(caller, imageId);
  }
}
