import { Module } from '@nestjs/common';
import { ReportAssemblyHandler } from './assemble/report-assembly.handler.js';
import { ReportRenderingModule } from './report-rendering.module.js';

/** Results to documents: makes the reports of completed jobs, and renders them. */
@Module({
  imports: [ReportRenderingModule],
  providers: [ReportAssemblyHandler],
  exports: [ReportAssemblyHandler, ReportRenderingModule],
})
export class ReportsModule {}
