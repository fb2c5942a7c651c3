/**
 * Why the platform names nobody’s manager: the bot may not read profiles, they have no field for it, people edit the field
 * themselves, no field has the configured name, or the configured field holds no people.
 */
export type NoManagers = 'missing_scope' | 'no_field' | 'editable' | 'unknown_field' | 'not_people';

/** Who manages people of the platform. */
export interface FoundManagers {
  /** By the person they manage. Null: nobody, or nobody whom the bot can write to. Who is not in it is not known yet. */
  managers: ReadonlyMap<string, string | null>;
  /** When those who are not known yet can be asked for (milliseconds since the epoch); undefined: all are known. */
  askAgainAt?: number;
  /** Undefined where the platform names managers. */
  problem?: NoManagers;
}

/**
 * Finds the managers of people. A manager is an active member of the workspace who is not a guest, and nobody is their own.
 * Never throws: while the platform does not answer, nobody is known.
 */
export type ManagersOf = (personIds: readonly string[]) => Promise<FoundManagers>;
