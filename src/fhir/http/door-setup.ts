import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import { renderOutcome } from '../outcome/outcome-renderer.js';
import { ResourceValidator } from '../validation/index.js';

/** What the HTTP server has to know of this door before its first request. */
@Injectable()
export class DoorSetup implements OnModuleInit {
  constructor(
    adapterHost: HttpAdapterHost<HttpAdapter>,
    private readonly validator: ResourceValidator,
  ) {
    adapterHost.httpAdapter.unreadBodies.claim('/fhir');
    adapterHost.httpAdapter.refusals.claim('/fhir', renderOutcome);
  }

  onModuleInit(): void {
    this.validator.prepare();
  }
}
