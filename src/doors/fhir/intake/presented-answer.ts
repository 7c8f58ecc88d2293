import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { PresentPlaces } from './present-places.js';
import { PresentedForms } from './presented-forms.js';

/** States in answers what is true of reports now, of whichever version: their place in the series, the size of their documents. */
@Injectable()
export class PresentedAnswer {
  constructor(
    private readonly places: PresentPlaces,
    private readonly forms: PresentedForms,
  ) {}

  /** Outside any transaction. */
  async state(tenant: Tenant, answer: FhirAnswer): Promise<FhirAnswer> {
    return this.forms.state(tenant, await this.places.state(tenant, answer));
  }
}
