import type { Directory } from '../../directory/directory.ts';
import type { Decisions } from '../../governance/approvals/decide.ts';
import type { Execute } from '../../governance/perform/execute.ts';
import type { Passwords } from '../../governance/passwords/passwords.ts';
import type { Permissions } from '../../governance/rights/permissions.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import type { FindCompanies } from '../shared-channels.ts';
import type { AnswerAt } from '../connection/response-url.ts';

/** The dependencies of every listener. */
export interface ListenerContext {
  execute: Execute;
  permissions: Permissions;
  decisions: Decisions;
  passwords: Pick<Passwords, 'show' | 'showList'>;
  directory: Directory;
  answerAt: AnswerAt;
  openDirectMessages: OpenDirectMessages;
  findCompanies: FindCompanies;
  /** Shows the Home tab of a person as it is now. */
  showHome: (personId: string) => Promise<void>;
  timeZone: string;
  sleep: (ms: number) => Promise<void>;
  /** Logs an unexpected error. @returns the message for the person, with its reference */
  logAndExplain: (error: unknown) => string;
}
