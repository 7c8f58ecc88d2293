import { Module } from '@nestjs/common';
import { ReportAssemblyHandler } from './assemble/report-assembly.handler.js';
import { ReportRenderer } from './documents/report-renderer.js';

/** Results to documents: makes the reports of completed jobs, and renders them. */
@Module({
  providers: [ReportAssemblyHandler, ReportRenderer],
  exports: [ReportAssemblyHandler, ReportRenderer],
})
export class ReportsModule {}
