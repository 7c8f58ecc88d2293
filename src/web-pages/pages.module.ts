import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { PageFiles } from './page-files.js';
import { PagesController } from './pages.controller.js';

/** web/dist beside the program, which runs from src/ and from dist/src/; `npm run build` fills it. */
function builtPages(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const candidates = ['../..', '../../..'].map((up) => join(here, up, 'web/dist'));
  return candidates.find((folder) => existsSync(folder)) ?? candidates[0]!;
}

/** The pages of `web/`, served as files. */
@Module({
  controllers: [PagesController],
  providers: [{ provide: PageFiles, useFactory: () => new PageFiles(builtPages()) }],
  exports: [PageFiles],
})
export class PagesModule {}
