import type { Logger } from 'typeorm';

/** TypeORM prints some messages whatever `logging` says, with the database's own text in them, which may quote rows. */
export class SilentTypeOrmLogger implements Logger {
  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
