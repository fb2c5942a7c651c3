import { InvigilatorError } from '../domain/errors.ts';

/**
 * The versions of what this bot stores. A change of one that does not concern the other leaves its version, so that instances
 * over Redis can be upgraded one after the other.
 */
export const schemaVersions = { sqlite: 9, redis: 8 } as const;

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

/**
 * @param store the store as a message names it
 * @param current the version that this bot uses
 * @throws {SchemaVersionError} where this bot can neither use nor upgrade the version
 */
export function assertUsableVersion(store: string, version: number, current: number): void {
  if (version > current)
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
