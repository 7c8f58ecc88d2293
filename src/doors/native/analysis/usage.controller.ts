import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { sendAnswer } from '../../../platform/http/http-answer.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { JobReadingService } from './job-reading.service.js';
import { READ_USAGE } from './jobs.routes.js';

@Controller('api/v1/usage')
export class UsageController {
  constructor(private readonly reading: JobReadingService) {}

  @Get()
  @ApiRoute(READ_USAGE)
  @RequiresScope('analysis:read')
  async usage(@CurrentCaller() caller: Caller, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.reading.usage(caller));
  }
}
