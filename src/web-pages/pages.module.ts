import { Module } from '@nestjs/common';
import { builtPages } from './built-pages.js';
import { PageFiles } from './page-files.js';
import { PagesController } from './pages.controller.js';

/** The pages of `web/`, served as files. */
@Module({
  controllers: [PagesController],
  providers: [{ provide: PageFiles, useFactory: () => new PageFiles(builtPages('web')) }],
  exports: [PageFiles],
})
export class PagesModule {}
