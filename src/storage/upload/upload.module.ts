import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import { StorageModule } from '../drivers/storage.module.js';
import { UPLOAD_PATH } from '../signing/upload-claim.js';
import { StaleUploadSweep } from './stale-upload.sweep.js';
import { UploadController } from './upload.controller.js';
import { UploadIntake } from './upload-intake.js';
import { refuseOtherMethods } from './upload-request.hook.js';

/** The upload endpoint of the local driver. Needs ImageService, so it is imported beside CoreModule and not by it. */
@Module({ imports: [StorageModule], controllers: [UploadController], providers: [UploadIntake, StaleUploadSweep] })
export class UploadModule {
  constructor({ httpAdapter }: HttpAdapterHost<HttpAdapter>) {
    // Uploads stream: a photo sent as JSON or as a form (curl's default) is a photo all the same.
    httpAdapter.unreadBodies.claim(UPLOAD_PATH);
    // In the constructor, because hooks must stand before the routes are made.
    httpAdapter.getInstance<FastifyInstance>().addHook('onRequest', refuseOtherMethods);
  }
}
