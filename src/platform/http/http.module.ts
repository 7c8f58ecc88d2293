import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ProblemFilter } from './problem.filter.js';

/** Renders the errors of every route, known or not. Needs the application to be made with HttpAdapter. */
@Module({ providers: [{ provide: APP_FILTER, useClass: ProblemFilter }] })
export class HttpModule {}
