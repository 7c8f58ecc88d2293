import type { DiagnosticReport, Observation, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Settings } from '../../../platform/config/settings.js';
import {
  toReportResources,
  type Language,
  type RenderingContext,
  type ReportResources,
} from '../../../reports/index.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { readReportBinaryId, reportDocument, STORED_LANGUAGE } from '../projection/report-document.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { resourcesIn, withResources } from './reports-in-answer.js';

const OBSERVATION_ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-/;

type OfReport = DiagnosticReport | Observation;

/**
 * Says reports and their Observations in the language that a reader asks for. What is stored is English: the words are set anew from the
 * version of the report that the resource is of, so that figures, versions and ETags are the same in every language.
 */
@Injectable()
export class TranslatedReports {
  constructor(
    private readonly reports: ReportRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: OrganizationZone,
    private readonly settings: Settings,
  ) {}

  /** Outside any transaction. Says which language the answer speaks, where it has words of the service. */
  async state(tenant: Tenant, answer: FhirAnswer, language: Language): Promise<FhirAnswer> {
    const found = resourcesIn(answer).filter(isOfReport);
    if (found.length === 0) return answer;
    const headers = { ...answer.headers, 'content-language': language, vary: 'Accept-Language' };
    if (language === STORED_LANGUAGE) return { ...answer, headers };
    const said = await this.unitOfWork.inTenant(tenant, (transaction) => this.translate(transaction, found, language));
    return { ...withResources(answer, (resource) => said.get(resource) ?? resource), headers };
  }

  private async translate(
    transaction: TenantTransaction,
    resources: readonly OfReport[],
    language: Language,
  ): Promise<ReadonlyMap<Resource, Resource>> {
    const context = this.contextOf(language, await this.zones.of(transaction));
    const byReport = new Map<string, OfReport[]>();
    for (const resource of resources) {
      const id = reportIdOf(resource);
      byReport.set(id, [...(byReport.get(id) ?? []), resource]);
    }
    const said = new Map<Resource, Resource>();
    for (const [reportId, ofReport] of byReport) {
      const versions = await this.reports.versions(transaction, reportId);
      const rendered = new Map<number, ReportResources>();
      for (const resource of ofReport) {
        const version = versions.find((one) => isVersionOf(one, resource));
        // One that earlier rules withdrew has no words of this version.
        if (version === undefined) continue;
        const words = rendered.get(version.version) ?? wordsOf(version, context);
        rendered.set(version.version, words);
        said.set(resource, translated(resource, words, version, language));
      }
    }
    return said;
  }

  private contextOf(language: Language, timeZone: string): RenderingContext {
    const { snomed, style } = this.settings.fhir;
    const nobody = { patient: null, performer: '', encounter: null, order: null, document: null, findingsBefore: null };
    return { ...nobody, snomed, style, language, timeZone, mediaOf: (imageId) => `Media/${imageId}` };
  }
}

/** Reports are the service's own; of Observations those that one names, whose ids begin with its. */
function isOfReport(resource: Resource): resource is OfReport {
  return (
    resource.resourceType === 'DiagnosticReport' ||
    (resource.resourceType === 'Observation' && OBSERVATION_ID.test(resource.id ?? ''))
  );
}

function reportIdOf(resource: OfReport): string {
  return resource.resourceType === 'DiagnosticReport' ? resource.id! : OBSERVATION_ID.exec(resource.id!)![1]!;
}

/** Versions of a report and of its DiagnosticReport have the same numbers; an Observation says when its report was issued. */
function isVersionOf({ version, issuedAt }: ClinicalReport, resource: OfReport): boolean {
  return resource.resourceType === 'DiagnosticReport'
    ? String(version) === resource.meta?.versionId
    : issuedAt.toISOString() === resource.issued;
}

function wordsOf(report: ClinicalReport, context: RenderingContext): ReportResources {
  const { version, issuedAt } = report;
  return toReportResources(
    { report, sequence: null, readAt: issuedAt, heading: null, presentVersion: version, trend: [] },
    context,
  );
}

function translated(
  resource: OfReport,
  { report, observations }: ReportResources,
  version: ClinicalReport,
  language: Language,
): OfReport {
  if (resource.resourceType === 'DiagnosticReport') return inReport(resource, report, version, language);
  const words = observations.find(({ id }) => id === resource.id);
  return words === undefined ? resource : inObservation(resource, words);
}

/** Only what a search left in, as with `_elements`, is said in other words. */
function inReport(
  stored: DiagnosticReport,
  words: DiagnosticReport,
  version: ClinicalReport,
  language: Language,
): DiagnosticReport {
  const { code, conclusion, conclusionCode, media, presentedForm } = stored;
  return {
    ...stored,
    language,
    ...(code === undefined ? {} : { code: { ...code, text: words.code.text! } }),
    ...(conclusion === undefined ? {} : { conclusion: words.conclusion! }),
    ...(conclusionCode === undefined ? {} : { conclusionCode: withTexts(conclusionCode, words.conclusionCode) }),
    ...(media === undefined ? {} : { media: withComments(media, words.media) }),
    ...(presentedForm === undefined
      ? {}
      : {
          presentedForm: presentedForm.map((form) =>
            readReportBinaryId(form.url?.replace(/^Binary\//, '') ?? '') === null
              ? form
              : { ...form, ...reportDocument(version, language) },
          ),
        }),
  };
}

function inObservation(stored: Observation, words: Observation): Observation {
  const { method, note } = stored;
  return {
    ...stored,
    ...(words.language === undefined ? {} : { language: words.language }),
    ...(method === undefined ? {} : { method: { ...method, ...words.method } }),
    ...(note === undefined || words.note === undefined ? {} : { note: words.note }),
  };
}

type Concepts = NonNullable<DiagnosticReport['conclusionCode']>;

/** Where an older version had other conclusions, its own words stay. */
function withTexts(stored: Concepts, words: Concepts = []): Concepts {
  if (words.length !== stored.length) return stored;
  return stored.map((one, index) => {
    const { text } = words[index]!;
    return text === undefined || one.text === undefined ? one : { ...one, text };
  });
}

type Pictures = NonNullable<DiagnosticReport['media']>;

function withComments(stored: Pictures, words: Pictures = []): Pictures {
  return stored.map((one, index) => {
    const comment = words[index]?.comment;
    return comment === undefined ? one : { ...one, comment };
  });
}
