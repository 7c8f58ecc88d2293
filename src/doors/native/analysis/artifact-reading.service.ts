import { Injectable } from '@nestjs/common';
import { AnalysisService } from '../../../core/analysis/analysis.service.js';
import { ArtifactService } from '../../../core/analysis/artifact.service.js';
import { ARTIFACT_NAMES, type ArtifactName } from '../../../core/measurement/wound-result.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { ImageContentType } from '../../../core/images/image.js';
import { accessTo } from '../audit/native-access.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { emptyAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';

const EXTENSIONS: Readonly<Record<ImageContentType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** The pictures of a job as HTTP answers: the bytes, or where to get them. */
@Injectable()
export class ArtifactReadingService {
  constructor(
    private readonly artifacts: ArtifactService,
    private readonly analysis: AnalysisService,
    private readonly audit: AuditTrail,
  ) {}

  async read(caller: Caller, jobId: string, name: string, ifNoneMatch: string | undefined): Promise<HttpAnswer> {
    if (!isArtifactName(name)) throw new SuturaError('artifact.not_found');
    const content = await this.artifacts.read(caller, jobId, name);
    const { imageId, patientId } = await this.analysis.get(caller, jobId);
    await this.audit.recordNow(caller, accessTo('R', `Media/${imageId}`, { patients: [patientId] }, name));
    if (content.via === 'redirect') return emptyAnswer(302, { location: content.url });
    const known = Object.entries(EXTENSIONS).find(([type]) => type === content.contentType);
    const extension = known?.[1] ?? 'bin';
    const headers = {
      'content-type': content.contentType,
      // Never shown inside a page: the bytes stem from an upload.
      'content-disposition': `attachment; filename="${name}-${jobId}.${extension}"`,
    };
    return conditional({ status: 200, headers, body: content.bytes }, ifNoneMatch);
  }
}

function isArtifactName(name: string): name is ArtifactName {
  return (ARTIFACT_NAMES as readonly string[]).includes(name);
}
