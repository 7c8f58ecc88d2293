import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { BrowserOrigins } from '../../core/organizations/browser-origins.js';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import { StorageModule } from '../drivers/storage.module.js';
import { UPLOAD_PATH } from '../signing/upload-claim.js';
import { StaleUploadSweep } from './stale-upload.sweep.js';
import { UploadController } from './upload.controller.js';
import { UploadIntake } from './upload-intake.js';

const BELOW_UPLOAD_PATH = `${UPLOAD_PATH}/`;
const SIGNED = /[?&]signature=/;

/** The upload endpoint of the local driver. Needs ImageService, so it is imported beside CoreModule and not by it. */
@Module({ imports: [StorageModule], controllers: [UploadController], providers: [UploadIntake, StaleUploadSweep] })
export class UploadModule {
  constructor({ httpAdapter }: HttpAdapterHost<HttpAdapter>, origins: BrowserOrigins) {
    httpAdapter.pageOrigins.claim(UPLOAD_PATH, (origin) => origins.isAllowedAnywhere(origin));
    // Uploads stream: a photo sent as JSON or as a form (curl's default) is a photo all the same.
    httpAdapter.unreadBodies.claim(UPLOAD_PATH);
    // In the constructor, because hooks must stand before the routes are made.
    httpAdapter.getInstance<FastifyInstance>().addHook('onRequest', refuseOtherMethods);
  }
}

/** A signed address used with another method is refused here, because no route has that method. `upload.signature`. */
function refuseOtherMethods({ raw }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { url = '', method } = raw;
  done(
    url.startsWith(BELOW_UPLOAD_PATH) && method !== 'PUT' && SIGNED.test(url)
      ? new SuturaError('upload.signature')
      : undefined,
  );
}
