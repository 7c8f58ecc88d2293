import { Module } from '@nestjs/common';
import { builtPages } from './built-pages.js';
import { DocsSite } from './docs-site.js';
import { DocsController } from './docs.controller.js';
import { RootController } from './root.controller.js';

/** The site of `docs/`, served as files. */
@Module({
  controllers: [RootController, DocsController],
  providers: [{ provide: DocsSite, useFactory: () => new DocsSite(builtPages('docs')) }],
})
export class DocsModule {}
