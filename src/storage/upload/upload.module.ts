import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { StorageModule } from '../drivers/storage.module.js';
import { StaleUploadSweep } from './stale-upload.sweep.js';
import { UploadController } from './upload.controller.js';
import { UploadIntake } from './upload-intake.js';
import { addUploadHooks } from './upload-request.hook.js';

/** The upload endpoint of the local driver. Needs ImageService, so it is imported beside CoreModule and not by it. */
@Module({ imports: [StorageModule], controllers: [UploadController], providers: [UploadIntake, StaleUploadSweep] })
export class UploadModule {
  constructor(adapterHost: HttpAdapterHost) {
    // In the constructor, because hooks must stand before the routes are made.
    addUploadHooks(adapterHost.httpAdapter.getInstance<FastifyInstance>());
  }
}
