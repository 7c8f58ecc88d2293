import { Injectable } from '@nestjs/common';
import { ImageErasure } from '../../../core/erasure/image-erasure.js';
import { ImageService } from '../../../core/images/image.service.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { emptyAnswer, jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { accessTo } from '../audit/native-access.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { toAnnouncedUpload, toImageMetadataView, toUploadTicketView } from './image-view.mapper.js';
import type { UploadRequest } from './images.schema.js';

const UPLOAD_URL_ROUTE = 'POST /api/v1/images/upload-url';

/** Upload addresses, metadata and deletion as HTTP answers. */
@Injectable()
export class ImageRequestsService {
  constructor(
    private readonly images: ImageService,
    private readonly erasure: ImageErasure,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditTrail,
  ) {}

  requestUpload(caller: Caller, request: UploadRequest, key: string | null): Promise<HttpAnswer> {
    return this.requests.run(caller, { route: UPLOAD_URL_ROUTE, key, body: request }, async (transaction) => {
      const ticket = await this.images.requestUpload(caller, toAnnouncedUpload(request), transaction);
      await this.audit.record(transaction, caller, accessTo('C', `Media/${ticket.image.id}`, {}));
      return jsonAnswer(201, toUploadTicketView(ticket));
    });
  }

  /** Empty with a fitting `If-None-Match`. */
  async read(caller: Caller, imageId: string, ifNoneMatch: string | undefined): Promise<HttpAnswer> {
    const image = await this.images.get(caller, imageId);
    await this.audit.recordNow(caller, accessTo('R', `Media/${image.id}`, { patients: [image.patientId] }));
    return conditional(jsonAnswer(200, toImageMetadataView(image)), ifNoneMatch);
  }

  async delete(caller: Caller, imageId: string): Promise<HttpAnswer> {
    await this.erasure.erase(caller, imageId, (transaction, { patientId }) =>
      this.audit.record(transaction, caller, accessTo('D', `Media/${imageId}`, { patients: [patientId] })),
    );
    return emptyAnswer(204);
  }
}
