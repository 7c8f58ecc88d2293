import type { Binary } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Settings } from '../../../platform/config/settings.js';
import { BinaryContent } from '../interactions/binary-content.js';
import { inlineBytes } from '../photo/inline-bytes.js';
import { ResourceIntake, type Prepared } from '../interactions/resource-intake.js';

/** A Binary that comes as a resource: its bytes go where raw ones go, and are not kept in the resource. */
@Injectable()
export class BinaryIntake extends ResourceIntake<Binary> {
  readonly type = 'Binary';

  constructor(
    private readonly content: BinaryContent,
    private readonly settings: Settings,
  ) {
    super();
  }

  override async prepare(caller: Caller, { data, ...rest }: Binary): Promise<Prepared<Binary>> {
    const bytes = await inlineBytes(
      { ...(data === undefined ? {} : { data }) },
      'Binary',
      this.settings.fhir.maxInlineBytes,
    );
    const prepared = await this.content.submit(caller, { contentType: rest.contentType, bytes, securityContext: null });
    return { ...prepared, resource: { ...rest, contentType: prepared.resource.contentType } };
  }
}
