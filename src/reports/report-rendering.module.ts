import { Module } from '@nestjs/common';
import { ReportRenderer } from './rendering/report-renderer.js';
import { ThreadedReportRenderer } from './rendering/threaded-report-renderer.js';

/** Sets reports as documents. */
@Module({
  providers: [{ provide: ReportRenderer, useClass: ThreadedReportRenderer }],
  exports: [ReportRenderer],
})
export class ReportRenderingModule {}
