/** A person whom the bot is to erase, as far as they are known. */
export interface PersonToErase {
  /** Of the quiz account. */
  userId: string;
  /** Of the platform. */
  personId?: string;
  /** User names and e-mail addresses. */
  addresses: readonly string[];
}

/** What happens to the erasing of a person. `go on`: the account can be asked whether their user is deleted. */
export type ErasingEvent = { kind: 'begin'; person: PersonToErase; by: string } | { kind: 'go on' };
