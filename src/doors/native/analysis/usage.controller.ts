import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { JobReadingService } from './job-reading.service.js';
import { READ_USAGE } from './jobs.routes.js';

@Controller('api/v1/usage')
export class UsageController {
  constructor(private readonly reading: JobReadingService) {}

  @Get()
  @ApiRoute(READ_USAGE)
  @RequiresScope('analysis:read')
  usage(@CurrentCaller() caller: Caller): Promise<HttpAnswer> {
    return this.reading.usage(caller);
  }
}
