import { Module } from '@nestjs/common';
import { PatientDeliveriesEraser } from './queue/patient-deliveries.eraser.js';

/** The erasure of a patient's events. Needs PatientDataErasers, which is global. */
@Module({ providers: [PatientDeliveriesEraser], exports: [PatientDeliveriesEraser] })
export class WebhooksErasureModule {}
