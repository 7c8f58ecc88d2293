import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { BrowserOrigins } from '../../core/organizations/browser-origins.js';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import { ArtifactReadingService } from './analysis/artifact-reading.service.js';
import { JobCreationService } from './analysis/job-creation.service.js';
import { JobReadingService } from './analysis/job-reading.service.js';
import { JobWaiter } from './analysis/job-waiter.js';
import { JobsController } from './analysis/jobs.controller.js';
import { UsageController } from './analysis/usage.controller.js';
import { CalibrationController } from './calibration/calibration.controller.js';
import { CalibrationService } from './calibration/calibration.service.js';
import { HeldController } from './held/held.controller.js';
import { ImageRequestsService } from './images/image-requests.service.js';
import { ImagesController } from './images/images.controller.js';
import { ModelsController } from './models/models.controller.js';
import { IdempotentRequests } from './idempotency/idempotent-requests.js';
import { CourseReadingService } from './reports/course-reading.service.js';
import { EvidenceReadingService } from './reports/evidence-reading.service.js';
import { ReportListService } from './reports/report-list.service.js';
import { ReportReadingService } from './reports/report-reading.service.js';
import { ReportReviewService } from './reports/report-review.service.js';
import { ReportsController } from './reports/reports.controller.js';
import { DeskReviewService } from './review-desk/desk-review.service.js';
import { DeskReadingService } from './review-desk/desk-reading.service.js';
import { DeskLinks } from './review-desk/desk-links.js';
import { DeskSessions } from './review-desk/desk-sessions.js';
import { ReviewDeskController } from './review-desk/review-desk.controller.js';
import { ConsoleReviewController } from './review-desk/console-review.controller.js';
import { DeskDocumentsController } from './review-desk/desk-documents.controller.js';
import { DeskDraftsController } from './review-desk/desk-drafts.controller.js';
import { DeskDraftsService } from './review-desk/desk-drafts.service.js';
import { DeskFormService } from './review-desk/desk-form.service.js';
import { DeskWoundController } from './review-desk/desk-wound.controller.js';
import { DeskSteps } from './review-desk/desk-steps.service.js';
import { DeskWoundService } from './review-desk/desk-wound.service.js';
import { ReviewLinksController } from './review-desk/review-links.controller.js';
import { ClinicalEventsController } from './wounds/clinical-events.controller.js';
import { WoundRelationsController } from './wounds/wound-relations.controller.js';
import { WoundsController } from './wounds/wounds.controller.js';
import { WoundsService } from './wounds/wounds.service.js';
import { EventWaiter } from './events/event-waiter.js';
import { EventsController } from './events/events.controller.js';
import { SandboxClockController } from './sandbox/sandbox-clock.controller.js';
import { SamplesController } from './samples/samples.controller.js';
import { WebhookRequestsService } from './webhooks/webhook-requests.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { ReportsModule } from '../../reports/index.js';
import { WebhooksModule } from '../../exits/webhooks/index.js';

/** The native door. Core's services, the platform and identity are global; nothing else is needed. */
@Module({
  imports: [ReportsModule, WebhooksModule],
  controllers: [
    ImagesController,
    JobsController,
    UsageController,
    ModelsController,
    CalibrationController,
    WoundsController,
    ClinicalEventsController,
    WoundRelationsController,
    ReportsController,
    ReviewLinksController,
    ConsoleReviewController,
    DeskDocumentsController,
    ReviewDeskController,
    DeskDraftsController,
    DeskWoundController,
    WebhooksController,
    EventsController,
    SamplesController,
    SandboxClockController,
    HeldController,
  ],
  providers: [
    IdempotentRequests,
    WoundsService,
    ReportListService,
    ReportReadingService,
    CourseReadingService,
    EvidenceReadingService,
    ReportReviewService,
    DeskReadingService,
    DeskReviewService,
    DeskDraftsService,
    DeskFormService,
    DeskSteps,
    DeskWoundService,
    DeskSessions,
    DeskLinks,
    ImageRequestsService,
    JobCreationService,
    JobReadingService,
    JobWaiter,
    ArtifactReadingService,
    CalibrationService,
    WebhookRequestsService,
    EventWaiter,
  ],
})
export class ApiV1Module {
  constructor({ httpAdapter }: HttpAdapterHost<HttpAdapter>, origins: BrowserOrigins) {
    httpAdapter.pageOrigins.claim('/api/v1', (origin) => origins.isAllowedAnywhere(origin));
  }
}
