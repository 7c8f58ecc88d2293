import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { PresentPlaces } from './present-places.js';
import type { Language } from '../../../reports/index.js';
import { STORED_LANGUAGE } from '../projection/report-document.js';
import { PresentedForms } from './presented-forms.js';
import { TranslatedReports } from './translated-reports.js';

/** States in answers what is true of reports now, of whichever version: their place in the series, the size of their documents; in the reader's language. */
@Injectable()
export class PresentedAnswer {
  constructor(
    private readonly places: PresentPlaces,
    private readonly forms: PresentedForms,
    private readonly translations: TranslatedReports,
  ) {}

  /** Outside any transaction. */
  async state(tenant: Tenant, answer: FhirAnswer, language: Language = STORED_LANGUAGE): Promise<FhirAnswer> {
    const said = await this.translations.state(tenant, await this.places.state(tenant, answer), language);
    return this.forms.state(tenant, said);
  }
}
