import { InvigilatorError } from '../domain/errors.ts';

/** The version of what this bot stores, in SQLite and in Redis. Bots write it since 1.7. */
export const schemaVersion = 7;

/** The oldest version that this bot upgrades. Bots of 1.6 wrote version 5, those from 1.2 to 1.5 this one; 1.1 wrote version 3, and those before it wrote 2 or less. */
const oldestUpgradedVersion = 4;

/** The store is for another version of the bot. */
export class SchemaVersionError extends InvigilatorError {
  readonly code: 'newer_schema' | 'older_schema';

  constructor(code: SchemaVersionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** @param store the store as a message names it @throws {SchemaVersionError} where this bot can neither use nor upgrade the version */
export function assertUsableVersion(store: string, version: number): void {
  if (version > schemaVersion)
    throw new SchemaVersionError(
      'newer_schema',
      `${store} was written by a newer version of the bot: start that version`,
    );
  if (version < oldestUpgradedVersion)
    throw new SchemaVersionError(
      'older_schema',
      `${store} was written by version 1.1 of the bot or an older one: start version 1.6 with it once, then this version`,
    );
}
