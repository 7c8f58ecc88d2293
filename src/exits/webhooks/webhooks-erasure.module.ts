import { Module } from '@nestjs/common';
import { PatientDeliveriesKeeper } from './queue/patient-deliveries.keeper.js';

/** The erasure of a patient's events. Needs PatientKeepers, which is global. */
@Module({ providers: [PatientDeliveriesKeeper], exports: [PatientDeliveriesKeeper] })
export class WebhooksErasureModule {}
