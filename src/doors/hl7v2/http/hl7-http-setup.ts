import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { HttpAdapter } from '../../../platform/http/http.adapter.js';

/** Leaves bodies of POST /hl7v2 unparsed, whatever their media type. */
@Injectable()
export class Hl7HttpSetup {
  constructor(adapterHost: HttpAdapterHost<HttpAdapter>) {
    adapterHost.httpAdapter.unreadBodies.claim('/hl7v2');
  }
}
