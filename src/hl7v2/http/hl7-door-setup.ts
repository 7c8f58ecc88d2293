import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import { addHl7BodyHooks } from './hl7-body.js';

/** What the HTTP server has to know of this door before its first request. */
@Injectable()
export class Hl7DoorSetup {
  constructor(adapterHost: HttpAdapterHost<HttpAdapter>) {
    // In the constructor, because hooks must stand before the routes are made.
    addHl7BodyHooks(adapterHost.httpAdapter.getInstance<FastifyInstance>());
  }
}
