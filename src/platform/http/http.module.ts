import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ProblemFilter } from './problem.filter.js';
import { RequestLog } from './request-log.js';

/**
 * Renders the errors of every route, known or not, and logs every request. The application must be made with
 * HttpAdapter.
 */
@Module({ providers: [RequestLog, { provide: APP_FILTER, useClass: ProblemFilter }] })
export class HttpModule {}
