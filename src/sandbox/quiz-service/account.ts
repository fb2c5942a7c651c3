import type { Database } from './database.ts';
import type { WelcomeMail } from './outbox.ts';

/** The one account of the service, as its operations and pages see it. */
export interface Account {
  database: Database;
  now: () => number;
  newId: () => string;
  /** Where browsers reach the service, without a slash at the end. */
  publicUrl: () => string;
  sendWelcomeMail: (mail: WelcomeMail) => void;
  /** Called after deliveries were written, so that they go out at once. */
  deliverEvents: () => void;
}
