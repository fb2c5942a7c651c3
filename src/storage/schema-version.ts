import { InvigilatorError } from '../domain/errors.ts';

/** The versions of what this bot stores. */
export const schemaVersions = { sqlite: 12, redis: 11 } as const;

/** Those of 1.7, which this bot upgrades. */
const upgradedVersions = { sqlite: 9, redis: 8 } as const;

/** The store is for another version of the bot. */
export class SchemaVersionError extends InvigilatorError {
  readonly code: 'newer_schema' | 'older_schema';

  constructor(code: SchemaVersionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * @param name the store as a message names it
 * @throws {SchemaVersionError} where this bot can neither use nor upgrade the version
 */
export function assertUsableVersion(store: keyof typeof schemaVersions, name: string, version: number): void {
  if (version > schemaVersions[store])
    throw new SchemaVersionError(
      'newer_schema',
      `${name} was written by a newer version of the bot: start that version`,
    );
  if (version < upgradedVersions[store])
    throw new SchemaVersionError(
      'older_schema',
      `${name} was written by version 1.6 of the bot or an older one: start version 1.7 with it once, then this version`,
    );
}
