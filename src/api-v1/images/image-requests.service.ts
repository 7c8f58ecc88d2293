import { Injectable } from '@nestjs/common';
import { IdempotencyService } from '../../core/idempotency/idempotency.service.js';
import { ImageService } from '../../core/images/image.service.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { emptyAnswer, jsonAnswer, type HttpAnswer } from '../../platform/http/http-answer.js';
import { fromStoredAnswer, toIdempotencyKey, toStoredAnswer } from '../idempotency/idempotent-request.js';
import type { UploadRequest } from './images.schema.js';
import { toAnnouncedUpload, toUploadTicketView } from './upload-ticket.mapper.js';

const UPLOAD_URL_ROUTE = 'POST /api/v1/images/upload-url';

/** Upload addresses and deletion as HTTP answers. */
@Injectable()
export class ImageRequestsService {
  constructor(
    private readonly images: ImageService,
    private readonly idempotency: IdempotencyService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async requestUpload(tenant: Tenant, request: UploadRequest, key: string | null): Promise<HttpAnswer> {
    const done = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.idempotency.run(transaction, tenant, toIdempotencyKey(UPLOAD_URL_ROUTE, key, request), async () => {
        const ticket = await this.images.requestUpload(tenant, toAnnouncedUpload(request), transaction);
        return toStoredAnswer(jsonAnswer(201, toUploadTicketView(ticket)));
      }),
    );
    return fromStoredAnswer(done);
  }

  async delete(tenant: Tenant, imageId: string): Promise<HttpAnswer> {
    await this.images.delete(tenant, imageId);
    return emptyAnswer(204);
  }
}
