import type { Attachment, Bundle } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { NotificationDocuments } from '../../../exits/subscriptions/notification-documents.js';
import { readReportBinaryId, servedForm, withDocument } from './report-document.js';

/** Puts the kept PDFs of reports into notifications as they are sent: what waits in the database has no photo in it. */
@Injectable()
export class DocumentsInNotifications extends NotificationDocuments {
  constructor(private readonly archive: ReportDocumentArchive) {
    super();
  }

  async fill(tenant: Tenant, notification: Buffer): Promise<Buffer> {
    const bundle = JSON.parse(notification.toString('utf8')) as Bundle;
    for (const { resource } of bundle.entry ?? []) {
      if (resource?.resourceType !== 'DiagnosticReport' || resource.presentedForm === undefined) continue;
      resource.presentedForm = await Promise.all(resource.presentedForm.map((form) => this.filled(tenant, form)));
    }
    return Buffer.from(JSON.stringify(bundle));
  }

  private async filled(tenant: Tenant, form: Attachment): Promise<Attachment> {
    const named = readReportBinaryId(form.url?.replace(/^Binary\//, '') ?? '');
    if (named === null) return form;
    const { document, bytes } = await this.archive.open(tenant, named, servedForm(named.language));
    return { ...withDocument(form, document), data: Buffer.from(bytes).toString('base64') };
  }
}
