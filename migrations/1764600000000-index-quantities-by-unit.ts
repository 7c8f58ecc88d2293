import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What searches by a value read: the unit is mostly given, the code of what was measured mostly not. */
export class IndexQuantitiesByUnit1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `drop index fhir_quantities_by_value`,
  // By the upper end, which mostly is the lower one too.
  `create index fhir_quantities_by_value on fhir_quantities (link, unit, high)`,
  // Those with a comparator, and sampled data: few.
  `create index fhir_quantities_wide on fhir_quantities (link, unit) where low < high`,
];
