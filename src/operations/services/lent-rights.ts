/** A token with which an agent acts for a person. Times are milliseconds since the epoch. */
export interface AgentToken {
  /** What the person calls it; no other of theirs has the name. */
  name: string;
  createdAt: number;
  expiresAt: number;
}

/** The tokens of one workspace. */
export interface AgentTokens {
  /** Those that work. */
  all(personId: string): Promise<readonly AgentToken[]>;
  /** `secret`: the token itself, which is kept nowhere. `busy`: another change of the person’s tokens is being made. */
  make(personId: string, name: string): Promise<(AgentToken & { secret: string }) | 'taken' | 'too many' | 'busy'>;
  /** False where there is none with the name. */
  revoke(personId: string, name: string): Promise<boolean | 'busy'>;
}

/** Rights that a person lent to a kind of step of workflows. Times are milliseconds since the epoch. */
export interface LentRights {
  id: string;
  personId: string;
  /** What people call the step. */
  step: string;
  /** The workflow that it runs in; undefined where the platform did not say. */
  workflowId: string | undefined;
  lentAt: number;
  /** Within an hour; undefined before the first run. */
  usedAt: number | undefined;
  /** Unless it runs before. */
  expiresAt: number;
}

/** The rights that people of one workspace lent to steps of workflows. */
export interface RightsLent {
  /** In the order in which they were lent; without those that expired or were revoked. */
  all(): Promise<readonly LentRights[]>;
  /** Ends a grant for every instance at once. Undefined, and nothing is done, where it has ended before or is not meant. */
  revoke(id: string, isMeant: (lent: LentRights) => boolean): Promise<LentRights | undefined>;
}
