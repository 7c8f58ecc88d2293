import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { PageFiles } from './page-files.js';
import { PagesController } from './pages.controller.js';

/** `dist/web` where this file runs from its source, else `web` of the build that it is part of. */
function builtPages(): string {
  const above = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const beside = join(above, 'dist/web');
  return existsSync(beside) ? beside : join(above, 'web');
}

/** The pages of `web/`, served as files. */
@Module({
  controllers: [PagesController],
  providers: [{ provide: PageFiles, useFactory: () => new PageFiles(builtPages()) }],
  exports: [PageFiles],
})
export class PagesModule {}
