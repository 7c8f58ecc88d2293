import { Module } from '@nestjs/common';
import { ReportAssemblyHandler } from './assemble/report-assembly.handler.js';
import { SharedPhotosHandler } from './assemble/shared-photos.handler.js';
import { ReportRenderingModule } from './report-rendering.module.js';

/** Results to documents: makes the reports of completed jobs, and renders them. */
@Module({
  imports: [ReportRenderingModule],
  providers: [ReportAssemblyHandler, SharedPhotosHandler],
  exports: [ReportAssemblyHandler, SharedPhotosHandler, ReportRenderingModule],
})
export class ReportsModule {}
