import { Module } from '@nestjs/common';
import { ReportAssemblyHandler } from './assemble/report-assembly.handler.js';
import { ReportRenderer } from './rendering/report-renderer.js';
import { ThreadedReportRenderer } from './rendering/threaded-report-renderer.js';

/** Results to documents: makes the reports of completed jobs, and renders them. */
@Module({
  providers: [ReportAssemblyHandler, { provide: ReportRenderer, useClass: ThreadedReportRenderer }],
  exports: [ReportAssemblyHandler, ReportRenderer],
})
export class ReportsModule {}
