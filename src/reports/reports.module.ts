import { Module } from '@nestjs/common';
import { ReportAssemblyHandler } from './assemble/report-assembly.handler.js';
import { RelatedWoundsHandler } from './assemble/related-wounds.handler.js';
import { SharedPhotosHandler } from './assemble/shared-photos.handler.js';
import { ReportRenderingModule } from './report-rendering.module.js';

/** Results to documents: makes the reports of completed jobs, and renders them. */
@Module({
  imports: [ReportRenderingModule],
  providers: [ReportAssemblyHandler, RelatedWoundsHandler, SharedPhotosHandler],
  exports: [ReportAssemblyHandler, RelatedWoundsHandler, SharedPhotosHandler, ReportRenderingModule],
})
export class ReportsModule {}
