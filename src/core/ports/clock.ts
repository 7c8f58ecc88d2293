/** The process's clock. Leases and quota days are judged by the database's clock instead. */
export abstract class Clock {
  abstract now(): Date;
}
