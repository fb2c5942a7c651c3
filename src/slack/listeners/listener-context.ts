import type { Directory } from '../../directory/directory.ts';
import type { Decisions } from '../../governance/approvals/decide.ts';
import type { Execute } from '../../governance/execute.ts';
import type { Permissions } from '../../governance/permissions.ts';
import type { AnswerAt } from '../response-url.ts';

/** What every listener works with. */
export interface ListenerContext {
  execute: Execute;
  permissions: Permissions;
  decisions: Decisions;
  directory: Directory;
  answerAt: AnswerAt;
  timeZone: string;
  sleep: (ms: number) => Promise<void>;
  /** Logs an error nobody expected and gives the sentence a person is told, with its reference. */
  logAndExplain: (error: unknown) => string;
}
