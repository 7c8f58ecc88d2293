import { Module } from '@nestjs/common';
import { ArtifactReadingService } from './analysis/artifact-reading.service.js';
import { JobCreationService } from './analysis/job-creation.service.js';
import { JobReadingService } from './analysis/job-reading.service.js';
import { JobWaiter } from './analysis/job-waiter.js';
import { JobsController } from './analysis/jobs.controller.js';
import { UsageController } from './analysis/usage.controller.js';
import { CalibrationController } from './calibration/calibration.controller.js';
import { CalibrationService } from './calibration/calibration.service.js';
import { ImageRequestsService } from './images/image-requests.service.js';
import { ImagesController } from './images/images.controller.js';
import { ModelsController } from './models/models.controller.js';

/** The native door. Core's services, the platform and identity are global; nothing else is needed. */
@Module({
  controllers: [ImagesController, JobsController, UsageController, ModelsController, CalibrationController],
  providers: [ImageRequestsService, JobCreationService, JobReadingService, JobWaiter, ArtifactReadingService, CalibrationService],
})
export class ApiV1Module {}
