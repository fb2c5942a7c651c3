import type { Database } from './database.ts';
import type { WelcomeMail } from './outbox.ts';

/** The account that the operations and pages work on. A service has one account. */
export interface Account {
  database: Database;
  now: () => number;
  newId: () => string;
  /** The URL for browsers, without a trailing slash. */
  publicUrl: () => string;
  sendWelcomeMail: (mail: WelcomeMail) => void;
  /** Starts delivering new events now. Call it after the transaction that adds them. */
  deliverEvents: () => void;
}
