import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';

/** What the HTTP server has to know of this door before its first request. */
@Injectable()
export class Hl7HttpSetup {
  constructor(adapterHost: HttpAdapterHost<HttpAdapter>) {
    adapterHost.httpAdapter.unreadBodies.claim('/hl7v2');
  }
}
